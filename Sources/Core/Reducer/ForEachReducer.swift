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
  public func forEach<
    ElementState,
    ElementAction,
    ID: Hashable & Sendable,
    Element: Reducer<ElementState, ElementAction>
  >(
    _ elements: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> element: () -> Element,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    ForEachReducer(
      parent: self,
      child: element(),
      elements: elements,
      action: AnyCasePath(action),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }
}

struct ForEachReducer<Parent: Reducer, ID: Hashable & Sendable, Child: Reducer>: Reducer {
  let parent: Parent
  let child: Child
  let elements: WritableKeyPath<Parent.State, IdentifiedArray<ID, Child.State>>
  let action: AnyCasePath<Parent.Action, IdentifiedAction<ID, Child.Action>>
  let location: IssueLocation

  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    var effect = reduceChild(into: &state, action: action)
    let before = state[keyPath: elements].ids
    MountedChildren.detach(
      Self.self,
      at: ChildLocation(elements),
      exceptFor: before.elements,
      path: path(to:)
    )
    effect = effect.merge(with: parent._reduce(into: &state, action: action))
    let after = state[keyPath: elements].ids
    // Unchanged arrays share their storage, so this comparison usually doesn't compare ids.
    guard before != after else { return effect }
    let removed = before.elements(missingIn: after)
    return .merge([effect] + removed.map { .cancelChild(at: path(to: $0), location) })
  }

  private func path(to id: ID) -> [NavigationID] {
    NavigationID(element: id, at: ChildLocation(elements)).path
  }

  private func reduceChild(
    into parent: inout Parent.State,
    action parentAction: Parent.Action
  ) -> Effect<Parent.Action> {
    guard case .element(let id, let childAction) = action.extract(from: parentAction) else {
      return .none
    }
    let effect = parent[keyPath: elements][id: id].modifyIfPresent {
      child.reduceChild(&$0, action: childAction, at: path(to: id))
    }
    guard let effect else {
      reportIssue(
        .missingFeature,
        Messages.actionForMissingElement(parentAction, id: id, at: location),
        at: location
      )
      return .none
    }
    return effect.map { [action] in action.embed(.element(id: id, action: $0)) }
  }
}
