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
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    PresentationReducer(
      parent: self,
      child: destination(),
      state: state,
      action: AnyCasePath(action),
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
  public func ifLet<ChildState: _EphemeralState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
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
  public func ifLet<ChildState: CaseReducerState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where ChildState.StateReducer.Action == ChildAction {
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
struct PresentationReducer<Parent: Reducer, Child: Reducer>: Reducer {
  let parent: Parent
  let child: Child
  let state: WritableKeyPath<Parent.State, PresentationState<Child.State>>
  let action: AnyCasePath<Parent.Action, PresentationAction<Child.Action>>
  let location: IssueLocation

  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    let before = path(in: state)
    let presentationAction = self.action.extract(from: action)
    var effect = Effect<Parent.Action>.none
    switch presentationAction {
    case .presented(let childAction):
      if let before {
        effect = reduceChild(into: &state, action: childAction, at: before)
      } else {
        reportIssue(
          .missingFeature,
          Messages.actionWithoutState(action, at: location),
          at: location
        )
      }
    case .dismiss where before == nil:
      reportIssue(
        .missingFeature,
        Messages.dismissedWithoutState(action, at: location),
        at: location
      )
    case .dismiss, nil:
      break
    }
    // Reads the state that received the action, before the parent can replace it.
    let isLast = before != nil && presentationAction.map { ends(state, by: $0) } == true
    effect = effect.merge(with: parent._reduce(into: &state, action: action))
    if isLast, before == path(in: state) { state[keyPath: self.state].wrappedValue = nil }
    return effect.merge(with: updateChildren(state, from: before))
  }

  /// Returns the path to the presented feature, or `nil` if no feature is presented.
  private func path(in parent: Parent.State) -> [NavigationID]? {
    parent[keyPath: state].wrappedValue.map { childState in
      let place = ChildLocation(state) { [action] in enumCase(of: action.embed(.dismiss))?.label }
      return NavigationID(child: childState, at: place).path
    }
  }

  private func reduceChild(
    into parent: inout Parent.State,
    action childAction: Child.Action,
    at path: [NavigationID]
  ) -> Effect<Parent.Action> {
    let effect = parent[keyPath: state].wrappedValue.modifyIfPresent {
      child.reduceChild(&$0, action: childAction, at: path) { $0.presents(path) }
    }
    return effect?.map { [action] in action.embed(.presented($0)) } ?? .none
  }

  /// Returns whether an action ends the presentation: the dismissal, or an action of a state such as an alert.
  private func ends(
    _ parent: Parent.State,
    by action: PresentationAction<Child.Action>
  ) -> Bool {
    switch action {
    case .dismiss: true
    case .presented(let childAction):
      ephemeralType(of: parent[keyPath: state].wrappedValue)?.canSend(childAction) ?? false
    }
  }

  /// Returns an effect that cancels the effects of a removed child and makes an added child dismissible.
  private func updateChildren(
    _ parent: Parent.State,
    from before: [NavigationID]?
  ) -> Effect<Parent.Action> {
    let changes = MountedChildren.update(
      Self.self,
      at: ChildLocation(state),
      from: before.map { [$0] } ?? [],
      to: path(in: parent).map { [$0] } ?? []
    )
    let removed = changes.removed.map { Effect<Parent.Action>.cancelChild(at: $0, location) }
    guard let added = changes.added.first,
      ephemeralType(of: parent[keyPath: state].wrappedValue) == nil
    else { return .merge(removed) }
    let presenting = Effect.presenting(
      added,
      wasThere: added == before,
      dismiss: { [action] in action.embed(.dismiss) },
      location
    )
    return .merge(removed + [presenting])
  }
}

/// Returns the type of a value, or of an enum value's payload, if that type is an ephemeral state.
func ephemeralType<Value>(of value: Value?) -> (any _EphemeralState.Type)? {
  guard let value else { return nil }
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
