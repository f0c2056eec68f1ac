import ActionLog

/// Events that two take, each at its own pace, and that are read once.
///
/// Of two that keep in step, as a replay and what compares it do, few events wait.
final class SharedEvents {
  private var queue: Queue

  init(_ source: @escaping LogComparison.Events) { queue = Queue(source: source) }

  /// The events for one of the two.
  func events(for reader: Int) -> LogComparison.Events {
    // One access to the queue for each event, for every one is checked to be the only one.
    { try self.queue.next(for: reader) }
  }
}

private struct Queue {
  private let source: LogComparison.Events
  /// What one of them has taken and the other has not; what stands before `start` is gone.
  private var waiting: [LogEvent] = []
  private var start = 0
  /// Which of the two is ahead, while events wait.
  private var leader = 0
  private var failure: (any Error)?
  private var isAtEnd = false

  init(source: @escaping LogComparison.Events) { self.source = source }

  mutating func next(for reader: Int) throws -> LogEvent? {
    if start < waiting.count {
      if reader != leader { return takeWaiting() }
    } else {
      leader = reader
    }
    // Both meet an error, or the end, at the same place.
    if let failure { throw failure }
    guard !isAtEnd else { return nil }
    do {
      guard let event = try source() else {
        isAtEnd = true
        return nil
      }
      waiting.append(event)
      return event
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func takeWaiting() -> LogEvent {
    let event = waiting[start]
    start += 1
    if start == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      start = 0
    } else if start >= max(64, waiting.count / 2) {
      // Many at once, for the rest is moved.
      waiting.removeFirst(start)
      start = 0
    }
    return event
  }
}
