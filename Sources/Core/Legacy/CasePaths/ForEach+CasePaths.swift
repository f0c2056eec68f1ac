extension Reducer {
  /// Returns a reducer that runs a child's reducer on the elements of an array.
  ///
  /// Each action carries the id of its element.
  ///
  /// - Parameters:
  ///   - elements: The key path from the parent's state to the array.
  ///   - action: The case path from the parent's action to an element's id and action.
  ///   - element: A builder of the reducer that runs on each element.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs the child's reducer before this one.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  @warn_unqualified_access
  public func forEach<
    ElementState,
    ElementAction,
    ID: Hashable & Sendable,
    Element: Reducer<ElementState, ElementAction>
  >(
    _ elements: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: AnyCasePath<Action, (ID, ElementAction)>,
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
      action: action.identified(),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns a reducer that runs a child's reducer on the elements of an array.
  ///
  /// - Parameters:
  ///   - elements: The key path from the parent's state to the array.
  ///   - action: The case path from the parent's action to the actions of the elements.
  ///   - element: A builder of the reducer that runs on each element.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs the child's reducer before this one.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  @warn_unqualified_access
  public func forEach<
    ElementState,
    ElementAction,
    ID: Hashable & Sendable,
    Element: Reducer<ElementState, ElementAction>
  >(
    _ elements: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: AnyCasePath<Action, IdentifiedAction<ID, ElementAction>>,
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
      action: action,
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns a reducer that runs the features of a navigation stack.
  ///
  /// - Parameters:
  ///   - stack: The key path from the parent's state to the stack.
  ///   - action: The case path from the parent's action to the actions of the stack.
  ///   - destination: A builder of the reducer that runs on each element of the stack.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs this one and the features of the stack.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  @warn_unqualified_access
  public func forEach<
    DestinationState,
    DestinationAction,
    Destination: Reducer<DestinationState, DestinationAction>
  >(
    _ stack: WritableKeyPath<State, StackState<DestinationState>>,
    action: AnyCasePath<Action, StackAction<DestinationState, DestinationAction>>,
    @ReducerBuilder<DestinationState, DestinationAction> destination: () -> Destination,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    StackReducer(
      parent: self,
      child: destination(),
      stack: stack,
      action: action,
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }
}

extension AnyCasePath {
  /// Returns a case path to an `IdentifiedAction`, from a case path to a pair of an id and an action.
  fileprivate func identified<ID, Action>() -> AnyCasePath<Root, IdentifiedAction<ID, Action>>
  where Value == (ID, Action) {
    AnyCasePath<Root, IdentifiedAction<ID, Action>>(
      embed: { action in
        switch action {
        case .element(let id, let action): self.embed((id, action))
        }
      },
      extract: { root in
        self.extract(from: root).map { .element(id: $0.0, action: $0.1) }
      }
    )
  }
}

extension PresentationState {
  /// The payload of a case of the presented enum; `nil` if no state is presented or the enum has another case.
  ///
  /// Setting `nil` dismisses the presentation. Setting a value while the case isn't presented reports an issue and has
  /// no effect.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  public subscript<Payload>(case path: AnyCasePath<State, Payload>) -> Payload? {
    get { wrappedValue.flatMap(path.extract(from:)) }
    set { setPayload(newValue, along: path) }
  }
}

extension StackState {
  /// The payload of a case of a stack element; `nil` if the element is absent or has another case.
  ///
  /// Setting `nil` removes the element. Setting a value while the element is absent or has another case reports an
  /// issue and has no effect.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  public subscript<Payload>(
    id id: StackElementID,
    case path: AnyCasePath<Element, Payload>
  ) -> Payload? {
    get { self[id: id].flatMap(path.extract(from:)) }
    set { setPayload(newValue, id: id, along: path) }
  }
}
