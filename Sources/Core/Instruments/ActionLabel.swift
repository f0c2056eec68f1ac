/// The cases that an action stands in, without what they hold: `Todos.Action.todo(id: …, action: .toggled)`.
enum ActionLabel {
  /// As many levels of cases as a label shows.
  private static let deepest = 16

  static func of(_ action: Any) -> String {
    of(action, isRoot: true, depth: deepest) ?? DumpTypeName.short(type(of: action))
  }

  private static func of(_ value: Any, isRoot: Bool, depth: Int) -> String? {
    let mirror =
      (value as? any CustomDumpReflectable)?.customDumpMirror ?? Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, depth > 0 else { return nil }
    let type = isRoot ? DumpTypeName.short(mirror.subjectType) : ""
    guard let child = mirror.children.first, let name = child.label else {
      return "\(type).\(DumpText.caseName(of: value))"
    }
    let tuple = Mirror(reflecting: child.value)
    let payload = tuple.displayStyle == .tuple ? Array(tuple.children) : [(nil, child.value)]
    let labels = payload.map { label, value in
      let text =
        (value as? AnyKeyPath).map(DumpText.of) ?? of(value, isRoot: false, depth: depth - 1) ?? "…"
      return label.flatMap { $0.hasPrefix(".") ? nil : "\($0): \(text)" } ?? text
    }
    return "\(type).\(name)(\(labels.joined(separator: ", ")))"
  }
}
