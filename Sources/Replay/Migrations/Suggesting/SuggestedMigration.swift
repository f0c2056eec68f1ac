import ActionLog

/// A migration that was derived by comparing a log with the code.
package struct SuggestedMigration {
  /// The version at which the migration starts.
  package let version: Int
  var state: [SuggestedChange] = []
  var action: [SuggestedChange] = []
  var reads: [NamedValueChanges] = []
  var inputs: [NamedValueChanges] = []
  var cancelIDs: [NamedValueChanges] = []
  /// Descriptions of problems that a person must solve.
  package var unclear: [String] = []
  /// Descriptions of choices that a person should verify.
  var choices: [String] = []

  /// The changes to a named value: a read, an effect input, or a cancellation ID.
  struct NamedValueChanges: Equatable {
    let name: String
    var newName: String?
    var changes: [SuggestedChange] = []
    /// Whether the read must be removed, because the code no longer makes it.
    var isRemoved = false
  }

  init(from version: Int) { self.version = version }

  /// Whether the suggestion has no changes.
  package var isEmpty: Bool {
    state.isEmpty && action.isEmpty && reads.isEmpty && inputs.isEmpty && cancelIDs.isEmpty
  }

  /// A migration that applies the suggested changes.
  var migration: Migration {
    let (state, action) = (state, action)
    let (reads, inputs, cancelIDs) = (reads, inputs, cancelIDs)
    return Migration(from: version) { value in
      for change in state { try change.apply(to: &value) }
    } action: { value in
      for change in action { try change.apply(to: &value) }
    } read: { read in
      guard let found = reads.first(where: { $0.name == read.key }) else { return }
      if found.isRemoved { read.remove() }
      for change in found.changes { try change.apply(to: &read.value) }
      read.key = found.newName ?? read.key
    } input: { input in
      guard let found = inputs.first(where: { $0.name == input.name }) else { return }
      for change in found.changes { try change.apply(to: &input.value) }
      input.name = found.newName ?? input.name
    } cancelID: { id in
      guard let found = cancelIDs.first(where: { $0.name == id.type }) else { return }
      for change in found.changes { try change.apply(to: &id.value) }
      id.type = found.newName ?? id.type
    }
  }

  /// The Swift code of the migration, preceded by comments about problems and choices.
  package var swift: String {
    let parts = [
      closure("state", state.map { $0.swift("state") }),
      closure("action", action.map { $0.swift("action") }),
      closure("read", reads.flatMap { Self.statements($0, "read", "key", "read.value") }),
      closure("input", inputs.flatMap { Self.statements($0, "input", "name", "input.value") }),
      closure("cancelID", cancelIDs.flatMap { Self.statements($0, "id", "type", "id.value") }),
    ]
    .filter { !$0.isEmpty }
    let comments = (unclear + choices).map { "// \(Notation.visible($0))\n" }.joined()
    let head = "Migration(\n  from: \(version)"
    return comments + ([head] + parts).joined(separator: ",\n") + "\n)\n"
  }

  private func closure(_ label: String, _ statements: [String]) -> String {
    guard !statements.isEmpty else { return "" }
    let name = label == "cancelID" ? "id" : label
    return "  \(label): { \(name) in\n" + statements.map { "    \($0)\n" }.joined() + "  }"
  }

  private static func statements(
    _ renamed: NamedValueChanges,
    _ variable: String,
    _ member: String,
    _ value: String
  ) -> [String] {
    var statements = renamed.changes.map { $0.swift(value) }
    if let name = renamed.newName {
      statements.append("\(variable).\(member) = \(SwiftLiteral.text(name))")
    }
    if renamed.isRemoved { statements.append("\(variable).remove()") }
    return ["if \(variable).\(member) == \(SwiftLiteral.text(renamed.name)) {"]
      + statements.map { "  \($0)" } + ["}"]
  }
}
