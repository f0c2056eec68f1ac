import ActionLog
import ReplayEngine

/// Tracks the values at a path, which can match several values, such as `rows[*].title`.
package struct PathWatch: Sendable {
  /// A value at the tracked path that has changed, appeared, or disappeared.
  package struct WatchedChange: Equatable, Sendable {
    /// The path of the value as displayed text; empty if the tracked path can match only one value.
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

  /// Returns whether an event may change a value at the path.
  ///
  /// Check this before reading values. A reference to a value makes every change copy the value.
  package func isTouched(by event: LogEvent) -> Bool {
    guard event.leadsToState else { return false }
    return if case .patch(let patch) = event.stateUpdate { patch.touches(stem) } else { true }
  }

  /// A value that the tracked path matches in a state.
  package struct WatchedValue: Sendable {
    package let pointer: JSON.Pointer
    package let value: JSON
    /// The tokens of the pointer, with row ids instead of indexes, so that other rows don't affect the key.
    fileprivate let key: [String]
  }

  /// Returns the values that the path matches in a state.
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

  /// Returns the values that differ between two states: removed values first, then the others in their later order.
  ///
  /// - Parameters:
  ///   - before: The values in the earlier state.
  ///   - after: The values in the later state.
  ///   - state: The later state, which is needed to display paths.
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
