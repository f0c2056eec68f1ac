extension Reducer {
  /// Runs the features of a stack.
  ///
  /// ```swift
  /// Reduce { state, action in
  ///   if case .rowTapped(let row) = action { state.path.append(.detail(Detail.State(row))) }
  ///   return .none
  /// }
  /// .forEach(\.path, action: \.path) { Path() }
  /// ```
  ///
  /// The feature of an element comes first, then this reducer, which sees what it changed. A push is
  /// in the state before this reducer runs, a pop takes place after it. When an element goes, its
  /// effects are cancelled.
  ///
  /// - Parameters:
  ///   - stack: Where the stack is.
  ///   - action: Which actions are those of the stack.
  ///   - destination: Builds the reducer of the elements.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: Both reducers together.
  @warn_unqualified_access
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
    Stack(
      parent: self,
      child: destination(),
      stack: stack,
      action: AnyCasePath(action),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Runs the features of an enum in a stack.
  ///
  /// - Parameters:
  ///   - stack: Where the stack is.
  ///   - action: Which actions are those of the stack.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: Both reducers together.
  @warn_unqualified_access
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
