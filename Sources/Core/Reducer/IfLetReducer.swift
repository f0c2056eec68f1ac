extension Reducer {
  /// Returns a reducer that runs a child reducer while the child's state is not `nil`.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifLet(\.profile, action: \.profile) { Profile() }
  /// ```
  ///
  /// The child reducer runs first, then this reducer, which sees the child's changes. When this reducer sets the state
  /// to `nil`, or to a value with another id or case, the effects of the previous child are canceled. An action for a
  /// child that is `nil` is an issue, and the child reducer doesn't run.
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the child's state.
  ///   - action: The case key path from the action to the child's action.
  ///   - then: A builder of the child reducer.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs the child reducer and this reducer.
  @warn_unqualified_access
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ state: WritableKeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    IfLetReducer(
      parent: self,
      child: then(),
      state: state,
      action: AnyCasePath(action),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns a reducer that sets a state without a reducer, such as an alert, to `nil` after any of its actions.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifLet(\.alert, action: \.alert)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the optional state.
  ///   - action: The case key path from the action to the actions of the optional state.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs this one and sets the optional state to `nil`.
  @warn_unqualified_access
  public func ifLet<ChildState: _EphemeralState, ChildAction>(
    _ state: WritableKeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    self.ifLet(
      state,
      action: action,
      then: { EmptyReducer<ChildState, ChildAction>() },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}

struct IfLetReducer<Parent: Reducer, Child: Reducer>: Reducer {
  let parent: Parent
  let child: Child
  let state: WritableKeyPath<Parent.State, Child.State?>
  let action: AnyCasePath<Parent.Action, Child.Action>
  let location: IssueLocation

  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    let before = identity(in: state)
    let childAction = self.action.extract(from: action)
    var effect = Effect<Parent.Action>.none
    if let childAction {
      if let before {
        effect = reduceChild(into: &state, action: childAction, before)
      } else {
        reportIssue(
          .missingFeature,
          Messages.actionWithoutState(action, at: location),
          at: location
        )
      }
    }
    MountedChildren.detach(
      Self.self,
      at: ChildLocation(self.state),
      exceptFor: before.map { [$0] } ?? [],
      path: \.path
    )
    effect = effect.merge(with: parent._reduce(into: &state, action: action))
    guard let before else { return effect }
    let isSame = before == identity(in: state)
    if isSame, childAction != nil, state[keyPath: self.state] is any _EphemeralState {
      state[keyPath: self.state] = nil
    }
    return isSame ? effect : effect.merge(with: .cancelChild(at: before.path, location))
  }

  private func identity(in parent: Parent.State) -> NavigationID? {
    parent[keyPath: state].map { NavigationID(child: $0, at: ChildLocation(state)) }
  }

  private func reduceChild(
    into parent: inout Parent.State,
    action childAction: Child.Action,
    _ identity: NavigationID
  ) -> Effect<Parent.Action> {
    let effect = parent[keyPath: state].modifyIfPresent {
      child.reduceChild(&$0, action: childAction, at: identity.path)
    }
    return effect?.map { [action] in action.embed($0) } ?? .none
  }
}

extension Reducer {
  /// Returns a reducer that runs a child reducer while the state has a case.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifCaseLet(\.loggedIn, action: \.loggedIn) { Home() }
  ///   .ifCaseLet(\.loggedOut, action: \.loggedOut) { Login() }
  /// ```
  ///
  /// The child reducer runs first, then this reducer, which sees the child's changes. When this reducer sets another
  /// case, or a payload with another id, the effects of the previous child are canceled. An action of the child while
  /// the state has another case is an issue, and the child reducer doesn't run.
  ///
  /// - Parameters:
  ///   - state: The case key path from the state to the child's state.
  ///   - action: The case key path from the action to the child's action.
  ///   - then: A builder of the child reducer.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs the child reducer and this reducer.
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
    IfCaseLetReducer(
      parent: self,
      child: then(),
      state: AnyCasePath(state),
      action: AnyCasePath(action),
      keyPath: state,
      name: nil,
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns a reducer that runs a child reducer while the state has a case.
  ///
  /// `@Reducer` generates this call for an enum of features. The call uses no key paths, because they would be created
  /// again for each action.
  ///
  /// - Parameters:
  ///   - state: The case path from the state to the child's state.
  ///   - action: The case path from the action to the child's action.
  ///   - name: The name of the case; `nil` to read the name from a state by reflection.
  ///   - then: A builder of the child reducer.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs the child reducer and this reducer.
  @warn_unqualified_access
  public func _$ifCaseLet<CaseState, CaseAction, Case: Reducer<CaseState, CaseAction>>(
    _ state: AnyCasePath<State, CaseState>,
    action: AnyCasePath<Action, CaseAction>,
    named name: String?,
    @ReducerBuilder<CaseState, CaseAction> then: () -> Case,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    IfCaseLetReducer(
      parent: self,
      child: then(),
      state: state,
      action: action,
      keyPath: nil,
      name: name,
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }
}

struct IfCaseLetReducer<Parent: Reducer, Child: Reducer>: Reducer {
  let parent: Parent
  let child: Child
  let state: AnyCasePath<Parent.State, Child.State>
  let action: AnyCasePath<Parent.Action, Child.Action>
  /// The case key path of the child's state; `nil` if the name identifies the case.
  let keyPath: CaseKeyPath<Parent.State, Child.State>?
  /// The name of the case; `nil` to read the name from a state by reflection.
  let name: String?
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
          .missingFeature,
          Messages.actionForAnotherCase(action, of: state, at: location),
          at: location
        )
      }
    }
    MountedChildren.detach(
      Self.self,
      at: keyPath.map { ChildLocation($0) } ?? ChildLocation(caseOf: Parent.State.self, name: name),
      exceptFor: before.map { [$0] } ?? [],
      path: \.path
    )
    effect = effect.merge(with: parent._reduce(into: &state, action: action))
    guard let before, before != identity(in: state) else { return effect }
    return effect.merge(with: .cancelChild(at: before.path, location))
  }

  private func identity(in parent: Parent.State) -> NavigationID? {
    guard let childState = state.extract(from: parent) else { return nil }
    let name = self.name ?? enumCase(of: parent)?.label
    let place =
      keyPath.map { ChildLocation($0) { name } }
      ?? ChildLocation(caseOf: Parent.State.self, name: name)
    return NavigationID(child: childState, at: place)
  }
}
