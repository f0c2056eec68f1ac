import ActionLog
import ReplayEngine

/// Follows places of the state as numbers over time.
struct TraceCounters {
  private struct Counter {
    let watch: PlaceWatch
    var value: Double?
    var isFound = false
  }

  private var counters: [Counter]
  /// Whether the state is to be looked at, whatever the next event changes.
  private var isLookDue = true

  init(_ places: [ValuePath]) {
    counters = places.map { Counter(watch: PlaceWatch($0)) }
  }

  /// Forgets the values: what comes next is another state.
  mutating func restart() {
    isLookDue = true
    for index in counters.indices { counters[index].value = nil }
  }

  /// Whether the state after an event is to be looked at.
  func isAffected(by event: LogEvent) -> Bool {
    guard !counters.isEmpty, event.leadsToState else { return false }
    return isLookDue || counters.contains { $0.watch.isTouched(by: event) }
  }

  /// The places with other values than before, in a state.
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

  /// Where a place ends in a state; `nil` when it was found in some state, or this one has it.
  func missing(_ index: Int, in state: JSON?) -> UnresolvedPath? {
    guard !counters[index].isFound, let state else { return nil }
    return UnresolvedPath(counters[index].watch.place, in: state)
  }

  /// A value as a number: itself, 1 for true, the count of what it holds, the length of a text, 0 for nothing.
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
