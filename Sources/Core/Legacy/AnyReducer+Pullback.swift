@available(*, deprecated)
extension AnyReducer {
  /// Returns a reducer that runs this one on a property of a parent's state.
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
  ///   - toChildState: The key path from the parent's state to the child's state.
  ///   - toChildAction: The case path from the parent's action to the child's action.
  ///   - toChildEnvironment: A closure that returns the child's environment for the parent's environment.
  /// - Returns: A reducer of the parent's state and actions that ignores actions of other cases.
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

  /// Returns a reducer that runs this one on a property of a parent's state.
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

  /// Returns a reducer that runs this one on one case of a parent's state.
  ///
  /// A child action reports an issue while the state has another case.
  ///
  /// - Parameters:
  ///   - toChildState: The case path from the parent's state to the child's state.
  ///   - toChildAction: The case path from the parent's action to the child's action.
  ///   - toChildEnvironment: A closure that returns the child's environment for the parent's environment.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer of the parent's state and actions that ignores actions of other cases.
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
        reportIssue(
          .missingFeature,
          Messages.actionForAnotherCase(action, of: state, at: location),
          at: location
        )
        return .none
      }
      defer { state = toChildState.embed(childState) }
      return run(&childState, childAction, toChildEnvironment(environment))
        .map(toChildAction.embed)
    }
  }

  /// Returns a reducer that runs this one while an optional state is not `nil`.
  ///
  /// An action reports an issue while the state is `nil`.
  ///
  /// - Parameters:
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer whose state is the optional state.
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
        reportIssue(
          .missingFeature,
          Messages.actionWithoutState(action, at: location),
          at: location
        )
      }
      return effect ?? .none
    }
  }
}

@available(*, deprecated)
extension AnyReducer {
  /// Returns a reducer that runs this one on the elements of an identified array.
  ///
  /// ```swift
  /// todo.forEach(
  ///   state: \.todos,
  ///   action: /AppAction.todo(id:action:),
  ///   environment: { _ in TodoEnvironment() }
  /// )
  /// ```
  ///
  /// An action reports an issue if the array contains no element with the action's id.
  ///
  /// - Parameters:
  ///   - toElements: The key path from the parent's state to the array.
  ///   - toElementAction: The case path from the parent's action to an element's id and action.
  ///   - toElementEnvironment: A closure that returns an element's environment for the parent's environment.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer of the parent's state and actions that ignores actions of other cases.
  public func forEach<ParentState, ParentAction, ParentEnvironment, ID: Hashable & Sendable>(
    state toElements: WritableKeyPath<ParentState, IdentifiedArray<ID, State>>,
    action toElementAction: AnyCasePath<ParentAction, (ID, Action)>,
    environment toElementEnvironment: @escaping (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> AnyReducer<ParentState, ParentAction, ParentEnvironment> {
    forEach(
      toElementAction,
      toElementEnvironment,
      IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    ) { state, id, body in state[keyPath: toElements][id: id].modifyIfPresent(body) }
  }

  /// Returns a reducer that runs this one on the values of a dictionary.
  ///
  /// An action reports an issue if the dictionary has no value for the action's key.
  ///
  /// - Parameters:
  ///   - toDictionary: The key path from the parent's state to the dictionary.
  ///   - toValueAction: The case path from the parent's action to a value's key and action.
  ///   - toValueEnvironment: A closure that returns a value's environment for the parent's environment.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer of the parent's state and actions that ignores actions of other cases.
  public func forEach<ParentState, ParentAction, ParentEnvironment, Key: Hashable & Sendable>(
    state toDictionary: WritableKeyPath<ParentState, [Key: State]>,
    action toValueAction: AnyCasePath<ParentAction, (Key, Action)>,
    environment toValueEnvironment: @escaping (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> AnyReducer<ParentState, ParentAction, ParentEnvironment> {
    forEach(
      toValueAction,
      toValueEnvironment,
      IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    ) { state, key, body in state[keyPath: toDictionary][key].modifyIfPresent(body) }
  }

  /// Returns a reducer that runs this one on the elements of an array, by index.
  ///
  /// An action reports an issue if its index is out of range. An effect keeps the index that its element had when the
  /// effect started, so elements must not move while effects run. `IdentifiedArray` has no such limit.
  ///
  /// - Parameters:
  ///   - toArray: The key path from the parent's state to the array.
  ///   - toElementAction: The case path from the parent's action to an element's index and action.
  ///   - toElementEnvironment: A closure that returns an element's environment for the parent's environment.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A reducer of the parent's state and actions that ignores actions of other cases.
  public func forEach<ParentState, ParentAction, ParentEnvironment>(
    state toArray: WritableKeyPath<ParentState, [State]>,
    action toElementAction: AnyCasePath<ParentAction, (Int, Action)>,
    environment toElementEnvironment: @escaping (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> AnyReducer<ParentState, ParentAction, ParentEnvironment> {
    forEach(
      toElementAction,
      toElementEnvironment,
      IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    ) { state, index, body in
      guard state[keyPath: toArray].indices.contains(index) else { return nil }
      return body(&state[keyPath: toArray][index])
    }
  }

  /// Returns a reducer that runs this one on the value that `modify` finds for an action's id.
  private func forEach<ParentState, ParentAction, ParentEnvironment, ID: Hashable & Sendable>(
    _ toElementAction: AnyCasePath<ParentAction, (ID, Action)>,
    _ toElementEnvironment: @escaping (ParentEnvironment) -> Environment,
    _ location: IssueLocation,
    _ modify: @escaping (inout ParentState, ID, (inout State) -> Effect<Action>) -> Effect<Action>?
  ) -> AnyReducer<ParentState, ParentAction, ParentEnvironment> {
    AnyReducer<ParentState, ParentAction, ParentEnvironment> { state, action, environment in
      guard let (id, elementAction) = toElementAction.extract(from: action) else { return .none }
      let effect = modify(&state, id) { element in
        run(&element, elementAction, toElementEnvironment(environment))
      }
      guard let effect else {
        reportIssue(
          .missingFeature,
          Messages.actionForMissingElement(action, id: id, at: location),
          at: location
        )
        return .none
      }
      return effect.map { toElementAction.embed((id, $0)) }
    }
  }
}
