/// An action in a stack of features: an element's action, a push, or a pop.
///
/// ```swift
/// enum Action { case path(StackActionOf<Path>) }
/// store.send(\.path[id: 0].detail.closeButtonTapped)
/// ```
@CasePathable
public indirect enum StackAction<State, Action> {
  /// An action of the element with an id.
  case element(id: StackElementID, action: Action)
  /// An action that removes the element with an id and all elements above it.
  case popFrom(id: StackElementID)
  /// An action that adds a new element at the top of the stack.
  case push(id: StackElementID, state: State)
}

/// The action type for a stack of elements with the given feature: `StackActionOf<Path>`.
public typealias StackActionOf<R: Reducer> = StackAction<R.State, R.Action>

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Hashable where State: Hashable, Action: Hashable {}
extension StackAction: Sendable where State: Sendable, Action: Sendable {}

extension StackAction.AllCasePaths {
  /// The case path of the actions of the element with an id: `\.path[id: 0].detail`.
  public subscript(id id: StackElementID) -> AnyCasePath<StackAction, Action> {
    AnyCasePath(
      embed: { .element(id: id, action: $0) },
      extract: {
        guard case .element(id, let action) = $0 else { return nil }
        return action
      }
    )
  }
}

extension Reducer {
  /// Returns a reducer that runs the features of a stack.
  ///
  /// ```swift
  /// Reduce { state, action in
  ///   if case .rowTapped(let row) = action { state.path.append(.detail(Detail.State(row))) }
  ///   return .none
  /// }
  /// .forEach(\.path, action: \.path) { Path() }
  /// ```
  ///
  /// The element's feature runs first, then this reducer, which sees the feature's changes. A push changes the state
  /// before this reducer runs, and a pop changes it afterward. When an element is removed, its effects are canceled.
  ///
  /// - Parameters:
  ///   - stack: The key path from the state to the stack.
  ///   - action: The case key path from the action to the actions of the stack.
  ///   - destination: A builder of the reducer that runs on each element.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs the features of the stack and this reducer.
  @warn_unqualified_access
  @inlinable
  public func forEach<
    DestinationState,
    DestinationAction,
    Destination: Reducer<DestinationState, DestinationAction>
  >(
    _ stack: WritableKeyPath<State, StackState<DestinationState>>,
    action: CaseName<Action, StackAction<DestinationState, DestinationAction>>,
    @ReducerBuilder<DestinationState, DestinationAction> destination: () -> Destination,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    StackReducer(
      parent: self,
      child: destination(),
      stack: stack,
      action: AnyCasePath(named: action),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns a reducer that runs the features of an enum in a stack.
  ///
  /// - Parameters:
  ///   - stack: The key path from the state to the stack.
  ///   - action: The case key path from the action to the actions of the stack.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs the features of the stack and this reducer.
  @warn_unqualified_access
  @inlinable
  public func forEach<DestinationState: CaseReducerState, DestinationAction>(
    _ stack: WritableKeyPath<State, StackState<DestinationState>>,
    action: CaseName<Action, StackAction<DestinationState, DestinationAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action>
  where DestinationState.StateReducer.Action == DestinationAction, Action: CasePathable {
    self.forEach(
      stack,
      action: action,
      destination: { DestinationState.StateReducer.body },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}

/// A reducer that runs the features of a stack, tracks when they appear and disappear, and handles pushes and pops.
@usableFromInline
struct StackReducer<Parent: Reducer, Child: Reducer>: Reducer {
  @usableFromInline let parent: Parent
  @usableFromInline let child: Child
  @usableFromInline let stack: WritableKeyPath<Parent.State, StackState<Child.State>>
  @usableFromInline let action: AnyCasePath<Parent.Action, StackAction<Child.State, Child.Action>>
  @usableFromInline let location: IssueLocation

  @inlinable
  init(
    parent: Parent,
    child: Child,
    stack: WritableKeyPath<Parent.State, StackState<Child.State>>,
    action: AnyCasePath<Parent.Action, StackAction<Child.State, Child.Action>>,
    location: IssueLocation
  ) {
    self.parent = parent
    self.child = child
    self.stack = stack
    self.action = action
    self.location = location
  }

  @inlinable
  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    let before = state[keyPath: stack].ids
    var effect = Effect<Parent.Action>.none
    var popped: StackElementID?
    switch self.action.extract(from: action) {
    case .element(let id, let childAction):
      if before.contains(id) {
        effect = reduceChild(into: &state, action: childAction, id)
      } else {
        reportMissing(id, action)
      }
    case .push(let id, let element):
      push(element, id: id, onto: &state, for: action)
    case .popFrom(let id):
      popped = canPop(id, from: before, for: action) ? id : nil
    case nil:
      break
    }
    effect = effect.merge(with: parent._reduce(into: &state, action: action))
    if let popped { state[keyPath: stack].pop(from: popped) }
    let after = state[keyPath: stack].ids
    if MountedChildren.isUnchanged(Self.self, at: stack, from: before, to: after) { return effect }
    return effect.merge(with: updateChildren(state, from: before))
  }

  @usableFromInline
  func reportMissing(_ id: StackElementID, _ action: Parent.Action) {
    let message = Messages.actionForMissingElement(action, id: id, at: location)
    reportIssue(.missingFeature, message, at: location)
  }

  @usableFromInline
  func push(
    _ element: Child.State,
    id: StackElementID,
    onto state: inout Parent.State,
    for action: Parent.Action
  ) {
    if state[keyPath: stack].ids.contains(id) {
      reportIssue(Messages.pushedElementAgain(action, id: id, at: location), at: location)
    } else {
      reserve(id, for: action)
      state[keyPath: stack].push(element, id: id)
    }
  }

  @usableFromInline
  func canPop(
    _ id: StackElementID,
    from ids: OrderedSet<StackElementID>,
    for action: Parent.Action
  ) -> Bool {
    if ids.contains(id) { return true }
    let message = Messages.poppedMissingElement(action, id: id, at: location)
    reportIssue(.missingFeature, message, at: location)
    return false
  }

  /// Reserves the id in an action, so that the store never assigns the id to another element.
  ///
  /// In a test, reports an issue if the action skips ids.
  private func reserve(_ id: StackElementID, for action: Parent.Action) {
    let dependencies = DependencyValues._current
    let next = dependencies.stackElementIDs.peek()
    if dependencies.context == .test, id.number > next.number {
      let message = Messages.pushedElementAhead(action, id: id, next: next, at: location)
      reportIssue(message, at: location)
    }
    dependencies.stackElementIDs.reserve(id)
  }

  @usableFromInline
  func path(to id: StackElementID) -> ChildPath {
    let place = ChildLocation(stack) { [action] in
      enumCase(of: action.embed(.popFrom(id: id)))?.label
    }
    return ChildPath(toElement: id, at: place)
  }

  @inlinable
  func reduceChild(
    into parent: inout Parent.State,
    action childAction: Child.Action,
    _ id: StackElementID
  ) -> Effect<Parent.Action> {
    let path = path(to: id)
    let effect = parent[keyPath: stack][id: id].modifyIfPresent {
      child.reduceChild(&$0, action: childAction, at: path, isPresented: true)
    }
    guard let effect, !effect.isNone else { return .none }
    return effect.map { [action] in action.embed(.element(id: id, action: $0)) }
  }

  /// Returns an effect that cancels the effects of removed elements and makes added elements dismissible.
  @usableFromInline
  func updateChildren(
    _ parent: Parent.State,
    from before: OrderedSet<StackElementID>
  ) -> Effect<Parent.Action> {
    let stack = parent[keyPath: self.stack]
    let changes = MountedChildren.update(
      Self.self,
      at: ChildLocation(self.stack),
      from: before.elements,
      to: stack.ids.elements
    )
    let removed = changes.removed.map {
      Effect<Parent.Action>.cancelChild(at: path(to: $0), location)
    }
    let added = changes.added.filter { ephemeralType(of: stack[id: $0]) == nil }
    return .merge(
      removed
        + added.map { id in
          .presenting(
            path(to: id),
            wasThere: before.contains(id),
            dismiss: { [action] in action.embed(.popFrom(id: id)) },
            location
          )
        }
    )
  }
}
