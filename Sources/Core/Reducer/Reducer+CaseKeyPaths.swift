// Operators whose cases are named by case key paths, which can lead through nested cases: `action: \.view.child`.
//
// Swift prefers the overloads that take the name of one case, because their key paths are constants.

extension Reducer {
  /// Returns a reducer that runs a feature while the feature is presented.
  ///
  /// ```swift
  /// Reduce { state, action in
  ///   if case .editButtonTapped = action { state.editor = Editor.State() }
  ///   return .none
  /// }
  /// .ifLet(\.$editor, action: \.view.editor) { Editor() }
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
  @_disfavoredOverload
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
  ///   .ifLet(\.$alert, action: \.view.alert)
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
  @_disfavoredOverload
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
  ///   .ifLet(\.$destination, action: \.view.destination)
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
  @_disfavoredOverload
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

  /// Returns a reducer that runs a child reducer while the child's state is not `nil`.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifLet(\.profile, action: \.view.profile) { Profile() }
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
  @_disfavoredOverload
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
  ///   .ifLet(\.alert, action: \.view.alert)
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
  @_disfavoredOverload
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

  /// Returns a reducer that runs a child reducer while the state has a case.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifCaseLet(\.loggedIn, action: \.view.loggedIn) { Home() }
  ///   .ifCaseLet(\.loggedOut, action: \.view.loggedOut) { Login() }
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
  @_disfavoredOverload
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

  /// Returns a reducer that runs a child reducer on the elements of a list.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .forEach(\.rows, action: \.view.rows) { Row() }
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
  @_disfavoredOverload
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

  /// Returns a reducer that runs the features of a stack.
  ///
  /// ```swift
  /// Reduce { state, action in
  ///   if case .rowTapped(let row) = action { state.path.append(.detail(Detail.State(row))) }
  ///   return .none
  /// }
  /// .forEach(\.path, action: \.view.path) { Path() }
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
  @_disfavoredOverload
  public func forEach<
    DestinationState,
    DestinationAction,
    Destination: Reducer<DestinationState, DestinationAction>
  >(
    _ stack: WritableKeyPath<State, StackState<DestinationState>>,
    action: CaseKeyPath<Action, StackAction<DestinationState, DestinationAction>>,
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
      action: AnyCasePath(action),
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
  @_disfavoredOverload
  public func forEach<DestinationState: CaseReducerState, DestinationAction>(
    _ stack: WritableKeyPath<State, StackState<DestinationState>>,
    action: CaseKeyPath<Action, StackAction<DestinationState, DestinationAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where DestinationState.StateReducer.Action == DestinationAction {
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
