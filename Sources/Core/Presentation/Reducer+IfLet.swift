extension Reducer {
  /// Runs a feature while it is presented.
  ///
  /// ```swift
  /// Reduce { state, action in
  ///   if case .editButtonTapped = action { state.editor = Editor.State() }
  ///   return .none
  /// }
  /// .ifLet(\.$editor, action: \.editor) { Editor() }
  /// ```
  ///
  /// The presented feature comes first, then this reducer, which sees what it changed. `.dismiss`
  /// sets the state to `nil` after this reducer has run. When the state goes away, or becomes
  /// another one by its id or its case, the effects of what was presented are cancelled.
  ///
  /// - Parameters:
  ///   - state: Where the presented state is.
  ///   - action: Which actions are those of the presentation.
  ///   - destination: Builds the reducer of the presented feature.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: Both reducers together.
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
    Presentation(
      parent: self,
      child: destination(),
      state: state,
      action: AnyCasePath(action),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Presents state that has no reducer, such as an alert, until any of its actions comes.
  ///
  /// - Parameters:
  ///   - state: Where the presented state is.
  ///   - action: Which actions are those of the presentation.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The reducer that does it.
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

  /// Runs the features of an enum while one of them is presented.
  ///
  /// - Parameters:
  ///   - state: Where the presented state is.
  ///   - action: Which actions are those of the presentation.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: Both reducers together.
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
