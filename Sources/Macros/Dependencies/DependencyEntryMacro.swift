/// `@DependencyEntry`: a key for a property of `DependencyValues`.
enum DependencyEntryMacro: Macro {
  static func accessors(in context: MacroContext) -> [String] {
    guard let entry = Entry(context, reporting: true) else { return [] }
    return [
      "get { self[\(entry.key).self] }",
      "set { self[\(entry.key).self] = newValue }",
      "_modify { yield &self[\(entry.key).self] }",
    ]
  }

  static func peers(in context: MacroContext) -> [String] {
    guard let entry = Entry(context, reporting: false) else { return [] }
    let arguments = context.attribute.arguments ?? []
    var values = [("testValue", entry.testValue)]
    for name in ["liveValue", "previewValue"] {
      if let argument = arguments.first(where: { $0.label == name }) {
        values.append((name, argument.value.text))
      }
    }
    let isLive = values.contains { $0.0 == "liveValue" }
    let properties = values.map { name, value in
      "static var \(name): \(entry.type) { \(value) }"
    }
    return [
      """
      private enum \(entry.key): TCACore.\(isLive ? "DependencyKey" : "TestDependencyKey") {
        typealias Value = \(entry.type)
      \(properties.indented())
      }
      """
    ]
  }

  private struct Entry {
    let key: String
    let type: String
    let testValue: String

    init?(_ context: MacroContext, reporting: Bool) {
      guard let variable = context.declaration.variable, !variable.isLet,
        variable.bindings.count == 1, let binding = variable.bindings.first,
        let name = binding.names.first, let type = binding.type,
        let value = binding.initialValue
      else {
        if reporting { context.diagnoseAttribute(.entryNeedsTypeAndValue) }
        return nil
      }
      key = "__Key_\(name.name)"
      self.type = type.text
      testValue = value.text
    }
  }
}
