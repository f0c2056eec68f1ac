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
  /// Whether the payloads of its cases are members of a value.
  var hasDynamicMembers = false

  /// An enum with case paths.
  var asEnum: String {
    let protocols =
      ["TCACore.CasePathable", "TCACore.CasePathIterable", "ActionLog.LogValue"]
      + observableProtocols + conformances
    guard let type = scanned(as: "enum") else { return "" }
    let generated =
      CasePathableMacro.members(of: type, access: access)
      + (hasDynamicMembers ? PayloadProperties(type: type, access: access).members : [])
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

extension [Member] {
  /// Lines for the declarations among the members, under the same `#if` as these.
  ///
  /// Conditions under which there would be nothing at all fall away.
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

  /// Lines for the enum cases among the members, under the same `#if` as these.
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
  /// An attribute for generated code that names members of this type, which would be reported if one is deprecated.
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

  /// Marked as not to be used at all, so that generated code must not name it either.
  var isUnavailable: Bool {
    attributes.contains { attribute in
      attribute.name == "available"
        && attribute.arguments?.first?.value.text == "*"
        && attribute.arguments?.contains { $0.value.text == "unavailable" } == true
    }
  }
}
