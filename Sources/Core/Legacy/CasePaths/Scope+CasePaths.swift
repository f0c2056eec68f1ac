extension Scope {
  /// Runs a child's reducer on a part of the parent.
  ///
  /// - Parameters:
  ///   - state: Where the child's state is.
  ///   - action: Which of the parent's actions are the child's.
  ///   - child: Builds the child's reducer.
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

  /// Runs a child's reducer on one case of the parent.
  ///
  /// - Parameters:
  ///   - state: The case in which the child's state is.
  ///   - action: Which of the parent's actions are the child's.
  ///   - child: Builds the child's reducer.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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
  /// Handles the binding actions inside a case, such as that of a view.
  ///
  /// - Parameter action: The case.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  public init(action: AnyCasePath<Action, ViewAction>) {
    self.init(action: action.extract(from:))
  }
}
