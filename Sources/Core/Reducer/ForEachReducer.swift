extension Reducer {
  /// Returns a reducer that runs a child reducer on the elements of a list.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .forEach(\.rows, action: \.rows) { Row() }
  /// ```
  ///
  /// The child reducer runs first, then this reducer, which sees the child's changes. When this reducer removes an
  /// element, the element's effects are canceled. Reordering cancels no effects. An action for an element that the list
  /// doesn't contain is an issue, and the child reducer doesn't run.
  ///
  /// - Parameters:
  ///   - elements: The key path from the state to the list.
  ///   - action: The case key path from the action to the actions of the elements.
  ///   - element: A builder of the reducer that runs on each element.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs the child reducer and this reducer.
  @warn_unqualified_access
  @inlinable
  public func forEach<
    ElementState,
    ElementAction,
    ID: Hashable & Sendable,
    Element: Reducer<ElementState, ElementAction>
  >(
    _ elements: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseName<Action, IdentifiedAction<ID, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> element: () -> Element,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    ForEachReducer(
      parent: self,
      child: element(),
      elements: elements,
      action: AnyCasePath(named: action),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }
}

@usableFromInline
struct ForEachReducer<Parent: Reducer, ID: Hashable & Sendable, Child: Reducer>: Reducer {
  @usableFromInline let parent: Parent
  @usableFromInline let child: Child
  @usableFromInline let elements: WritableKeyPath<Parent.State, IdentifiedArray<ID, Child.State>>
  @usableFromInline let action: AnyCasePath<Parent.Action, IdentifiedAction<ID, Child.Action>>
  @usableFromInline let location: IssueLocation

  @inlinable
  init(
    parent: Parent,
    child: Child,
    elements: WritableKeyPath<Parent.State, IdentifiedArray<ID, Child.State>>,
    action: AnyCasePath<Parent.Action, IdentifiedAction<ID, Child.Action>>,
    location: IssueLocation
  ) {
    self.parent = parent
    self.child = child
    self.elements = elements
    self.action = action
    self.location = location
  }

  @inlinable
  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    var effect = Effect<Parent.Action>.none
    if case .element(let id, let childAction) = self.action.extract(from: action) {
      effect = reduceChild(into: &state, action: childAction, id, of: action)
    }
    let before = state[keyPath: elements].ids
    MountedChildren.detach(
      Self.self,
      at: ChildLocation(elements),
      exceptFor: before.elements,
      path: path
    )
    effect = effect.merge(with: parent._reduce(into: &state, action: action))
    let after = state[keyPath: elements].ids
    if before.isCopy(of: after) { return effect }
    return effect.merge(with: cancelElements(of: before, missingIn: after))
  }

  @usableFromInline
  func cancelElements(
    of before: OrderedSet<ID>,
    missingIn after: OrderedSet<ID>
  ) -> Effect<Parent.Action> {
    if before == after { return .none }
    let removed = before.elements(missingIn: after)
    return .merge(removed.map { .cancelChild(at: path(to: $0), location) })
  }

  @usableFromInline
  func path(to id: ID) -> ChildPath {
    ChildPath(toElement: id, at: ChildLocation(elements))
  }

  @inlinable
  func reduceChild(
    into parent: inout Parent.State,
    action childAction: Child.Action,
    _ id: ID,
    of action: Parent.Action
  ) -> Effect<Parent.Action> {
    let effect = parent[keyPath: elements][id: id].modifyIfPresent {
      child.reduceChild(&$0, action: childAction, at: path(to: id))
    }
    guard let effect else {
      reportMissing(id, action)
      return .none
    }
    if effect.isNone { return .none }
    return effect.map { [action = self.action] in action.embed(.element(id: id, action: $0)) }
  }

  @usableFromInline
  func reportMissing(_ id: ID, _ action: Parent.Action) {
    let message = Messages.actionForMissingElement(action, id: id, at: location)
    reportIssue(.missingFeature, message, at: location)
  }
}
