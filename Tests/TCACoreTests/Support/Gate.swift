/// A place where an effect waits until the test lets it go on.
struct Gate: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// Lets one who waits go on.
  func open() {
    continuation.yield()
  }

  /// Waits to be let on; returns at once when the task is cancelled.
  func wait() async {
    for await _ in stream { return }
  }

  /// Waits also in a cancelled task.
  func waitUncancellably() async {
    await Task.detached { await wait() }.value
  }
}
