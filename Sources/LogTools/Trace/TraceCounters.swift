import ActionLog
import ReplayEngine

/// Tracks the values at paths of the state as numbers over time.
struct TraceCounters {
  private struct Counter {
    let watch: PathWatch
    var value: Double?
    var isFound = false
  }

  private var counters: [Counter]
  /// Whether the state must be examined regardless of the next change.
  private var isLookDue = true

  init(_ places: [ValuePath]) {
    counters = places.map { Counter(watch: PathWatch($0)) }
  }

  /// Clears the values, because the next state is unrelated.
  mutating func restart() {
    isLookDue = true
    for index in counters.indices { counters[index].value = nil }
  }

  /// Returns whether the state after an event must be examined.
  func isAffected(by event: LogEvent) -> Bool {
    guard !counters.isEmpty, event.leadsToState else { return false }
    return isLookDue || counters.contains { $0.watch.isTouched(by: event) }
  }

  /// Returns the paths with changed values in a state.
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

  /// Returns the resolved part of a path in a state; `nil` if this state or an earlier one has the path.
  func missing(_ index: Int, in state: JSON?) -> UnresolvedPath? {
    guard !counters[index].isFound, let state else { return nil }
    return UnresolvedPath(counters[index].watch.place, in: state)
  }

  /// Returns a value as a number: a number itself, 1 for true, the count of a container, the length of a text, and
  /// otherwise 0.
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
