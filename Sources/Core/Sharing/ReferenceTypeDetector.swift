import ActionLog
import Synchronization

/// The search for objects and closures in a state, which a copy of the state doesn't capture.
///
/// An object is mutable, and a closure may refer to objects.
package enum ReferenceTypeDetector {
  /// Returns the name of the first object's or closure's type in a state, or `nil` if a copy captures the complete
  /// state.
  ///
  /// References to shared values don't count, because a replay tracks all of them, but the shared values themselves do.
  ///
  /// - Parameter state: The state to search.
  /// - Returns: The name of the type, or `nil` if there is no object or closure.
  package static func first<State>(in state: State) -> String? {
    // For most types, the static type proves that values contain no objects.
    if hasNoReferences(State.self) { return nil }
    var seen: Set<ObjectIdentifier> = []
    // Uses a list in place of recursion, because deeply nested states would overflow the stack.
    var waiting: [Any] = [state]
    while let value = waiting.popLast() {
      let type = type(of: value)
      if hasNoReferences(type) { continue }
      if let shared = value as? any SharedWrapper {
        let root = shared.sharedRoot
        if seen.insert(ObjectIdentifier(root)).inserted { waiting.append(root.erasedValue) }
        continue
      }
      let mirror = Mirror(reflecting: value)
      // The mirror of a function has neither a display style nor children.
      let isFunction = mirror.displayStyle == nil && String(reflecting: type).contains("->")
      if mirror.displayStyle == .class || isFunction { return LogTypeName.of(type) }
      waiting += mirror.children.map(\.value)
    }
    return nil
  }

  private static let known = Mutex<[ObjectIdentifier: Bool]>([:])
  private static let knownSharing = Mutex<[ObjectIdentifier: Bool]>([:])

  /// Returns whether the static types prove that no value of a type contains an object or a closure.
  static func hasNoReferences(_ type: Any.Type) -> Bool {
    // The types don't prove this for a shared value, which may belong to a larger value whose type is unknown here.
    scanParts(type, known) { type, stored in type is any SharedWrapper.Type ? nil : stored() }
  }

  /// Returns whether the static types prove that objects and closures occur only inside logged shared values.
  ///
  /// If so, `SharedValueIdentities` covers all of these objects and closures, because a log contains every such shared
  /// value.
  ///
  /// - Parameter type: The type to examine.
  /// - Returns: Whether the static types prove that there are no other objects or closures.
  package static func isOnlyInShared(_ type: Any.Type) -> Bool {
    scanParts(type, knownSharing) { type, stored in
      if type is any SharedWrapper.Type { return [] }
      guard let rest = stored()?.filter({ !hasNoReferences($0) }) else { return nil }
      // Members that logs omit can't be compared, so the log must contain each stored type.
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
  ///   - parts: A closure that returns the types to examine inside a type, or `nil` if they aren't known. It receives
  ///     the type and a function that returns its stored types.
  /// - Returns: Whether all types were examined, so that the property to prove holds.
  private static func scanParts(
    _ type: Any.Type,
    _ known: borrowing Mutex<[ObjectIdentifier: Bool]>,
    parts: (Any.Type, _ stored: () -> [Any.Type]?) -> [Any.Type]?
  ) -> Bool {
    let id = ObjectIdentifier(type)
    if let known = known.withLock({ $0[id] }) { return known }
    var seen: Set<ObjectIdentifier> = []
    var waiting = [type]
    var hasNoReferences = true
    while hasNoReferences, let type = waiting.popLast() {
      // Skips a type that has been examined, such as the recursive occurrence of a type in itself.
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      // Skips registrars and key paths, which don't affect the result of a reducer.
      if type == ObservationStateRegistrar.self || type is AnyKeyPath.Type { continue }
      if let parts = parts(type, { LogTypeSurvey.storedTypes(of: type) }) {
        waiting += parts
      } else {
        hasNoReferences = false
      }
    }
    known.withLock { $0[id] = hasNoReferences }
    return hasNoReferences
  }
}
