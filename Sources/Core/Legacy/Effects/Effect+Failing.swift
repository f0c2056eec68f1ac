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
