@available(*, deprecated)
extension AnyReducer {
  /// Makes a reducer of a part of the state into one of the whole.
  ///
  /// ```swift
  /// counter.pullback(
  ///   state: \.counter,
  ///   action: /AppAction.counter,
  ///   environment: { CounterEnvironment(fact: $0.fact) }
  /// )
  /// ```
  ///
  /// - Parameters:
  ///   - toChildState: Where the part is.
  ///   - toChildAction: Which actions are the part's.
  ///   - toChildEnvironment: What the part depends on.
  /// - Returns: The reducer of the whole, which passes by all other actions.
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state toChildState: WritableKeyPath<ParentState, State>,
    action toChildAction: AnyCasePath<ParentAction, Action>,
    environment toChildEnvironment: @escaping (ParentEnvironment) -> Environment
  ) -> AnyReducer<ParentState, ParentAction, ParentEnvironment> {
    AnyReducer<ParentState, ParentAction, ParentEnvironment> { state, action, environment in
      guard let childAction = toChildAction.extract(from: action) else { return .none }
      return run(&state[keyPath: toChildState], childAction, toChildEnvironment(environment))
        .map(toChildAction.embed)
    }
  }

  /// Makes a reducer of a part of the state into one of the whole.
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state toChildState: WritableKeyPath<ParentState, State>,
    action toChildAction: CaseKeyPath<ParentAction, Action>,
    environment toChildEnvironment: @escaping (ParentEnvironment) -> Environment
  ) -> AnyReducer<ParentState, ParentAction, ParentEnvironment> {
    pullback(
      state: toChildState,
      action: AnyCasePath(toChildAction),
      environment: toChildEnvironment
    )
  }

  /// Makes a reducer of one case of the state into one of the whole enum.
  ///
  /// An action of the case while the state stands in another one is an issue.
  ///
  /// - Parameters:
  ///   - toChildState: The case of the state.
  ///   - toChildAction: Which actions are those of the case.
  ///   - toChildEnvironment: What the case depends on.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The reducer of the enum.
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state toChildState: AnyCasePath<ParentState, State>,
    action toChildAction: AnyCasePath<ParentAction, Action>,
    environment toChildEnvironment: @escaping (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> AnyReducer<ParentState, ParentAction, ParentEnvironment> {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return AnyReducer<ParentState, ParentAction, ParentEnvironment> { state, action, environment in
      guard let childAction = toChildAction.extract(from: action) else { return .none }
      guard var childState = toChildState.extract(from: state) else {
        reportIssue(Messages.actionForAnotherCase(action, of: state, at: location), at: location)
        return .none
      }
      defer { state = toChildState.embed(childState) }
      return run(&childState, childAction, toChildEnvironment(environment))
        .map(toChildAction.embed)
    }
  }

  /// Makes a reducer of a state into one of a state that is there now and then.
  ///
  /// An action while it is not there is an issue.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The reducer of the optional.
  public func optional(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> AnyReducer<State?, Action, Environment> {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return AnyReducer<State?, Action, Environment> { state, action, environment in
      let effect = state.modifyIfPresent { run(&$0, action, environment) }
      if effect == nil {
        reportIssue(Messages.actionWithoutState(action, at: location), at: location)
      }
      return effect ?? .none
    }
  }
}
