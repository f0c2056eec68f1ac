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
