import ActionLog

/// The events of a recording, read once for all who take them: a replay, which looks ahead, and what compares it.
///
/// Both keep in step, so few events wait.
final class RecordedEvents {
  /// Who takes events.
  enum Reader { case replay, comparison }

  /// Whether there is a comparison that takes the same events.
  var isShared: Bool { queue.isShared }
  // In one piece, for each access to a member of an object is checked to be the only one.
  private var queue: Queue

  init(isShared: Bool = false, _ source: @escaping LogComparison.Events) {
    queue = Queue(source: source, isShared: isShared)
  }

  /// The next event for the replay, which stays the next one; `nil` behind the last one.
  ///
  /// - Throws: What the source has thrown in its place.
  func peek() throws -> LogEvent? { try queue.peek() }

  /// The next event; `nil` behind the last one.
  ///
  /// - Throws: What the source has thrown in its place.
  func next(for reader: Reader = .replay) throws -> LogEvent? { try queue.next(for: reader) }

  /// An action with its change, when these are what comes next for all and nothing else has come of the action.
  ///
  /// They stay where they are.
  func peekPlainStep() -> (action: LogEvent.Action, change: LogEvent.Change)? {
    queue.peekPlainStep()
  }

  /// Takes an action and its change.
  ///
  /// - Parameter reader: Who takes them; all when nobody is named.
  func takeStep(for reader: Reader? = nil) { queue.takeStep(for: reader) }
}

private struct Queue {
  let source: LogComparison.Events
  let isShared: Bool
  /// What has been read and not been taken by all.
  private var waiting: [LogEvent] = []
  /// How many of those that wait the replay has taken.
  private var replayed = 0
  /// How many of those that wait the comparison has taken.
  private var compared = 0
  private var failure: (any Error)?
  private var isAtEnd = false

  init(source: @escaping LogComparison.Events, isShared: Bool) {
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

  mutating func peekPlainStep() -> (action: LogEvent.Action, change: LogEvent.Change)? {
    // An error is met where it stands.
    guard isShared, replayed == compared, case .action(let action)? = try? event(at: replayed),
      case .change(let change)? = try? event(at: replayed + 1),
      change.seq == action.seq, change.effects.isEmpty
    else { return nil }
    return (action, change)
  }

  mutating func takeStep(for reader: RecordedEvents.Reader?) {
    if reader != .comparison { replayed += 2 }
    if reader != .replay { compared += 2 }
    drop()
  }

  private mutating func event(at position: Int) throws -> LogEvent? {
    while position >= waiting.count {
      if let failure { throw failure }
      guard !isAtEnd else { return nil }
      do {
        guard let event = try source() else {
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
