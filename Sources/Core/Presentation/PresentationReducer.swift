import ActionLog

extension Reducer {
  /// Returns a reducer that runs a feature while the feature is presented.
  ///
  /// ```swift
  /// Reduce { state, action in
  ///   if case .editButtonTapped = action { state.editor = Editor.State() }
  ///   return .none
  /// }
  /// .ifLet(\.$editor, action: \.editor) { Editor() }
  /// ```
  ///
  /// The presented feature runs first, then this reducer, which sees the feature's changes. `.dismiss` sets the state
  /// to `nil` after this reducer has run. When the state becomes `nil`, or gets another id or case, the effects of the
  /// previous feature are canceled.
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the presentation: `\.$editor`.
  ///   - action: The case key path from the action to the presentation action.
  ///   - destination: A builder of the presented feature's reducer.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs the presented feature and this reducer.
  @warn_unqualified_access
  @inlinable
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CaseName<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    PresentationReducer(
      parent: self,
      child: destination(),
      state: state,
      action: AnyCasePath(named: action),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns a reducer that dismisses a state without a reducer, such as an alert, after any of its actions.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifLet(\.$alert, action: \.alert)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the presentation: `\.$alert`.
  ///   - action: The case key path from the action to the presentation action.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs this one and dismisses the presented state.
  @warn_unqualified_access
  @inlinable
  public func ifLet<ChildState: _EphemeralState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CaseName<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    self.ifLet(
      state,
      action: action,
      destination: { EmptyReducer<ChildState, ChildAction>() },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Returns a reducer that runs a feature of an enum while that feature is presented.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifLet(\.$destination, action: \.destination)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the presentation: `\.$destination`.
  ///   - action: The case key path from the action to the presentation action.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs the presented feature and this reducer.
  @warn_unqualified_access
  @inlinable
  public func ifLet<ChildState: CaseReducerState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CaseName<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action>
  where ChildState.StateReducer.Action == ChildAction, Action: CasePathable {
    self.ifLet(
      state,
      action: action,
      destination: { ChildState.StateReducer.body },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}

/// A reducer that runs a presented feature, tracks when it appears and disappears, and handles its dismissal.
@usableFromInline
struct PresentationReducer<Parent: Reducer, Child: Reducer>: Reducer {
  @usableFromInline let parent: Parent
  @usableFromInline let child: Child
  @usableFromInline let state: WritableKeyPath<Parent.State, PresentationState<Child.State>>
  @usableFromInline let action: AnyCasePath<Parent.Action, PresentationAction<Child.Action>>
  @usableFromInline let location: IssueLocation

  @inlinable
  init(
    parent: Parent,
    child: Child,
    state: WritableKeyPath<Parent.State, PresentationState<Child.State>>,
    action: AnyCasePath<Parent.Action, PresentationAction<Child.Action>>,
    location: IssueLocation
  ) {
    self.parent = parent
    self.child = child
    self.state = state
    self.action = action
    self.location = location
  }

  // Inlinable, like all operators, so that callers specialize the work of an action that leaves the child unchanged.
  @inlinable
  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    let before = child(in: state)
    var effect = Effect<Parent.Action>.none
    // Whether the action ends the presentation: the dismissal, or an action of a state such as an alert.
    var isLast = false
    switch self.action.extract(from: action) {
    case .presented(let childAction):
      if let before {
        effect = reduceChild(into: &state, action: childAction, before)
        // Reads the state that received the action, before the parent can replace it.
        isLast = endsPresentation(state[keyPath: self.state].wrappedValue, childAction)
      } else {
        reportMissing(action)
      }
    case .dismiss:
      if before == nil { reportDismissed(action) }
      isLast = before != nil
    case nil:
      break
    }
    effect = effect.merge(with: parent._reduce(into: &state, action: action))
    var after = child(in: state)
    if isLast, before == after {
      state[keyPath: self.state].wrappedValue = nil
      after = nil
    }
    if MountedChildren.isUnchanged(Self.self, at: self.state, from: before, to: after) {
      return effect
    }
    return effect.merge(with: updateChildren(state, from: before, to: after))
  }

  /// Returns the identity of the presented feature, or `nil` if no feature is presented.
  @inlinable
  func child(in parent: Parent.State) -> ChildIdentity? {
    parent[keyPath: state].wrappedValue.map { ChildIdentity(of: $0) }
  }

  @usableFromInline
  func path(to child: ChildIdentity) -> ChildPath {
    let place = ChildLocation(state) { [action] in enumCase(of: action.embed(.dismiss))?.label }
    return ChildPath(to: child, at: place)
  }

  @inlinable
  func reduceChild(
    into parent: inout Parent.State,
    action childAction: Child.Action,
    _ identity: ChildIdentity
  ) -> Effect<Parent.Action> {
    let path = path(to: identity)
    let effect = parent[keyPath: state].wrappedValue.modifyIfPresent {
      child.reduceChild(&$0, action: childAction, at: path, isPresented: true)
    }
    guard let effect, !effect.isNone else { return .none }
    return effect.map { [action] in action.embed(.presented($0)) }
  }

  @usableFromInline
  func reportMissing(_ action: Parent.Action) {
    let message = Messages.actionWithoutState(action, at: location)
    reportIssue(.missingFeature, message, at: location)
  }

  @usableFromInline
  func reportDismissed(_ action: Parent.Action) {
    let message = Messages.dismissedWithoutState(action, at: location)
    reportIssue(.missingFeature, message, at: location)
  }

  /// Returns an effect that cancels the effects of a removed child and makes an added child dismissible.
  @usableFromInline
  func updateChildren(
    _ parent: Parent.State,
    from before: ChildIdentity?,
    to after: ChildIdentity?
  ) -> Effect<Parent.Action> {
    let changes = MountedChildren.update(
      Self.self,
      at: ChildLocation(state),
      from: before.map { [$0] } ?? [],
      to: after.map { [$0] } ?? []
    )
    let removed = changes.removed.map {
      Effect<Parent.Action>.cancelChild(at: path(to: $0), location)
    }
    guard let added = changes.added.first,
      ephemeralType(of: parent[keyPath: state].wrappedValue) == nil
    else { return .merge(removed) }
    let presenting = Effect.presenting(
      path(to: added),
      wasThere: added == before,
      dismiss: { [action] in action.embed(.dismiss) },
      location
    )
    return .merge(removed + [presenting])
  }
}

/// Returns whether an action ends the presentation of a state, such as an alert.
@usableFromInline
func endsPresentation<State, Action>(_ state: State?, _ action: Action) -> Bool {
  ephemeralType(of: state)?.canSend(action) ?? false
}

/// Returns the type of a value, or of an enum value's payload, if that type is an ephemeral state.
func ephemeralType<Value>(of value: Value?) -> (any _EphemeralState.Type)? {
  guard let value else { return nil }
  if LogTypeSurvey.isStruct(Value.self), !(Value.self is any CustomReflectable.Type) {
    return Value.self as? any _EphemeralState.Type
  }
  let state = value as? any _EphemeralState ?? enumCase(of: value)?.payload as? any _EphemeralState
  return state.map { type(of: $0) }
}

extension _EphemeralState {
  /// Returns whether a state of this type can send an action.
  ///
  /// The action must be one of the state's actions, or an enum value whose payload is such an action.
  fileprivate static func canSend(_ action: Any) -> Bool {
    action is Action || enumCase(of: action)?.payload is Action
  }
}
