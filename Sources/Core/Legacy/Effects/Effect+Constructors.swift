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

  /// Does work that sends nothing; its errors are ignored.
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
  /// Hands over an action that was made elsewhere and that no other code holds, so it need not be `Sendable`.
  func callAsFunction(_ sent: SentAction<Action>) {
    self(sent.action)
  }
}

extension Effect {
  /// Fails, for `catchToEffect` to make an action of the error.
  @available(*, deprecated, message: "Throw inside of \"run\".")
  public init(
    error: any Error,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self = .run(
      operation: { _ in throw error },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Sends what a function succeeds with, within the same `send`, or fails with its error.
  @available(*, deprecated, message: "Use \"send\".")
  public static func result<Failure: Error>(
    _ work: () -> Result<Action, Failure>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    switch work() {
    case .success(let action):
      .send(action, fileID: fileID, filePath: filePath, line: line, column: column)
    case .failure(let error):
      Effect(error: error, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }

  /// Sends what a function returns, or fails with the error that it throws.
  @available(*, deprecated, message: "Use \"run\".")
  public static func catching(
    _ work: @escaping @Sendable () throws -> Action,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    .run(
      operation: { send in await send(SentAction(action: try work())) },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Sends what a callback is called with first, or fails with the error that it is called with.
  ///
  /// ```swift
  /// return Effect<Data>.future { callback in download(url) { callback($0) } }
  ///   .catchToEffect(Action.downloaded)
  /// ```
  ///
  /// - Parameters:
  ///   - attempt: Starts the work, and calls back from anywhere.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Await a continuation inside of \"run\".")
  public static func future(
    _ attempt:
      @escaping @Sendable (
        _ callback: @escaping @Sendable (Result<Action, any Error>) -> Void
      ) -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    .run(
      operation: { send in
        // A stream and no continuation: it may be called twice, and waiting for it can be cancelled.
        let (results, continuation) = AsyncStream<Result<SentAction<Action>, any Error>>
          .makeStream(bufferingPolicy: .bufferingOldest(1))
        attempt { result in
          continuation.yield(result.map { SentAction(action: $0) })
          continuation.finish()
        }
        for await result in results { await send(try result.get()) }
      },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}

extension Effect {
  /// An effect that reports an issue when a store runs it.
  ///
  /// - Parameters:
  ///   - name: What the issue calls it.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Call \"reportIssue\" inside of \"run\".")
  public static func unimplemented(
    _ name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return waiting(at: location) { _ in reportIssue(Messages.unimplemented(name), at: location) }
  }

  /// An effect that reports an issue when a store runs it.
  @available(*, deprecated, renamed: "unimplemented")
  public static func failing(_ name: String) -> Effect {
    unimplemented(name)
  }
}
