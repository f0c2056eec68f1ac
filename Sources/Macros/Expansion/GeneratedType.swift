/// A State or Action that is generated whole, with all that macros would add to it.
///
/// It carries no macros itself: the compiler expands extension macros of generated types so late that it can lose its
/// place in the file.
struct GeneratedType {
  let name: String
  let access: String
  var modifiers = ""
  var conformances: [String] = []
  /// The declarations that a user would have written.
  let members: [String]
  var isObservable = false

  /// An enum with case paths.
  var asEnum: String {
    let protocols =
      ["TCACore.CasePathable", "TCACore.CasePathIterable", "TCACore.LogValue"] + observableProtocols
      + conformances
    guard let type = scanned(as: "enum") else { return "" }
    let generated =
      CasePathableMacro.members(of: type, access: access)
      + LogValueConformance.ofEnum(type, access: access).members
      + (isObservable ? ObservableEnum(type: type, access: access).members : [])
    return text("enum", protocols, generated)
  }

  /// A struct without stored properties.
  var asStruct: String {
    guard let type = scanned(as: "struct") else { return "" }
    let log = LogValueConformance.ofStruct(type, access: access, isObservable: isObservable)
    let generated =
      log.members + (isObservable ? ObservableStateMacro.structMembers(access: access) : [])
    return text("struct", log.protocols + observableProtocols + conformances, generated)
  }

  private var observableProtocols: [String] {
    isObservable ? ["TCACore.ObservableState", "Observation.Observable"] : []
  }

  private func scanned(as introducer: String) -> NominalType? {
    let source = SourceText("\(introducer) \(name) {\n\(members.joined(separator: "\n"))\n}")
    return (try? Scanner.declaration(in: source))?.nominal
  }

  private func text(
    _ introducer: String,
    _ protocols: [String],
    _ generated: [String]
  ) -> String {
    """
    \(access)\(modifiers)\(introducer) \(name): \(protocols.joined(separator: ", ")) {
    \((members + generated).indented())
    }
    """
  }
}
