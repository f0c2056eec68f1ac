import ActionLog

/// How the state of a log has grown, in bytes of JSON.
struct StateGrowth: Equatable {
  /// The sizes of a state.
  struct Sizes: Equatable {
    let seq: Int
    let bytes: Int
    /// The sizes of its members, if it has any.
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
  /// The largest state of those that were measured.
  private(set) var largest: (seq: Int, bytes: Int)?
  /// The first change that does not fit the state before it.
  private(set) var broken: LogCursor.BrokenPatch?
  private var cursor = LogCursor()
  /// The bytes of the events since a state was measured, and of that state.
  private var (written, measured) = (0, 0)
  /// Since the last checkpoint: the bytes of all events, and of all states that were measured.
  private var (total, spent) = (0, 0)
  /// At the beginning of a log, in so many bytes, each state may be measured: of a short log each counts.
  private static let free = 1 << 20

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.first == rhs.first && lhs.last == rhs.last && lhs.largest?.bytes == rhs.largest?.bytes
  }

  /// Takes an event of so many bytes.
  ///
  /// Each checkpoint is measured. After it a state is measured when as many bytes were written since the last time as that one had, as long as
  /// all that was measured is no more than a quarter of what was read: so measuring takes a small part of the time. What is measured
  /// depends on nothing before the checkpoint, so that the stretches of a log can be read each for itself.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - bytes: The length of its line.
  ///   - position: The bytes of the log before it.
  mutating func add(_ event: LogEvent, bytes: Int, at position: Int) {
    do throws(LogCursor.BrokenPatch) {
      try cursor.move(to: event)
      try cursor.apply()
    } catch {
      // The next checkpoint has the state again.
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

  /// Takes what was found in the next stretch of the log, which begins at a checkpoint.
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

  /// Looks at the last state.
  mutating func finish() {
    guard let state = cursor.state else { return }
    measure(state)
    last = Sizes(state, after: cursor.seq ?? 0)
  }

  /// The members that have grown most, with their sizes at the start and at the end.
  func grown(_ count: Int) -> [(name: String, from: Int, to: Int)] {
    guard let first, let last else { return [] }
    let members = last.members.map { ($0.key, first.members[$0.key] ?? 0, $0.value) }
    let grown = members.filter { $0.2 > $0.1 }.sorted {
      ($1.2 - $1.1, $0.0) < ($0.2 - $0.1, $1.0)
    }
    return grown.prefix(count).map { (name: $0.0, from: $0.1, to: $0.2) }
  }
}
