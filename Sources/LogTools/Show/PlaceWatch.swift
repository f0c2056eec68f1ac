import ActionLog
import ReplayEngine

/// Watches the values at a place, which may be many places: `rows[*].title`.
package struct PlaceWatch: Sendable {
  /// A change of the value at one place.
  package struct WatchedChange: Equatable, Sendable {
    /// The place as people read it; empty when the watched place is one alone.
    package let place: String
    package let pointer: JSON.Pointer
    package let before: JSON?
    package let after: JSON?
  }

  package let place: ValuePath
  private let stem: [UInt8]
  private let isOne: Bool

  package init(_ place: ValuePath) {
    self.place = place
    stem = Array(place.stem.description.utf8)
    isOne = !place.standsForMany
  }

  /// Whether an event may change a value at the place: a reference to it would make any change copy it.
  package func isTouched(by event: LogEvent) -> Bool {
    guard event.leadsToState else { return false }
    return if case .patch(let patch) = event.stateUpdate { patch.touches(stem) } else { true }
  }

  /// A value at the place.
  package struct WatchedValue: Sendable {
    package let pointer: JSON.Pointer
    package let value: JSON
    /// What stays the same when rows come and go before it: the pointer with the ids of rows in the place of their indexes.
    fileprivate let key: [String]
  }

  /// The values in a state.
  package func items(in state: JSON?) -> [WatchedValue] {
    guard let state else { return [] }
    if isOne, let pointer = place.pointer {
      return state[pointer].map { [WatchedValue(pointer: pointer, value: $0, key: [])] } ?? []
    }
    guard case .found(let pointers) = place.resolve(in: state) else { return [] }
    return pointers.compactMap { pointer in
      state[pointer].map { value in
        WatchedValue(
          pointer: pointer,
          value: value,
          key: isOne ? [] : Self.key(of: pointer, in: state)
        )
      }
    }
  }

  private static func key(of pointer: JSON.Pointer, in state: JSON) -> [String] {
    var value: JSON? = state
    return pointer.tokens.map { token in
      let child = value?[JSON.Pointer([token])]
      defer { value = child }
      guard value?.array != nil, let id = child?["id"] else { return token }
      return "#\(id)"
    }
  }

  /// The changes between two states, in the order of the places; those of values that are gone come first.
  ///
  /// - Parameters:
  ///   - before: The values before.
  ///   - after: The values after.
  ///   - state: The state after, in which the places are written.
  /// - Returns: The changes.
  package func changes(
    from before: [WatchedValue],
    to after: [WatchedValue],
    in state: JSON?
  ) -> [WatchedChange] {
    let old = Dictionary(before.map { ($0.key, $0) }) { $1 }
    let new = Dictionary(after.map { ($0.key, $0) }) { $1 }
    let gone = before.filter { new[$0.key] == nil }
    return (gone + after).compactMap { item in
      let (before, after) = (old[item.key]?.value, new[item.key]?.value)
      guard before != after else { return nil }
      let place = isOne ? "" : Notation().pathText(item.pointer, in: state)
      return WatchedChange(place: place, pointer: item.pointer, before: before, after: after)
    }
  }
}
