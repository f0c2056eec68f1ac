import ActionLog
import Synchronization

/// Finds the parts of a state that a copy doesn't capture: mutable objects, and closures, which may refer to objects.
package enum LiveObject {
  /// Returns the type of the first object or closure in a state, or `nil` if a copy captures the complete state.
  ///
  /// Shared values don't count, because a replay tracks them all, but their contents do.
  ///
  /// - Parameter state: The state to search.
  /// - Returns: The name of the type.
  package static func first<State>(in state: State) -> String? {
    // Most types are known to be free of objects without examining a value.
    if isFree(State.self) { return nil }
    var seen: Set<ObjectIdentifier> = []
    // Iterates instead of recursing, because states may be deeply nested.
    var waiting: [Any] = [state]
    while let value = waiting.popLast() {
      let type = type(of: value)
      if isFree(type) { continue }
      if let shared = value as? any SharedHolder {
        let root = shared.sharedRoot
        if seen.insert(ObjectIdentifier(root)).inserted { waiting.append(root.erasedValue) }
        continue
      }
      let mirror = Mirror(reflecting: value)
      // The mirror of a function has no display style and no children.
      let isFunction = mirror.displayStyle == nil && String(reflecting: type).contains("->")
      if mirror.displayStyle == .class || isFunction { return LogTypeName.of(type) }
      waiting += mirror.children.map(\.value)
    }
    return nil
  }

  private static let known = Mutex<[ObjectIdentifier: Bool]>([:])
  private static let knownSharing = Mutex<[ObjectIdentifier: Bool]>([:])

  /// Whether static types prove that no value of a type contains an object or a closure.
  static func isFree(_ type: Any.Type) -> Bool {
    // A shared value may be a part of a larger one, whose type is unknown here.
    scanParts(type, known) { type, stored in type is any SharedHolder.Type ? nil : stored() }
  }

  /// Whether static types prove that objects and closures occur only inside logged shared values.
  ///
  /// `SharedStanding` can then detect all of them, because a log contains every such shared value.
  ///
  /// - Parameter type: The type to examine.
  /// - Returns: Whether the types prove it.
  package static func isOnlyInShared(_ type: Any.Type) -> Bool {
    scanParts(type, knownSharing) { type, stored in
      if type is any SharedHolder.Type { return [] }
      guard let rest = stored()?.filter({ !isFree($0) }) else { return nil }
      // Members that logs omit can't be compared, so each part must be logged.
      var logged = LogTypeSurvey.loggedTypes(of: type) ?? []
      for part in rest {
        guard let index = logged.firstIndex(where: { $0 == part }) else { return nil }
        logged.remove(at: index)
      }
      return rest
    }
  }

  /// Examines a type and all types that its values store.
  ///
  /// - Parameters:
  ///   - type: The type to examine.
  ///   - known: The cache of earlier results.
  ///   - parts: Returns the types to examine inside a type, given its stored types. Returns `nil` if they are unknown.
  /// - Returns: Whether all types could be examined.
  private static func scanParts(
    _ type: Any.Type,
    _ known: borrowing Mutex<[ObjectIdentifier: Bool]>,
    parts: (Any.Type, _ stored: () -> [Any.Type]?) -> [Any.Type]?
  ) -> Bool {
    let id = ObjectIdentifier(type)
    if let known = known.withLock({ $0[id] }) { return known }
    var seen: Set<ObjectIdentifier> = []
    var waiting = [type]
    var isFree = true
    while isFree, let type = waiting.popLast() {
      // A recursive occurrence adds no information.
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      // Registrars and key paths don't affect reducers.
      if type == ObservationStateRegistrar.self || type is AnyKeyPath.Type { continue }
      if let parts = parts(type, { LogTypeSurvey.storedTypes(of: type) }) {
        waiting += parts
      } else {
        isFree = false
      }
    }
    known.withLock { $0[id] = isFree }
    return isFree
  }
}
