#if canImport(Combine)
public import Combine

extension Effect {
  /// Sends what a publisher publishes.
  ///
  /// ```swift
  /// return .publisher {
  ///   reachability.changes.map { .reachabilityChanged($0) }
  /// }
  /// ```
  ///
  /// The store subscribes on the main actor, after the action that returned the effect has been handled, and cancels the
  /// subscription when it cancels the effect. Actions arrive in the order in which they are published.
  ///
  /// - Parameters:
  ///   - createPublisher: Makes the publisher. It is called at once.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect. It ends when the publisher completes.
  public static func publisher(
    _ createPublisher: () -> some Publisher<Action, Never>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    // Publishers are not `Sendable`; this one is used on the main actor alone, where reducers make it.
    nonisolated(unsafe) let publisher = createPublisher().eraseToAnyPublisher()
    return .run(
      operation: { @MainActor send in
        let (actions, continuation) = AsyncStream<SentAction<Action>>.makeStream()
        // Publishers may publish on any thread.
        let subscription = publisher.sink { @Sendable _ in
          continuation.finish()
        } receiveValue: { @Sendable action in
          continuation.yield(SentAction(action: action))
        }
        defer { subscription.cancel() }
        for await action in actions { send(action) }
      },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}
#endif
