extension Effect {
  /// Returns an effect that runs an asynchronous operation and sends the resulting action.
  ///
  /// ```swift
  /// return .task { .factResponse(await TaskResult { try await api.fact(number) }) }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: The priority of the operation's task; `nil` for the caller's priority.
  ///   - operation: The operation to run, which returns the action to send.
  ///   - handler: A closure that returns the action for an error. If `nil`, an error reports an issue.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that sends one action.
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

  /// Returns an effect that runs an operation without sending actions, and ignores errors.
  ///
  /// - Parameters:
  ///   - priority: The priority of the operation's task; `nil` for the caller's priority.
  ///   - work: The operation to run.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that sends no actions.
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

  /// Creates an effect that sends an action to the store, within the current `send` call.
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

  /// Returns an effect that sends the `Result` that a function returns, within the current `send` call.
  ///
  /// The function is called immediately, and not when a store runs the effect.
  @available(*, deprecated, message: "Use \"send\".")
  public static func result<Success, Failure: Error>(
    _ work: () -> Result<Success, Failure>
  ) -> Effect where Action == Result<Success, Failure> {
    .send(work())
  }

  /// Returns this effect unchanged, because effects have no types to erase.
  @available(*, deprecated, message: "Use the effect as it is.")
  public func eraseToEffect() -> Effect { self }

  /// Returns an effect that sends the actions to which a closure maps this effect's values.
  @available(*, deprecated, renamed: "map")
  public func eraseToEffect<Other>(
    _ transform: @escaping (Action) -> Other
  ) -> Effect<Other> {
    // The function is usually an enum case, which Swift 5 doesn't treat as a `@Sendable` function.
    nonisolated(unsafe) let transform = transform
    return map { transform($0) }
  }

  /// Returns an effect that discards the values of this effect.
  ///
  /// - Returns: An effect that runs the same operations and sends no actions.
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
  /// Sends the wrapped action, which need not be `Sendable`, because no other code refers to it.
  func callAsFunction(_ sent: SentAction<Action>) {
    self(sent.action)
  }
}

extension Effect {
  /// Creates an effect that throws an error, which `catchToEffect` can convert into an action.
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

  /// Returns an effect that sends the value of a result within the current `send` call, or throws the result's error.
  ///
  /// The function is called immediately, and not when a store runs the effect.
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

  /// Returns an effect that calls a function, and sends its return value or throws its error.
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

  /// Returns an effect that sends the first value, or throws the first error, with which a callback is called.
  ///
  /// ```swift
  /// return Effect<Data>.future { callback in download(url) { callback($0) } }
  ///   .catchToEffect(Action.downloaded)
  /// ```
  ///
  /// - Parameters:
  ///   - attempt: A closure that starts the operation. It receives a callback that may be called on any thread.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that sends at most one value.
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
        // Unlike a continuation, a stream tolerates a second call and supports cancellation.
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
  /// Returns an effect that reports an issue when a store runs it.
  ///
  /// - Parameters:
  ///   - name: The name that the issue mentions.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that sends no actions.
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

  /// Returns an effect that reports an issue when a store runs it.
  @available(*, deprecated, renamed: "unimplemented")
  public static func failing(_ name: String) -> Effect {
    unimplemented(name)
  }
}
