/// The cases that an action stands in: `Todos.Action.todo(id: …, action: .toggled)`.
enum ActionLabel {
  /// As many levels of cases as a label shows.
  private static let deepest = 16
  /// How long a payload may be that a label shows.
  private static let widest = 60

  /// The cases without what they hold.
  static func of(_ action: Any) -> String {
    label(of: action, isRoot: true, depth: deepest) { _ in "…" }
      ?? DumpTypeName.short(type(of: action))
  }

  /// The cases with what they hold, on one line: `Todos.Action.todo(id: 1, action: .titleChanged("Milk"))`.
  static func whole(_ action: Any) -> String {
    label(of: action, isRoot: true, depth: deepest, payload) ?? payload(action)
  }

  /// A payload that is no case: shortened where it would not fit into a line.
  private static func payload(_ value: Any) -> String {
    var printer = DumpPrinter()
    let block = printer.block(of: DumpChild(value: value), depth: 4)
    if let line = block.singleLine, line.count <= widest { return line }
    let shape = printer.block(of: DumpChild(value: value), depth: 0)
    return shape.singleLine ?? "…"
  }

  private static func label(
    of value: Any,
    isRoot: Bool,
    depth: Int,
    _ payload: (Any) -> String
  ) -> String? {
    let mirror =
      (value as? any CustomDumpReflectable)?.customDumpMirror ?? Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, depth > 0 else { return nil }
    let type = isRoot ? DumpTypeName.short(mirror.subjectType) : ""
    guard let child = mirror.children.first, let name = child.label else {
      return "\(type).\(DumpText.caseName(of: value))"
    }
    let tuple = Mirror(reflecting: child.value)
    let members = tuple.displayStyle == .tuple ? Array(tuple.children) : [(nil, child.value)]
    let labels = members.map { label, value in
      let text =
        (value as? AnyKeyPath).map(DumpText.of)
        ?? Self.label(of: value, isRoot: false, depth: depth - 1, payload) ?? payload(value)
      return label.flatMap { $0.hasPrefix(".") ? nil : "\($0): \(text)" } ?? text
    }
    return "\(type).\(name)(\(labels.joined(separator: ", ")))"
  }
}
