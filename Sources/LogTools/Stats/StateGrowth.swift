import ActionLog

/// The growth of the state of a log, in bytes of JSON.
struct StateGrowth: Equatable {
  /// The sizes of a state.
  struct Sizes: Equatable {
    let seq: Int
    let bytes: Int
    /// The sizes of the state's members, if it has any.
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
  /// The largest measured state.
  private(set) var largest: (seq: Int, bytes: Int)?
  /// The first change that does not fit the state before it.
  private(set) var broken: LogCursor.BrokenPatch?
  private var cursor = LogCursor()
  /// The bytes of the events since the last measured state, and the bytes of that state.
  private var (written, measured) = (0, 0)
  /// The bytes of all events and of all measured states since the last checkpoint.
  private var (total, spent) = (0, 0)
  /// The number of bytes at the start of a log in which every state may be measured, because each state of a short log
  /// counts.
  private static let free = 1 << 20

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.first == rhs.first && lhs.last == rhs.last && lhs.largest?.bytes == rhs.largest?.bytes
  }

  /// Adds an event and the number of its bytes.
  ///
  /// Each checkpoint is measured. A later state is measured if the events since the last measurement have at least as
  /// many bytes as the last measured state. The measured bytes must also not exceed a quarter of the read bytes, so
  /// that measuring takes a small part of the time. The decision depends on nothing before the checkpoint, so the
  /// ranges of a log can be read separately.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - bytes: The length of its line.
  ///   - position: The number of bytes of the log before it.
  mutating func add(_ event: LogEvent, bytes: Int, at position: Int) {
    do throws(LogCursor.BrokenPatch) {
      try cursor.move(to: event)
      try cursor.apply()
    } catch {
      // The next checkpoint contains the state again.
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

  /// Adds the results of the next range of the log, which starts at a checkpoint.
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

  /// Measures the last state.
  mutating func finish() {
    guard let state = cursor.state else { return }
    measure(state)
    last = Sizes(state, after: cursor.seq ?? 0)
  }

  /// Returns the members that have grown most, with their sizes at the start and at the end.
  func grown(_ count: Int) -> [(name: String, from: Int, to: Int)] {
    guard let first, let last else { return [] }
    let members = last.members.map { ($0.key, first.members[$0.key] ?? 0, $0.value) }
    let grown = members.filter { $0.2 > $0.1 }.sorted {
      ($1.2 - $1.1, $0.0) < ($0.2 - $0.1, $1.0)
    }
    return grown.prefix(count).map { (name: $0.0, from: $0.1, to: $0.2) }
  }
}
