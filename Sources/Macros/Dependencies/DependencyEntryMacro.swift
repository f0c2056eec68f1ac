/// The `@DependencyEntry` macro.
///
/// Generates a key for a property of `DependencyValues`.
enum DependencyEntryMacro: Macro {
  static func accessors(in context: MacroContext) -> [String] {
    guard let entry = EntryProperty(context, reporting: true) else { return [] }
    return [
      "get { self[\(entry.key).self] }",
      "set { self[\(entry.key).self] = newValue }",
      "_modify { yield &self[\(entry.key).self] }",
    ]
  }

  static func peers(in context: MacroContext) -> [String] {
    guard let entry = EntryProperty(context, reporting: false) else { return [] }
    let isLive = entry.values.contains { $0.name == "liveValue" }
    var members = entry.values.map { name, value in
      guard let type = entry.type else {
        // Swift infers the type of the key's values only from stored properties.
        return "\(entry.memberAccess)static let \(name) = \(value)"
      }
      return "\(entry.memberAccess)static var \(name): \(type) { \(value) }"
    }
    if let type = entry.type {
      members.insert("\(entry.memberAccess)typealias Value = \(type)", at: 0)
    }
    return [
      """
      \(entry.access)enum \(entry.key): TCACore.\(isLive ? "DependencyKey" : "TestDependencyKey") {
      \(members.indented())
      }
      """
    ]
  }

  private struct EntryProperty {
    let key: String
    /// The access level of the key.
    ///
    /// A key with a custom name has the access level of the property.
    let access: String
    let memberAccess: String
    /// The type of the value, or `nil` if it is inferred.
    let type: String?
    /// The values and the protocol requirements that they implement.
    let values: [(name: String, text: String)]

    init?(_ context: MacroContext, reporting: Bool) {
      let arguments = context.attribute.arguments ?? []
      let given = ["liveValue", "previewValue"].compactMap {
        (name: String) -> (name: String, text: String)? in
        arguments.first { $0.label == name }.map { (name: name, text: $0.value.text) }
      }
      guard let variable = context.declaration.variable, !variable.isLet,
        variable.bindings.count == 1, let binding = variable.bindings.first,
        let name = binding.names.first,
        binding.initialValue != nil || binding.type != nil && given.first?.name == "liveValue"
      else {
        if reporting { context.diagnoseAttribute(.entryNeedsValue) }
        return nil
      }
      let testValue = binding.initialValue.map { (name: "testValue", text: $0.text) }
      values = (testValue.map { [$0] } ?? []) + given
      type = binding.type?.text
      let ownName = arguments.first { $0.label == nil }?.value.text
      guard let ownName, ownName.first == "\"", ownName.count > 2 else {
        key = name.prefixed("__Key_")
        access = "private "
        memberAccess = ""
        return
      }
      key = String(ownName.dropFirst().dropLast())
      let outer = context.request.lexicalContext.first?.accessLevel
      let level = context.declaration.accessLevel ?? outer
      access = level.map { $0 + " " } ?? ""
      memberAccess = level == "public" || level == "package" ? access : ""
    }
  }
}
