extension Effect {
  /// Runs asynchronous work that returns an action.
  ///
  /// ```swift
  /// return .task { .factResponse(await TaskResult { try await api.fact(number) }) }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: The priority of the task. If `nil`, the task inherits the caller's priority.
  ///   - operation: The work, which returns the action to send.
  ///   - handler: Returns an action for an error of the work. If `nil`, an error reports an issue.
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

  /// Runs work that sends no actions and ignores its errors.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task. If `nil`, the task inherits the caller's priority.
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

  /// Sends an action to the store within the current `send`.
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

  /// Sends the result of a function, or its error, to the store within the current `send`.
  @available(*, deprecated, message: "Use \"send\".")
  public static func result<Success, Failure: Error>(
    _ work: () -> Result<Success, Failure>
  ) -> Effect where Action == Result<Success, Failure> {
    .send(work())
  }

  /// Returns the same effect.
  ///
  /// Effects have no types to erase.
  @available(*, deprecated, message: "Use the effect as it is.")
  public func eraseToEffect() -> Effect { self }

  /// Converts the values that an effect sends into actions.
  @available(*, deprecated, renamed: "map")
  public func eraseToEffect<Other>(
    _ transform: @escaping (Action) -> Other
  ) -> Effect<Other> {
    // Usually an enum case. Swift 5 doesn't treat case constructors as `@Sendable` functions.
    nonisolated(unsafe) let transform = transform
    return map { transform($0) }
  }

  /// Discards the values that an effect sends.
  ///
  /// - Returns: An effect that does the same work and sends no actions.
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
  /// Sends an action that no other code references.
  ///
  /// The action therefore doesn't need to be `Sendable`.
  func callAsFunction(_ sent: SentAction<Action>) {
    self(sent.action)
  }
}

extension Effect {
  /// Throws an error, which `catchToEffect` can convert into an action.
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

  /// Sends the value of a successful result within the current `send`, or throws its error.
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

  /// Sends the return value of a function, or throws its error.
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

  /// Sends the first value that a callback receives, or throws the error that it receives.
  ///
  /// ```swift
  /// return Effect<Data>.future { callback in download(url) { callback($0) } }
  ///   .catchToEffect(Action.downloaded)
  /// ```
  ///
  /// - Parameters:
  ///   - attempt: Starts the work. May call the callback on any thread.
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
        // A stream tolerates a second call and supports cancellation, unlike a continuation.
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
  ///   - name: The name of the effect in the issue.
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

  /// Returns an effect that reports an issue when a store runs it.
  @available(*, deprecated, renamed: "unimplemented")
  public static func failing(_ name: String) -> Effect {
    unimplemented(name)
  }
}
