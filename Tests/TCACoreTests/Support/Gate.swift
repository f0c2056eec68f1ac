/// A point at which an effect waits until the test resumes it.
struct Gate: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// Resumes one waiting task.
  func open() {
    continuation.yield()
  }

  /// Waits to be resumed.
  ///
  /// Returns at once if the task is canceled.
  func wait() async {
    for await _ in stream { return }
  }

  /// Waits even in a canceled task.
  func waitUncancellably() async {
    await Task.detached { await wait() }.value
  }
}
