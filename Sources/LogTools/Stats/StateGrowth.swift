import ActionLog

/// Measures how the state of a log grows, in bytes of JSON.
struct StateGrowth: Equatable {
  /// The size of a state and of its members, in bytes of JSON.
  struct Sizes: Equatable {
    let seq: Int
    let bytes: Int
    /// The size of each member; empty if the state is not an object.
    let members: [String: Int]

    init(_ state: JSON, after seq: Int) {
      self.seq = seq
      bytes = state.bytes.count
      var members: [String: Int] = [:]
      for (name, value) in state.object ?? [:] { members[name] = value.bytes.count }
      self.members = members
    }
  }

  private(set) var first: Sizes?
  private(set) var last: Sizes?
  /// The largest state that was measured, with its action number and its size in bytes.
  private(set) var largest: (seq: Int, bytes: Int)?
  /// The error of the first patch that did not fit the state before it.
  private(set) var broken: LogCursor.BrokenPatch?
  private var cursor = LogCursor()
  /// The size of the events since the last measurement, and the size of the state at that measurement.
  private var (written, measured) = (0, 0)
  /// The size of all events, and of all measured states, since the last checkpoint.
  private var (total, spent) = (0, 0)
  /// The number of bytes at the start of a log in which the total size of measured states is not limited.
  ///
  /// The states of a short log are therefore measured more often.
  private static let free = 1 << 20

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.first == rhs.first && lhs.last == rhs.last && lhs.largest?.bytes == rhs.largest?.bytes
  }

  /// Adds an event.
  ///
  /// The state of each checkpoint is measured. A later state is measured if the events since the last measurement have
  /// more bytes than the last measured state. After the first MiB of a log, there is a second condition: the states
  /// measured since the last checkpoint must have at most a quarter of the bytes of the events since then, so that
  /// measuring takes a small part of the time. The decision depends on no event before the last checkpoint, so the
  /// ranges of a log can be read separately.
  ///
  /// - Parameters:
  ///   - event: The event to add.
  ///   - bytes: The length of the event's line.
  ///   - position: The number of bytes in the log before the event.
  mutating func add(_ event: LogEvent, bytes: Int, at position: Int) {
    do throws(LogCursor.BrokenPatch) {
      try cursor.move(to: event)
      try cursor.apply()
    } catch {
      // The state is unknown until the next checkpoint.
      broken = broken ?? error
    }
    guard event.leadsToState, let state = cursor.state else { return }
    if first == nil { first = Sizes(state, after: cursor.seq ?? 0) }
    written += bytes
    total += bytes
    if case .checkpoint = event {
      (total, spent) = (bytes, 0)
      measure(state)
    } else if written > measured, position < Self.free || spent <= total / 4 {
      measure(state)
    }
  }

  /// Adds the results from the next range of the log, which starts with a checkpoint.
  mutating func add(_ next: StateGrowth) {
    first = first ?? next.first
    last = next.last
    broken = broken ?? next.broken
    if let found = next.largest, found.bytes > largest?.bytes ?? -1 { largest = found }
  }

  private mutating func measure(_ state: JSON) {
    (written, measured) = (0, state.bytes.count)
    spent += measured
    if measured > largest?.bytes ?? -1 { largest = (cursor.seq ?? 0, measured) }
  }

  /// Measures the last state of the log, if it is known.
  mutating func finish() {
    guard let state = cursor.state else { return }
    measure(state)
    last = Sizes(state, after: cursor.seq ?? 0)
  }

  /// Returns the `count` members that have grown most, with their sizes in bytes in the first and the last state.
  func grown(_ count: Int) -> [(name: String, from: Int, to: Int)] {
    guard let first, let last else { return [] }
    let members = last.members.map { ($0.key, first.members[$0.key] ?? 0, $0.value) }
    let grown = members.filter { $0.2 > $0.1 }.sorted {
      ($1.2 - $1.1, $0.0) < ($0.2 - $0.1, $1.0)
    }
    return grown.prefix(count).map { (name: $0.0, from: $0.1, to: $0.2) }
  }
}
