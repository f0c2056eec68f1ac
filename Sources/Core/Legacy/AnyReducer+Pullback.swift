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
  /// An action of the case while the state has another one is an issue.
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
  /// Runs a reducer on each element of a list.
  ///
  /// ```swift
  /// todo.forEach(
  ///   state: \.todos,
  ///   action: /AppAction.todo(id:action:),
  ///   environment: { _ in TodoEnvironment() }
  /// )
  /// ```
  ///
  /// An action of an element that is not there is an issue.
  ///
  /// - Parameters:
  ///   - toElements: Where the list is.
  ///   - toElementAction: Which actions are the elements', with their ids.
  ///   - toElementEnvironment: What an element depends on.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The reducer of the whole.
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

  /// Runs a reducer on each value of a dictionary.
  ///
  /// An action of a key that is not there is an issue.
  ///
  /// - Parameters:
  ///   - toDictionary: Where the dictionary is.
  ///   - toValueAction: Which actions are the values', with their keys.
  ///   - toValueEnvironment: What a value depends on.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The reducer of the whole.
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

  /// Runs a reducer on each element of an array, by its index.
  ///
  /// An action of an index that is not there is an issue. Effects keep the index that their element had when they started,
  /// so elements must not move while effects run; `IdentifiedArray` has no such limit.
  ///
  /// - Parameters:
  ///   - toArray: Where the array is.
  ///   - toElementAction: Which actions are the elements', with their indices.
  ///   - toElementEnvironment: What an element depends on.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The reducer of the whole.
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

  /// Runs this reducer on whatever `modify` finds for the id of an action.
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
