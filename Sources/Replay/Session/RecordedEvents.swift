import ActionLog

/// The events of a recording, read once for all who take them: a replay, which looks ahead, and what compares it.
///
/// Both keep in step, so few events wait.
package final class RecordedEvents {
  /// Who takes events.
  package enum EventConsumer { case replay, comparison }

  // In one piece, for each access to a member of an object is checked to be the only one.
  private var queue: Queue

  /// Events from anywhere, for a replay that is not compared here.
  package init(_ next: @escaping LogComparison.Events) {
    queue = Queue(next)
  }

  /// The events of logs.
  ///
  /// - Parameters:
  ///   - source: The logs.
  ///   - plan: What brings a log to the version of the code.
  ///   - isCompared: Whether a comparison in this process takes the same events.
  package init(_ source: LogSource, plan: LogMigrator.Plan? = nil, isCompared: Bool) {
    queue = Queue(source, plan.map { LogMigrator(plan: $0) }, isShared: isCompared)
  }

  /// Whether the checkpoint has been read with which a stretch of a log ends.
  var hasReachedEnd: Bool { queue.log?.hasReachedEnd ?? false }

  /// Whether an event that was read has to do with shared values.
  var hasShared: Bool { queue.log?.hasShared ?? false }

  /// The notes on the migration of the last log.
  package var migrationFindings: [LogEvent.Finding] { queue.migrationFindings }

  /// The next event for the replay, which stays the next one; `nil` after the last one.
  ///
  /// - Throws: What the source has thrown in its place.
  package func peek() throws -> LogEvent? { try queue.peek() }

  /// How many events the replay has looked at and not taken.
  var readAhead: Int { queue.readAhead }

  /// The next event; `nil` after the last one.
  ///
  /// - Throws: What the source has thrown in its place.
  package func next(for reader: EventConsumer = .replay) throws -> LogEvent? {
    try queue.next(for: reader)
  }
}

private struct Queue {
  /// The log; `nil` for events from elsewhere.
  private(set) var log: LogSource?
  private let migrator: LogMigrator?
  private var other: LogComparison.Events?
  private let isShared: Bool
  /// What has been read and not been taken by all.
  private var waiting: [LogEvent] = []
  /// How many of those that wait the replay has taken.
  private var replayed = 0
  /// How many of those that wait the comparison has taken.
  private var compared = 0
  private var failure: (any Error)?
  private var isAtEnd = false

  init(_ events: @escaping LogComparison.Events) {
    other = events
    migrator = nil
    isShared = false
  }

  init(_ log: LogSource, _ migrator: LogMigrator?, isShared: Bool) {
    self.log = log
    self.migrator = migrator
    self.isShared = isShared
  }

  var migrationFindings: [LogEvent.Finding] { migrator?.findings ?? [] }

  private mutating func read() throws -> LogEvent? {
    guard log != nil else { return try other?() }
    guard let migrator else { return try log?.next()?.event }
    return try migrator.next { try log?.next()?.event }
  }

  mutating func peek() throws -> LogEvent? { try event(at: replayed) }

  var readAhead: Int { waiting.count - replayed }

  mutating func next(for reader: RecordedEvents.EventConsumer) throws -> LogEvent? {
    let position = reader == .replay ? replayed : compared
    guard let event = try event(at: position) else { return nil }
    if reader == .replay { replayed += 1 } else { compared += 1 }
    drop()
    return event
  }

  private mutating func event(at position: Int) throws -> LogEvent? {
    while position >= waiting.count {
      if let failure { throw failure }
      guard !isAtEnd else { return nil }
      do {
        guard let event = try read() else {
          isAtEnd = true
          return nil
        }
        waiting.append(event)
      } catch {
        failure = error
        throw error
      }
    }
    return waiting[position]
  }

  /// Lets go of what all have taken, many at once, for the rest is moved.
  private mutating func drop() {
    let count = isShared ? min(replayed, compared) : replayed
    guard count == waiting.count || count >= max(64, waiting.count / 2) else { return }
    if count == waiting.count {
      waiting.removeAll(keepingCapacity: true)
    } else {
      waiting.removeFirst(count)
    }
    replayed -= count
    compared -= isShared ? count : 0
  }
}
