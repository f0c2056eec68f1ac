@available(*, deprecated)
extension AnyReducer {
  /// Returns a reducer that runs this one on a part of a parent's state.
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
  ///   - toChildState: The key path to the child's state.
  ///   - toChildAction: The case path to the child's actions.
  ///   - toChildEnvironment: Returns the child's environment.
  /// - Returns: A reducer of the parent that ignores all other actions.
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

  /// Returns a reducer that runs this one on a part of a parent's state.
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
  /// An action of the case reports an issue while the state has another case.
  ///
  /// - Parameters:
  ///   - toChildState: The case path to the child's state.
  ///   - toChildAction: The case path to the child's actions.
  ///   - toChildEnvironment: Returns the child's environment.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A reducer of the parent.
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

  /// Returns a reducer that runs this one while an optional state is present.
  ///
  /// An action reports an issue while the state is `nil`.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A reducer of the optional state.
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
  /// An action for a missing element reports an issue.
  ///
  /// - Parameters:
  ///   - toElements: The key path to the array.
  ///   - toElementAction: The case path to the elements' actions with their ids.
  ///   - toElementEnvironment: Returns the environment of an element.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A reducer of the parent.
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
  /// An action for a missing key reports an issue.
  ///
  /// - Parameters:
  ///   - toDictionary: The key path to the dictionary.
  ///   - toValueAction: The case path to the values' actions with their keys.
  ///   - toValueEnvironment: Returns the environment of a value.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A reducer of the parent.
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
  /// An action for a missing index reports an issue. An effect keeps the index that its element had when the effect
  /// started, so elements must not move while effects run. `IdentifiedArray` has no such limit.
  ///
  /// - Parameters:
  ///   - toArray: The key path to the array.
  ///   - toElementAction: The case path to the elements' actions with their indices.
  ///   - toElementEnvironment: Returns the environment of an element.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A reducer of the parent.
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

  /// Runs this reducer on the value that `modify` finds for the id of an action.
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
