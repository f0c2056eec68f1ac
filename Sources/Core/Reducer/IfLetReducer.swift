import ActionLog

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
  @inlinable
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ state: WritableKeyPath<State, ChildState?>,
    action: CaseName<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    IfLetReducer(
      parent: self,
      child: then(),
      state: state,
      action: AnyCasePath(named: action),
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
  @inlinable
  public func ifLet<ChildState: _EphemeralState, ChildAction>(
    _ state: WritableKeyPath<State, ChildState?>,
    action: CaseName<Action, ChildAction>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
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

@usableFromInline
struct IfLetReducer<Parent: Reducer, Child: Reducer>: Reducer {
  @usableFromInline let parent: Parent
  @usableFromInline let child: Child
  @usableFromInline let state: WritableKeyPath<Parent.State, Child.State?>
  @usableFromInline let action: AnyCasePath<Parent.Action, Child.Action>
  @usableFromInline let location: IssueLocation

  @inlinable
  init(
    parent: Parent,
    child: Child,
    state: WritableKeyPath<Parent.State, Child.State?>,
    action: AnyCasePath<Parent.Action, Child.Action>,
    location: IssueLocation
  ) {
    self.parent = parent
    self.child = child
    self.state = state
    self.action = action
    self.location = location
  }

  @inlinable
  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    let before = child(in: state)
    let childAction = self.action.extract(from: action)
    var effect = Effect<Parent.Action>.none
    if let childAction {
      if let before {
        effect = reduceChild(into: &state, action: childAction, before)
      } else {
        reportMissing(action)
      }
    }
    MountedChildren.detach(
      Self.self,
      at: ChildLocation(self.state),
      exceptFor: before.map { [$0] } ?? [],
      path: path
    )
    effect = effect.merge(with: parent._reduce(into: &state, action: action))
    guard let before else { return effect }
    if before != child(in: state) {
      return effect.merge(with: .cancelChild(at: path(to: before), location))
    }
    if childAction != nil, isEphemeral(state[keyPath: self.state]) {
      state[keyPath: self.state] = nil
    }
    return effect
  }

  @inlinable
  func child(in parent: Parent.State) -> ChildIdentity? {
    parent[keyPath: state].map { ChildIdentity(of: $0) }
  }

  @usableFromInline
  func path(to child: ChildIdentity) -> ChildPath {
    ChildPath(to: child, at: ChildLocation(state))
  }

  @inlinable
  func reduceChild(
    into parent: inout Parent.State,
    action childAction: Child.Action,
    _ identity: ChildIdentity
  ) -> Effect<Parent.Action> {
    let path = path(to: identity)
    let effect = parent[keyPath: state].modifyIfPresent {
      child.reduceChild(&$0, action: childAction, at: path)
    }
    guard let effect, !effect.isNone else { return .none }
    return effect.map { [action] in action.embed($0) }
  }

  @usableFromInline
  func reportMissing(_ action: Parent.Action) {
    let message = Messages.actionWithoutState(action, at: location)
    reportIssue(.missingFeature, message, at: location)
  }

  @usableFromInline
  func isEphemeral(_ state: Child.State?) -> Bool {
    if LogTypeSurvey.isStruct(Child.State.self) {
      return Child.State.self is any _EphemeralState.Type && state != nil
    }
    return state is any _EphemeralState
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
  @inlinable
  public func ifCaseLet<CaseState, CaseAction, Case: Reducer<CaseState, CaseAction>>(
    _ state: CaseName<State, CaseState>,
    action: CaseName<Action, CaseAction>,
    @ReducerBuilder<CaseState, CaseAction> then: () -> Case,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where State: CasePathable, Action: CasePathable {
    IfCaseLetReducer(
      parent: self,
      child: then(),
      state: AnyCasePath(named: state),
      action: AnyCasePath(named: action),
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

@usableFromInline
struct IfCaseLetReducer<Parent: Reducer, Child: Reducer>: Reducer {
  @usableFromInline let parent: Parent
  @usableFromInline let child: Child
  @usableFromInline let state: AnyCasePath<Parent.State, Child.State>
  @usableFromInline let action: AnyCasePath<Parent.Action, Child.Action>
  /// The key path that names the case of the child's state; `nil` if the name identifies the case.
  @usableFromInline let keyPath: AnyKeyPath?
  /// The name of the case; `nil` to read the name from a state by reflection.
  @usableFromInline let name: String?
  @usableFromInline let location: IssueLocation

  @inlinable
  init(
    parent: Parent,
    child: Child,
    state: AnyCasePath<Parent.State, Child.State>,
    action: AnyCasePath<Parent.Action, Child.Action>,
    keyPath: AnyKeyPath?,
    name: String?,
    location: IssueLocation
  ) {
    self.parent = parent
    self.child = child
    self.state = state
    self.action = action
    self.keyPath = keyPath
    self.name = name
    self.location = location
  }

  @inlinable
  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    let before = child(in: state)
    // The name is read before the reducers run, because they may replace the state by one of another case.
    let name = before == nil ? nil : caseName(of: state)
    var effect = Effect<Parent.Action>.none
    if let childAction = self.action.extract(from: action) {
      if let before, var childState = self.state.extract(from: state) {
        let path = path(to: before, named: name)
        let childEffect = child.reduceChild(&childState, action: childAction, at: path)
        if !childEffect.isNone {
          effect = childEffect.map { [embed = self.action] in embed.embed($0) }
        }
        state = self.state.embed(childState)
      } else {
        reportAnotherCase(action, state)
      }
    }
    MountedChildren.detach(
      Self.self,
      at: place(named: self.name),
      exceptFor: before.map { [$0] } ?? [],
      path: { path(to: $0, named: name) }
    )
    effect = effect.merge(with: parent._reduce(into: &state, action: action))
    guard let before, before != child(in: state) else { return effect }
    return effect.merge(with: .cancelChild(at: path(to: before, named: name), location))
  }

  @inlinable
  func child(in parent: Parent.State) -> ChildIdentity? {
    state.extract(from: parent).map { ChildIdentity(of: $0) }
  }

  @usableFromInline
  func caseName(of parent: Parent.State) -> String? { name ?? enumCaseName(of: parent) }

  @usableFromInline
  func place(named name: String?) -> ChildLocation {
    keyPath.map { ChildLocation($0) { name } }
      ?? ChildLocation(caseOf: Parent.State.self, name: name)
  }

  @usableFromInline
  func path(to child: ChildIdentity, named name: String?) -> ChildPath {
    ChildPath(to: child, at: place(named: name))
  }

  @usableFromInline
  func reportAnotherCase(_ action: Parent.Action, _ state: Parent.State) {
    let message = Messages.actionForAnotherCase(action, of: state, at: location)
    reportIssue(.missingFeature, message, at: location)
  }
}
