import ActionLog
import ReplayEngine

/// Tracks values at paths of the state as numbers, for counters in the trace.
struct TraceCounters {
  private struct Counter {
    let watch: PathWatch
    var value: Double?
    var isFound = false
  }

  private var counters: [Counter]
  /// Whether the next state must be examined even if its event does not touch a path.
  private var isLookDue = true

  init(_ places: [ValuePath]) {
    counters = places.map { Counter(watch: PathWatch($0)) }
  }

  /// Forgets the last values, because the next state does not follow from the last one.
  mutating func restart() {
    isLookDue = true
    for index in counters.indices { counters[index].value = nil }
  }

  /// Returns whether an event may change a counter's value.
  func isAffected(by event: LogEvent) -> Bool {
    guard !counters.isEmpty, event.leadsToState else { return false }
    return isLookDue || counters.contains { $0.watch.isTouched(by: event) }
  }

  /// Returns the counters whose values have changed since the last call.
  ///
  /// Ignores values that are not finite.
  mutating func changes(in state: JSON) -> [(name: String, value: Double)] {
    isLookDue = false
    var changes: [(name: String, value: Double)] = []
    for index in counters.indices {
      let items = counters[index].watch.items(in: state)
      if !items.isEmpty { counters[index].isFound = true }
      let value = items.reduce(0) { $0 + Self.number($1.value) }
      guard value.isFinite, value != counters[index].value else { continue }
      counters[index].value = value
      changes.append((counters[index].watch.place.description, value))
    }
    return changes
  }

  /// Returns the part of a path that resolves in a state.
  ///
  /// Returns `nil` if the path had a value in any state so far, or if `state` is `nil`.
  func missing(_ index: Int, in state: JSON?) -> UnresolvedPath? {
    guard !counters[index].isFound, let state else { return nil }
    return UnresolvedPath(counters[index].watch.place, in: state)
  }

  /// Converts a value to a number.
  ///
  /// The result is the value itself for a number, 1 for `true`, the count of a container, the length of a string in
  /// characters, and 0 for `false` and `null`.
  private static func number(_ value: JSON) -> Double {
    switch value {
    case .null: 0
    case .bool(let isTrue): isTrue ? 1 : 0
    case .number(let number): number.double
    case .string(let text): Double(text.count)
    case .array(let elements): Double(elements.count)
    case .object(let members): Double(members.count)
    }
  }
}
