// Versions of the reducer operators that take case paths, for enums without case key paths.

extension Reducer {
  /// Returns a reducer that runs a child's reducer while the child's state is not `nil`.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifLet(\.profile, action: /Action.profile) { Profile() }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the parent's state to the child's state.
  ///   - action: The case path from the parent's action to the child's action.
  ///   - then: A builder of the child's reducer.
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
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ state: WritableKeyPath<State, ChildState?>,
    action: AnyCasePath<Action, ChildAction>,
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
      action: action,
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns a reducer that sets a state without a reducer, such as an alert, to `nil` after any of its actions.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifLet(\.alert, action: /Action.alert)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the parent's state to the optional state.
  ///   - action: The case path from the parent's action to the actions of the optional state.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs this one and sets the optional state to `nil`.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  @warn_unqualified_access
  public func ifLet<ChildState: _EphemeralState, ChildAction>(
    _ state: WritableKeyPath<State, ChildState?>,
    action: AnyCasePath<Action, ChildAction>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    IfLetReducer(
      parent: self,
      child: EmptyReducer<ChildState, ChildAction>(),
      state: state,
      action: action,
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns a reducer that runs a feature while the feature is presented.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifLet(\.$editor, action: /Action.editor) { Editor() }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the parent's state to the presented state.
  ///   - action: The case path from the parent's action to the presentation action.
  ///   - destination: A builder of the presented feature's reducer.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs this one and the presented feature.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  @warn_unqualified_access
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: AnyCasePath<Action, PresentationAction<ChildAction>>,
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
      action: action,
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns a reducer that dismisses a state without a reducer, such as an alert, after any of its actions.
  ///
  /// ```swift
  /// Reduce { state, action in ... }
  ///   .ifLet(\.$alert, action: /Action.alert)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the parent's state to the presented state.
  ///   - action: The case path from the parent's action to the presentation action.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer that runs this one and dismisses the presented state.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  @warn_unqualified_access
  public func ifLet<ChildState: _EphemeralState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: AnyCasePath<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    PresentationReducer(
      parent: self,
      child: EmptyReducer<ChildState, ChildAction>(),
      state: state,
      action: action,
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns a reducer that runs a child's reducer while the parent's state has the child's case.
  ///
  /// - Parameters:
  ///   - state: The case path from the parent's state to the child's state.
  ///   - action: The case path from the parent's action to the child's action.
  ///   - then: A builder of the child's reducer.
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
  public func ifCaseLet<CaseState, CaseAction, Child: Reducer<CaseState, CaseAction>>(
    _ state: AnyCasePath<State, CaseState>,
    action: AnyCasePath<Action, CaseAction>,
    @ReducerBuilder<CaseState, CaseAction> then: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    self._$ifCaseLet(
      state,
      action: action,
      named: nil,
      then: then,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}

extension Scope {
  /// Creates a reducer that runs a child's reducer on a property of the parent's state.
  ///
  /// ```swift
  /// Scope(state: \.profile, action: /Action.profile) { Profile() }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the parent's state to the child's state.
  ///   - action: The case path from the parent's action to the child's action.
  ///   - child: A builder of the child's reducer.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  public init<ChildState, ChildAction>(
    state: WritableKeyPath<ParentState, ChildState>,
    action: AnyCasePath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    self.init(property: state, action: action, child: child())
  }

  /// Creates a reducer that runs a child's reducer on one case of the parent's state.
  ///
  /// ```swift
  /// Scope(state: /State.signedIn, action: /Action.signedIn) { Home() }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The case path from the parent's state to the child's state.
  ///   - action: The case path from the parent's action to the child's action.
  ///   - child: A builder of the child's reducer.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  public init<ChildState, ChildAction>(
    state: AnyCasePath<ParentState, ChildState>,
    action: AnyCasePath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Child.State == ChildState, Child.Action == ChildAction {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(enumCase: state, action: action, child: child(), location: location)
  }
}

extension BindingReducer {
  /// Creates a reducer that handles the binding actions inside one case of the action, such as the view actions.
  ///
  /// - Parameter action: The case path from the action to the payload that can be a binding action.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  public init(action: AnyCasePath<Action, ViewAction>) {
    self.init(action: action.extract(from:))
  }
}
