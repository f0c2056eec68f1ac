extension Effect {
  /// Nothing is to be done.
  public static var none: Effect { Effect(operation: .none) }

  /// Hands another action to the store, within the same `send`.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
  public static func send(
    _ action: Action,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return Effect(operation: .send(SentAction(action: action), EffectLeaf(location: location)))
  }

  /// Does work that takes time and sends actions as it goes.
  ///
  /// The work starts after the action that returned the effect has been handled, never within it.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task, that of the caller when nil.
  ///   - name: What a recording calls the effect.
  ///   - operation: The work.
  ///   - handler: Takes the error that the work threw. Without it the error is an issue.
  ///     Cancellation is no error, and neither is what is thrown by a cancelled effect.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
  public static func run(
    priority: TaskPriority? = nil,
    name: String? = nil,
    operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler: (@Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let leaf = EffectLeaf(name: name, location: location)
    return Effect(
      operation: .run(
        Run(leaf: leaf, priority: priority, input: nil, operation: operation, handler: handler)
      )
    )
  }

  /// Does work that takes time, and tells recordings what the work depends on.
  ///
  /// ```swift
  /// return .run(name: "search", input: state.query) { [query = state.query] send in ... }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: The priority of the task, that of the caller when nil.
  ///   - name: What a recording calls the effect.
  ///   - input: What the work depends on; a replay compares it.
  ///   - operation: The work.
  ///   - handler: Takes the error that the work threw.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
  public static func run(
    priority: TaskPriority? = nil,
    name: String? = nil,
    input: any Sendable,
    operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler: (@Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let leaf = EffectLeaf(name: name, location: location)
    return Effect(
      operation: .run(
        Run(leaf: leaf, priority: priority, input: input, operation: operation, handler: handler)
      )
    )
  }
}
