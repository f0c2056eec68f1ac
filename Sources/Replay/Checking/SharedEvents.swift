import ActionLog

/// Events that two take, each at its own pace, and that are read once.
///
/// Of two that keep in step, as a replay and what compares it do, few events wait.
final class SharedEvents {
  private let source: LogComparison.Events
  private var waiting: [LogEvent] = []
  /// How many events went before those that wait.
  private var gone = 0
  private var taken = [0, 0]
  private var failure: (any Error)?
  private var isAtEnd = false

  init(_ source: @escaping LogComparison.Events) { self.source = source }

  /// The events for one of the two.
  func events(for reader: Int) -> LogComparison.Events {
    { try self.next(for: reader) }
  }

  private func next(for reader: Int) throws -> LogEvent? {
    let index = taken[reader] - gone
    guard index == waiting.count else {
      defer {
        taken[reader] += 1
        forget()
      }
      return waiting[index]
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
      taken[reader] += 1
      return event
    } catch {
      failure = error
      throw error
    }
  }

  /// Lets go of what both have taken, many at once, for the rest is moved.
  private func forget() {
    let done = (taken.min() ?? 0) - gone
    guard done >= max(64, waiting.count / 2) else { return }
    waiting.removeFirst(done)
    gone += done
  }
}
