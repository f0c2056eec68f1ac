/// A completely generated State or Action, including the code that macros would add to it.
///
/// It carries no macros itself. The compiler expands extension macros of generated types so late that it can lose their
/// source locations.
struct GeneratedType {
  let name: String
  let access: String
  var modifiers = ""
  var conformances: [String] = []
  /// The declarations that a user would write.
  let members: [String]
  var isObservable = false
  /// Whether the payloads of the cases are members of a value.
  var hasDynamicMembers = false

  /// The type as an enum with case paths.
  var asEnum: String {
    let protocols =
      ["TCACore.CasePathable", "TCACore.CasePathIterable", "ActionLog.LogValue"]
      + observableProtocols + conformances
    guard let type = scanned(as: "enum") else { return "" }
    let generated =
      CasePathableMacro.members(of: type, access: access)
      + (hasDynamicMembers ? CasePayloadAccessors(type: type, access: access).members : [])
      + LogValueConformance.ofEnum(type, access: access).members
      + (isObservable ? ObservableEnum(type: type, access: access).members : [])
    return text("enum", protocols, generated)
  }

  /// The type as a structure without stored properties.
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

extension [Member] {
  /// Returns lines for each declaration, under the same `#if` conditions as the declarations.
  ///
  /// Omits conditions without lines.
  func lines(_ lines: (Declaration) -> [String]) -> [String] {
    flatMap { member -> [String] in
      switch member {
      case .declaration(let declaration): return lines(declaration)
      case .conditional(let clauses):
        var clauseLines = clauses.map { ($0.directive.text, $0.members.lines(lines)) }
        while clauseLines.last?.1.isEmpty == true { clauseLines.removeLast() }
        if clauseLines.isEmpty { return [] }
        return clauseLines.flatMap { [$0.0] + $0.1 } + ["#endif"]
      }
    }
  }

  /// Returns lines for each enum case, under the same `#if` conditions as the cases.
  func caseLines(_ lines: (EnumCase, Declaration) -> [String]) -> [String] {
    self.lines { declaration in
      guard case .cases(let cases) = declaration.content, !declaration.isUnavailable else {
        return []
      }
      return cases.flatMap { lines($0, declaration) }
    }
  }
}

extension [String] {
  func indented(by spaces: Int = 2) -> String {
    let blanks = String(repeating: " ", count: spaces)
    return flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      .map { $0.isEmpty ? "" : blanks + $0 }
      .joined(separator: "\n")
  }
}

extension NominalType {
  /// An attribute that suppresses warnings in generated code if members of this type are deprecated.
  var deprecation: String {
    let isNeeded = declarations.contains { declaration in
      if case .cases = declaration.content { return declaration.isDeprecated }
      return declaration.isDeprecated && !declaration.storedProperties.isEmpty
    }
    return isNeeded ? "@available(*, deprecated)\n" : ""
  }
}

extension Declaration {
  fileprivate var isDeprecated: Bool {
    attributes.contains { attribute in
      attribute.name == "available"
        && attribute.arguments?.contains {
          $0.value.text == "deprecated" || $0.label == "deprecated"
        }
          == true
    }
  }

  /// Whether the declaration is marked unavailable.
  ///
  /// Generated code must not name it.
  var isUnavailable: Bool {
    attributes.contains { attribute in
      attribute.name == "available"
        && attribute.arguments?.first?.value.text == "*"
        && attribute.arguments?.contains { $0.value.text == "unavailable" } == true
    }
  }
}
