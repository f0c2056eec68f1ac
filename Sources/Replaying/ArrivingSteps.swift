import ReplayEngine

/// A reader for the steps of a recording that arrive while the feature runs.
@MainActor
final class ArrivingSteps {
  private var iterator: AsyncThrowingStream<RecordRequest.Step, any Error>.AsyncIterator
  /// The task that reads the steps, and the task that ends reading at the time limit.
  private let tasks: [Task<Void, Never>]

  /// Starts to read steps until a time limit.
  ///
  /// - Parameters:
  ///   - steps: The stream on which the steps arrive.
  ///   - end: The time at which reading ends, or `nil` for no limit.
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
  /// - Returns: The step, or `nil` after the last step and after the time limit.
  /// - Throws: The error with which the stream ended.
  func next() async throws -> RecordRequest.Step? {
    // The iterators of a stream share its state, so a copy of the iterator is enough.
    var iterator = iterator
    return try await iterator.next(isolation: #isolation)
  }
}
