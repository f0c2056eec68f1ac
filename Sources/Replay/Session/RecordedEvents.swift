import ActionLog

/// The events of a recording, read once for all who take them: a replay, which looks ahead, and what compares it.
///
/// Both keep in step, so few events wait.
package final class RecordedEvents {
  /// Who takes events.
  package enum Reader { case replay, comparison }

  /// Where the replay is compared with the recording.
  package enum Comparison {
    case nowhere
    /// In this process, by somebody who takes the same events.
    case here
    /// In another process, which reads the same recording.
    case elsewhere
  }

  /// Where the replay is compared with the recording.
  let comparison: Comparison
  // In one piece, for each access to a member of an object is checked to be the only one.
  private var queue: Queue

  /// Events from anywhere, for a replay that nobody compares.
  package init(_ next: @escaping LogComparison.Events) {
    comparison = .nowhere
    queue = Queue(source: .events(next), isShared: false)
  }

  /// The events of logs.
  ///
  /// - Parameters:
  ///   - source: The logs.
  ///   - plan: What brings a log to the version of the code.
  ///   - comparison: Where the replay is compared with them.
  package init(
    _ source: LogSource,
    plan: LogMigrator.Plan? = nil,
    comparison: Comparison
  ) {
    self.comparison = comparison
    queue = Queue(source: .log(source), isShared: comparison == .here)
    queue.migrator = plan.map { LogMigrator(plan: $0) }
  }

  /// The next event for the replay, which stays the next one; `nil` behind the last one.
  ///
  /// - Throws: What the source has thrown in its place.
  package func peek() throws -> LogEvent? { try queue.peek() }

  /// Whether an action is known to come next for the replay, without reading it.
  var isBeforeAction: Bool { queue.isBeforeAction }

  /// The next event; `nil` behind the last one.
  ///
  /// - Throws: What the source has thrown in its place.
  package func next(for reader: Reader = .replay) throws -> LogEvent? {
    try queue.next(for: reader)
  }

  /// The log itself, when all events that were read of it have been taken and none need be changed: who has it gives it back
  /// before another event is asked for.
  func takeSource() -> LogSource? { queue.takeSource() }

  /// Gives back the log.
  func putBack(_ source: LogSource) { queue.source = .log(source) }
}

private struct Queue {
  var source: Source
  var migrator: LogMigrator?
  let isShared: Bool
  /// What has been read and not been taken by all.
  private var waiting: [LogEvent] = []
  /// How many of those that wait the replay has taken.
  private var replayed = 0
  /// How many of those that wait the comparison has taken.
  private var compared = 0
  private var failure: (any Error)?
  private var isAtEnd = false

  enum Source {
    case events(LogComparison.Events)
    case log(LogSource)
    /// Somebody has it.
    case taken
  }

  init(source: Source, isShared: Bool) {
    self.source = source
    self.isShared = isShared
  }

  mutating func peek() throws -> LogEvent? { try event(at: replayed) }

  mutating func next(for reader: RecordedEvents.Reader) throws -> LogEvent? {
    let position = reader == .replay ? replayed : compared
    guard let event = try event(at: position) else { return nil }
    if reader == .replay { replayed += 1 } else { compared += 1 }
    drop()
    return event
  }

  var isBeforeAction: Bool {
    if replayed < waiting.count {
      if case .action = waiting[replayed] { return true }
      return false
    }
    guard failure == nil, case .log(let log) = source else { return false }
    return log.isBeforeAction
  }

  mutating func takeSource() -> LogSource? {
    guard waiting.isEmpty, failure == nil, !isAtEnd, migrator?.isIdle != false,
      case .log(let log) = source
    else { return nil }
    source = .taken
    return log
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

  private mutating func read() throws -> LogEvent? {
    switch source {
    case .events(let next): return try next()
    case .log(var log):
      // Held in one place only, it reads on in its own memory.
      source = .taken
      defer { source = .log(log) }
      guard let event = try log.next()?.event else { return nil }
      return try migrator?.migrated(event) ?? event
    case .taken: return nil
    }
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
