extension Task where Success == Never, Failure == Never {
  /// Suspends many times, so that whatever can run gets its turn.
  ///
  /// - Parameter count: How often.
  public static func megaYield(count: Int = 20) async {
    for _ in 0..<count {
      // The lowest priority, so that all others come first.
      await Task<Void, Never>.detached(priority: .background) { await Task.yield() }.value
    }
  }

  /// Suspends until the task is cancelled.
  ///
  /// - Throws: `CancellationError`, always.
  public static func never() async throws -> Never {
    let stream = AsyncStream<Never> { _ in }
    for await element in stream {
      switch element {}
    }
    throw _Concurrency.CancellationError()
  }
}
