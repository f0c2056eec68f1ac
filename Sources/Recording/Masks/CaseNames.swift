/// The names of the cases that lead through an action to what it does.
enum CaseNames {
  /// The names: of the action's case, and of the cases in its payloads as far as there is one way on.
  ///
  /// They are names of code, whatever the action holds. What describes itself is not asked.
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

  /// Features do not nest this deeply.
  private static let deepest = 32

  private static func enumCase(of value: Any) -> (name: String, payload: Any?)? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, !(value is any CustomReflectable) else { return nil }
    guard let child = mirror.children.first else {
      // The text of a type that describes itself may be anything.
      guard !(value is any CustomStringConvertible) else { return nil }
      return (String(describing: value), nil)
    }
    return child.label.map { ($0, next(in: child.value)) }
  }

  /// The part of a payload that leads on: all of it, or the action of an element with an id.
  private static func next(in payload: Any) -> Any? {
    let mirror = Mirror(reflecting: payload)
    guard mirror.displayStyle == .tuple else { return payload }
    return mirror.children.first { $0.label == "action" }?.value
  }
}
