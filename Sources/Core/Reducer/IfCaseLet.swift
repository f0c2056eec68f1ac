extension Reducer {
  /// Runs a child's reducer while the state stands in one of its cases.
  ///
  /// The child comes first, then this reducer, which sees what the child changed. When this reducer
  /// leaves the case, or the payload becomes another one by its id, the effects of the child that was
  /// there are cancelled. An action of a child that is not there is an issue, and only this reducer
  /// runs.
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
  public func ifCaseLet<CaseState, CaseAction, Case: Reducer<CaseState, CaseAction>>(
    _ state: CaseKeyPath<State, CaseState>,
    action: CaseKeyPath<Action, CaseAction>,
    @ReducerBuilder<CaseState, CaseAction> then: () -> Case,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where State: CasePathable, Action: CasePathable {
    IfCaseLet(
      parent: self,
      child: then(),
      state: AnyCasePath(state),
      action: AnyCasePath(action),
      keyPath: state,
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }
}

struct IfCaseLet<Parent: Reducer, Child: Reducer>: Reducer {
  let parent: Parent
  let child: Child
  let state: AnyCasePath<Parent.State, Child.State>
  let action: AnyCasePath<Parent.Action, Child.Action>
  /// Nil for a case that has no key path; its name then tells it from the others.
  let keyPath: CaseKeyPath<Parent.State, Child.State>?
  let location: IssueLocation

  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    let before = identity(in: state)
    var effect = Effect<Parent.Action>.none
    if let childAction = self.action.extract(from: action) {
      if let before, var childState = self.state.extract(from: state) {
        effect = child.reduceChild(&childState, action: childAction, at: before.path)
          .map { [embed = self.action] in embed.embed($0) }
        state = self.state.embed(childState)
      } else {
        reportIssue(
          Messages.actionForAnotherCase(action, of: state, at: location),
          at: location
        )
      }
    }
    effect = effect.merge(with: parent._reduce(into: &state, action: action))
    guard let before, before != identity(in: state) else { return effect }
    return effect.merge(with: .cancelChild(at: before.path, location))
  }

  private func identity(in parent: Parent.State) -> NavigationID? {
    guard let childState = state.extract(from: parent) else { return nil }
    let name = enumCase(of: parent)?.label
    let place =
      keyPath.map { ChildPlace($0) { name } } ?? ChildPlace(\Parent.State.self, case: name)
    return NavigationID(child: childState, at: place)
  }
}
