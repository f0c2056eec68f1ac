import ActionLog

/// A reader that supplies a recording to a replay, which looks ahead, and optionally to a comparison.
///
/// Both consumers advance in step, so few events are buffered.
package final class RecordedEvents {
  /// A consumer of the recorded events.
  package enum EventConsumer { case replay, comparison }

  // A single struct, because Swift checks each access to a stored property of a class for exclusivity.
  private var queue: RecordedEventQueue

  /// Creates a reader that supplies the events of a closure to a replay, but to no comparison.
  package init(_ next: @escaping LogComparison.Events) {
    queue = RecordedEventQueue(next)
  }

  /// Creates a reader for the events of one or more logs.
  ///
  /// - Parameters:
  ///   - source: The source of the events.
  ///   - plan: A closure that returns the migration plan for a log, or `nil` to read the logs unchanged.
  ///   - isCompared: Whether a comparison in this process also reads the events.
  package init(_ source: LogEventIterator, plan: LogMigrator.Plan? = nil, isCompared: Bool) {
    queue = RecordedEventQueue(source, plan.map { LogMigrator(plan: $0) }, isShared: isCompared)
  }

  /// Whether the last checkpoint of a stretch has been read.
  var hasReachedEnd: Bool { queue.log?.hasReachedEnd ?? false }

  /// Whether an event of the stretch that has been read involves shared values.
  ///
  /// Always `false` for a log that is read completely.
  var hasShared: Bool { queue.log?.hasShared ?? false }

  /// The findings that the migration has made about all logs, which are empty without a migration plan.
  package var migrationFindings: [LogEvent.Finding] { queue.migrationFindings }

  /// Returns the next event for the replay without removing it, or `nil` after the last one.
  ///
  /// - Throws: The error that the source threw for this event.
  package func peek() throws -> LogEvent? { try queue.peek() }

  /// The number of events that the replay has peeked at but not consumed.
  var readAhead: Int { queue.readAhead }

  /// Returns the next event for a consumer, or `nil` after the last one.
  ///
  /// - Throws: The error that the source threw for this event.
  package func next(for reader: EventConsumer = .replay) throws -> LogEvent? {
    try queue.next(for: reader)
  }
}

private struct RecordedEventQueue {
  /// The source of logged events, or `nil` if the events come from a closure.
  private(set) var log: LogEventIterator?
  private let migrator: LogMigrator?
  private var other: LogComparison.Events?
  private let isShared: Bool
  /// The buffered events, from which events that all consumers have read are removed in batches.
  private var waiting: [LogEvent] = []
  /// The number of buffered events that the replay has read.
  private var replayed = 0
  /// The number of buffered events that the comparison has read.
  private var compared = 0
  private var failure: (any Error)?
  private var isAtEnd = false

  init(_ events: @escaping LogComparison.Events) {
    other = events
    migrator = nil
    isShared = false
  }

  init(_ log: LogEventIterator, _ migrator: LogMigrator?, isShared: Bool) {
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

  /// Drops the events that all consumers have read, in batches, because each drop shifts the array.
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
