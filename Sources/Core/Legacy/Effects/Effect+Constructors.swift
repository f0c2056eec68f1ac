extension Effect {
  /// Does work that takes time and ends in an action.
  ///
  /// ```swift
  /// return .task { .factResponse(await TaskResult { try await api.fact(number) }) }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: The priority of the task, that of the caller when nil.
  ///   - operation: The work, which returns the action.
  ///   - handler: Makes an action of the error that the work threw. Without it the error is an issue.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Use \"run\", and send the action.")
  public static func task(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable () async throws -> Action,
    catch handler: (@Sendable (_ error: any Error) async -> Action)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    var takesError: (@Sendable (any Error, Send<Action>) async -> Void)?
    if let handler {
      takesError = { error, send in await send(SentAction(action: await handler(error))) }
    }
    return .run(
      priority: priority,
      operation: { send in await send(SentAction(action: try await operation())) },
      catch: takesError,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Does work that sends nothing; errors in it are nobody's business.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task, that of the caller when nil.
  ///   - work: The work.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Use \"run\", and send nothing.")
  public static func fireAndForget(
    priority: TaskPriority? = nil,
    _ work: @escaping @Sendable () async throws -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    .run(
      priority: priority,
      operation: { _ in try? await work() },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Hands another action to the store, within the same `send`.
  @available(*, deprecated, message: "Use \"send\".")
  public init(
    value action: Action,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self = .send(action, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Hands what a function succeeds with to the store, within the same `send`, or its error.
  @available(*, deprecated, message: "Use \"send\".")
  public static func result<Success, Failure: Error>(
    _ work: () -> Result<Success, Failure>
  ) -> Effect where Action == Result<Success, Failure> {
    .send(work())
  }

  /// The same effect; effects need no erasing any more.
  @available(*, deprecated, message: "Use the effect as it is.")
  public func eraseToEffect() -> Effect { self }

  /// Turns what an effect sends into actions.
  @available(*, deprecated, renamed: "map")
  public func eraseToEffect<Other>(
    _ transform: @escaping (Action) -> Other
  ) -> Effect<Other> {
    // Usually a case; Swift 5 does not see that cases are functions that can go anywhere.
    nonisolated(unsafe) let transform = transform
    return map { transform($0) }
  }

  /// The effect without its actions.
  ///
  /// - Returns: An effect that does the same work and sends nothing.
  @available(*, deprecated, message: "Use \"run\", and send nothing.")
  public func fireAndForget<Other>() -> Effect<Other> {
    replacingRuns { run in
      let operation = run.operation
      return { _ in try await operation(Send<Action> { _ in }) }
    } send: { _ in
      nil
    }
  }
}

extension Send {
  /// Hands over an action that was made elsewhere and that nobody else has, so it need not be `Sendable`.
  func callAsFunction(_ sent: SentAction<Action>) {
    self(sent.action)
  }
}
