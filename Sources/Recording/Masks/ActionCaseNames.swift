/// Functions that find the case names of a nested action, from the outermost to the innermost.
enum ActionCaseNames {
  /// Returns the name of the action's case, followed by the names of the nested cases in its payloads.
  ///
  /// The names come from the source code, never from values. The search ends at a type that has its own description or
  /// mirror.
  static func of(_ action: some Any) -> [String] {
    var names: [String] = []
    var value: Any = action
    while names.count < deepest, let (name, payload) = enumCase(of: value) {
      names.append(name)
      guard let payload else { break }
      value = payload
    }
    return names
  }

  /// The maximum nesting depth.
  ///
  /// Real features are not nested this deeply, so the limit only stops recursive types.
  private static let deepest = 32

  private static func enumCase(of value: Any) -> (name: String, payload: Any?)? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, !(value is any CustomReflectable) else { return nil }
    guard let child = mirror.children.first else {
      // A type with its own description can return any text, which may not be a case name.
      guard !(value is any CustomStringConvertible) else { return nil }
      return (String(describing: value), nil)
    }
    return child.label.map { ($0, next(in: child.value)) }
  }

  /// Returns the nested action in a payload: the payload itself, or the `action` member of an element with an ID.
  private static func next(in payload: Any) -> Any? {
    let mirror = Mirror(reflecting: payload)
    guard mirror.displayStyle == .tuple else { return payload }
    return mirror.children.first { $0.label == "action" }?.value
  }
}
