import ReplayEngine

/// Steps that come while the feature runs.
@MainActor
final class ArrivingSteps {
  private var iterator: AsyncThrowingStream<RecordRequest.Step, any Error>.AsyncIterator
  /// The task that reads the steps, and the one that waits for the time limit.
  private let tasks: [Task<Void, Never>]

  /// Reads steps until a time limit.
  ///
  /// - Parameters:
  ///   - steps: The steps, which are read from now on.
  ///   - end: The time limit; `nil` for none.
  init(
    _ steps: AsyncThrowingStream<RecordRequest.Step, any Error>,
    until end: ContinuousClock.Instant?
  ) {
    let (limited, continuation) = AsyncThrowingStream.makeStream(of: RecordRequest.Step.self)
    iterator = limited.makeAsyncIterator()
    let reader = Task {
      do {
        for try await step in steps { continuation.yield(step) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    let limit = end.map { end in
      Task {
        try? await Task.sleep(until: end, clock: .continuous)
        continuation.finish()
      }
    }
    tasks = [reader] + (limit.map { [$0] } ?? [])
  }

  deinit {
    for task in tasks { task.cancel() }
  }

  /// Waits for the next step.
  ///
  /// - Returns: The step; `nil` after the last one, and when the time is over.
  /// - Throws: The error that ended the steps.
  func next() async throws -> RecordRequest.Step? {
    // The iterators of a stream share it.
    var iterator = iterator
    return try await iterator.next(isolation: #isolation)
  }
}
