extension Task where Failure == any Error {
  /// The result of the task, which is cancelled when the one that waits for it is.
  ///
  /// `value` alone leaves the task running.
  ///
  /// - Throws: What the task threw.
  public var cancellableValue: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}

extension Task where Failure == Never {
  /// The result of the task, which is cancelled when the one that waits for it is.
  public var cancellableValue: Success {
    get async {
      await withTaskCancellationHandler {
        await value
      } onCancel: {
        cancel()
      }
    }
  }

  /// Suspends until the task is cancelled, in place of a value.
  ///
  /// ```swift
  /// $0.api.fetch = { _ in try await Task.never() }
  /// ```
  ///
  /// - Throws: `CancellationError`, always.
  public static func never() async throws -> Success {
    try await Task<Never, Never>.never()
  }
}
