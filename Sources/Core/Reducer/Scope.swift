/// A reducer that runs a child reducer on a property or a case of the parent's state.
///
/// ```swift
/// Scope(\.profile, action: \.profile) { Profile() }
/// ```
///
/// The scope handles one case of the parent's actions and ignores all others. The child shares the parent's namespace
/// of effect ids.
public struct Scope<ParentState, ParentAction, Child: Reducer>: Reducer {
  @usableFromInline enum StatePath {
    case property(WritableKeyPath<ParentState, Child.State>)
    case enumCase(AnyCasePath<ParentState, Child.State>, IssueLocation)
  }

  // Inlinable, so that callers specialize the scope. Otherwise, lookups of generic metadata take a fifth of the time of
  // a `send` call.
  @usableFromInline let state: StatePath
  @usableFromInline let action: AnyCasePath<ParentAction, Child.Action>
  @usableFromInline let child: Child

  /// Creates a scope for a property of the parent's state.
  ///
  /// ```swift
  /// Scope(\.profile, action: \.profile) { Profile() }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the parent's state to the child's state.
  ///   - action: The case key path from the parent's action to the child's action.
  ///   - child: A builder of the child reducer.
  @inlinable
  public init<ChildState, ChildAction>(
    _ state: WritableKeyPath<ParentState, ChildState>,
    action: CaseName<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction, ParentAction: CasePathable {
    self.state = .property(state)
    self.action = AnyCasePath(named: action)
    self.child = child()
  }

  /// Creates a scope for a property of the parent's state.
  ///
  /// ```swift
  /// Scope(\.profile, action: \.tabs.profile) { Profile() }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the parent's state to the child's state.
  ///   - action: The case path from the parent's action to the child's action.
  ///   - child: A builder of the child reducer.
  @_disfavoredOverload
  @inlinable
  public init<ChildState, ChildAction>(
    _ state: WritableKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    self.state = .property(state)
    self.action = AnyCasePath(action)
    self.child = child()
  }

  /// Creates a scope for a property of the parent's state.
  ///
  /// ```swift
  /// Scope(state: \.profile, action: \.profile) { Profile() }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the parent's state to the child's state.
  ///   - action: The case path from the parent's action to the child's action.
  ///   - child: A builder of the child reducer.
  @inlinable
  public init<ChildState, ChildAction>(
    state: WritableKeyPath<ParentState, ChildState>,
    action: CaseName<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction, ParentAction: CasePathable {
    self.init(state, action: action, child: child)
  }

  /// Creates a scope for a property of the parent's state.
  ///
  /// ```swift
  /// Scope(state: \.profile, action: \.tabs.profile) { Profile() }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the parent's state to the child's state.
  ///   - action: The case path from the parent's action to the child's action.
  ///   - child: A builder of the child reducer.
  @_disfavoredOverload
  @inlinable
  public init<ChildState, ChildAction>(
    state: WritableKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    self.init(state, action: action, child: child)
  }

  /// Creates a scope for a case of the parent's state.
  ///
  /// ```swift
  /// Scope(state: \.signedIn, action: \.signedIn) { Home() }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The case key path from the parent's state to the child's state.
  ///   - action: The case key path from the parent's action to the child's action.
  ///   - child: A builder of the child reducer.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  @available(
    *,
    deprecated,
    message: "Use \"ifCaseLet\", which also cancels the effects of a child whose case has gone."
  )
  public init<ChildState, ChildAction>(
    state: CaseKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Child.State == ChildState, Child.Action == ChildAction, ParentState: CasePathable {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.state = .enumCase(AnyCasePath(state), location)
    self.action = AnyCasePath(action)
    self.child = child()
  }

  init(
    property: WritableKeyPath<ParentState, Child.State>,
    action: AnyCasePath<ParentAction, Child.Action>,
    child: Child
  ) {
    self.state = .property(property)
    self.action = action
    self.child = child
  }

  init(
    enumCase: AnyCasePath<ParentState, Child.State>,
    action: AnyCasePath<ParentAction, Child.Action>,
    child: Child,
    location: IssueLocation
  ) {
    self.state = .enumCase(enumCase, location)
    self.action = action
    self.child = child
  }

  /// Runs the child reducer if the action is an action of the child.
  @inlinable
  public func reduce(
    into parent: inout ParentState,
    action parentAction: ParentAction
  ) -> Effect<ParentAction> {
    guard let childAction = action.extract(from: parentAction) else { return .none }
    let effect: Effect<Child.Action>
    switch state {
    case .property(let keyPath):
      let route = ScopeRoute.enter(.property(keyPath))
      defer { route?.leave() }
      effect = child._reduce(into: &parent[keyPath: keyPath], action: childAction)
    case .enumCase(let casePath, let location):
      guard var childState = casePath.extract(from: parent) else {
        Self.reportAnotherCase(parentAction, of: parent, at: location)
        return .none
      }
      let route = ScopeRoute.enter(.enumCase(line: location.line, column: location.column))
      defer { route?.leave() }
      effect = child._reduce(into: &childState, action: childAction)
      parent = casePath.embed(childState)
    }
    return effect.isNone ? .none : effect.map { [action] in action.embed($0) }
  }

  @usableFromInline static func reportAnotherCase(
    _ action: ParentAction,
    of parent: ParentState,
    at location: IssueLocation
  ) {
    reportIssue(
      .missingFeature,
      Messages.actionForAnotherCase(action, of: parent, at: location),
      at: location
    )
  }
}
