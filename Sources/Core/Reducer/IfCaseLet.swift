extension Reducer {
  /// Runs a child's reducer while the state stands in one of its cases.
  ///
  /// The child comes first, then this reducer, which sees what the child changed. Effects of the child are cancelled when
  /// the state leaves the case, or when its payload becomes another one by its id. An action of the child while the state
  /// stands elsewhere is reported, and only this reducer runs.
  ///
  /// - Parameters:
  ///   - state: The case of the state.
  ///   - action: The case of the action.
  ///   - then: Builds the child's reducer.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: Both reducers together.
  @warn_unqualified_access
  public func ifCaseLet<CaseState, CaseAction, Case: Reducer>(
    _ state: CaseKeyPath<State, CaseState>,
    action: CaseKeyPath<Action, CaseAction>,
    @ReducerBuilder<CaseState, CaseAction> then: () -> Case,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action>
  where
    State: CasePathable,
    Action: CasePathable,
    Case.State == CaseState,
    Case.Action == CaseAction
  {
    IfCaseLet(
      parent: self,
      child: then(),
      state: AnyCasePath(state),
      action: AnyCasePath(action),
      place: ChildPlace(state),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }
}

private struct IfCaseLet<Parent: Reducer, Child: Reducer>: Reducer {
  let parent: Parent
  let child: Child
  let state: AnyCasePath<Parent.State, Child.State>
  let action: AnyCasePath<Parent.Action, Child.Action>
  let place: ChildPlace
  let location: IssueLocation

  func reduce(
    into state: inout Parent.State,
    action: Parent.Action
  ) -> Effect<Parent.Action> {
    let before = identity(in: state)
    let childEffect = reduceChild(into: &state, action: action, identity: before)
    let parentEffect = parent._reduce(into: &state, action: action)
    guard let before, before != identity(in: state) else {
      return .merge(childEffect, parentEffect)
    }
    return .merge(childEffect, parentEffect, .cancelAll(of: before, location))
  }

  private func identity(in state: Parent.State) -> NavigationID? {
    self.state.extract(from: state).map { NavigationID(child: $0, at: place) }
  }

  private func reduceChild(
    into state: inout Parent.State,
    action: Parent.Action,
    identity: NavigationID?
  ) -> Effect<Parent.Action> {
    guard let childAction = self.action.extract(from: action) else { return .none }
    guard let identity, var childState = self.state.extract(from: state) else {
      reportIssue(Messages.actionForAnotherCase(action, of: state), at: location)
      return .none
    }
    let effect = identity.descend { child._reduce(into: &childState, action: childAction) }
    state = self.state.embed(childState)
    return effect.map { [embed = self.action] in embed.embed($0) }.belonging(to: identity)
  }
}
