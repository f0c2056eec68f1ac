import ActionLog
import Synchronization

/// Looks for what a copy of a state does not hold: objects that change in place, and closures, which may refer to some.
package enum LiveObject {
  /// The type of the first such part of a state; `nil` when a copy holds all of it.
  ///
  /// Shared values are no such parts, for a replay knows them all, but what they hold counts.
  ///
  /// - Parameter state: The state.
  /// - Returns: The name of the type.
  package static func first<State>(in state: State) -> String? {
    // Most types say it without a look at their values.
    if isFree(State.self) { return nil }
    var seen: Set<ObjectIdentifier> = []
    // No recursion: states may be nested deeply.
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
      // A function has neither a style nor children.
      let isFunction = mirror.displayStyle == nil && String(reflecting: type).contains("->")
      if mirror.displayStyle == .class || isFunction { return LogTypeName.of(type) }
      waiting += mirror.children.map(\.value)
    }
    return nil
  }

  private static let known = Mutex<[ObjectIdentifier: Bool]>([:])
  private static let knownSharing = Mutex<[ObjectIdentifier: Bool]>([:])

  /// Whether no value of a type has such a part, as far as types tell.
  static func isFree(_ type: Any.Type) -> Bool {
    // What is shared may be a part of something larger, which the type does not tell.
    scan(type, known) { type, stored in type is any SharedHolder.Type ? nil : stored() }
  }

  /// Whether no value of a type has such a part outside of shared values, and a log has each of these, so that `SharedStanding` sees
  /// them all.
  ///
  /// - Parameter type: The type.
  /// - Returns: Whether types tell that.
  package static func isOnlyInShared(_ type: Any.Type) -> Bool {
    scan(type, knownSharing) { type, stored in
      if type is any SharedHolder.Type { return [] }
      guard let rest = stored()?.filter({ !isFree($0) }) else { return nil }
      // The members that a log leaves out have no place in it.
      var logged = LogTypeSurvey.loggedTypes(of: type) ?? []
      for part in rest {
        guard let index = logged.firstIndex(where: { $0 == part }) else { return nil }
        logged.remove(at: index)
      }
      return rest
    }
  }

  /// Looks at a type and all that its values store.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - known: What was found before.
  ///   - parts: The types to look at within a type, given what its values store; `nil` where a type does not tell.
  /// - Returns: Whether all types tell.
  private static func scan(
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
      // A type that contains itself says nothing new.
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      // Neither changes what a reducer does.
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
