import ActionLog

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
    if TypeCapabilities.of(State.self).isPlain { return nil }
    var seen: Set<ObjectIdentifier> = []
    // No recursion: states may be nested deeply.
    var waiting: [Any] = [state]
    while let value = waiting.popLast() {
      let type = type(of: value)
      if value is ObservationStateRegistrar || TypeCapabilities.of(type).isPlain { continue }
      if let shared = value as? any SharedHolder {
        let root = shared.sharedRoot
        if seen.insert(ObjectIdentifier(root)).inserted { waiting.append(root.erasedValue) }
        continue
      }
      if value is AnyKeyPath { continue }
      let mirror = Mirror(reflecting: value)
      // A function has neither a style nor children.
      let isFunction = mirror.displayStyle == nil && String(reflecting: type).contains("->")
      if mirror.displayStyle == .class || isFunction { return LogTypeName.of(type) }
      waiting += mirror.children.map(\.value)
    }
    return nil
  }
}
