extension EnumCase {
  var elements: [TypeReference.Element] { payload ?? [] }

  /// Whether the payload is `Never`, so that no value can have this case.
  ///
  /// Code that uses such a payload would produce a compiler warning that it is never executed.
  var isImpossible: Bool {
    elements.contains { $0.type.components?.last?.name == "Never" }
  }

  /// Returns the type of the values to which the case path of this case leads.
  func payloadType(_ rename: (TypeReference) -> String = \.text) -> String {
    switch elements.count {
    case 0: return "Swift.Void"
    case 1: return rename(elements[0].type)
    default:
      let types = elements.map { element in
        (element.argumentLabel.map { IdentifierSpelling.quotedLabel($0) + ": " } ?? "")
          + rename(element.type)
      }
      return "(\(types.joined(separator: ", ")))"
    }
  }

  /// A pattern that binds the associated values, for use after `let`: `.name(_0, _1)`.
  var bindingPattern: String {
    let names = elements.indices.map { "_\($0)" }
    return ".\(name.text)" + (names.isEmpty ? "" : "(\(names.joined(separator: ", ")))")
  }

  /// Returns an expression that creates the case from values: `.name(label: a, b)`.
  ///
  /// Omits values that are `nil`.
  func construction(of values: [String?]) -> String {
    let arguments = zip(elements, values).compactMap { element, value in
      value.map {
        (element.argumentLabel.map { "\(IdentifierSpelling.quotedLabel($0)): " } ?? "") + $0
      }
    }
    return ".\(name.text)" + (elements.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
  }

  /// Whether each associated value has a default and can be omitted, even if all such values are omitted at once.
  ///
  /// A value without a label can't be omitted if another unlabeled value follows, because that one would take its
  /// position.
  var omissibleElements: [Bool] {
    var isFollowed = false
    return elements.reversed().map { element in
      let isUnlabelled = element.argumentLabel == nil
      if element.defaultValue != nil, !(isUnlabelled && isFollowed) { return true }
      isFollowed = isFollowed || isUnlabelled
      return false
    }.reversed()
  }
}

extension TypeReference.Element {
  /// The label at the call site, or `nil` for `_`.
  var argumentLabel: String? { label == "_" ? nil : label }
}

extension NominalType {
  /// The cases of an enum, including those inside `#if`.
  var cases: [EnumCase] {
    declarations.flatMap { declaration -> [EnumCase] in
      if case .cases(let cases) = declaration.content { cases } else { [] }
    }
  }
}

extension NominalType {
  /// The cases with the name of an earlier case, from which only their labels differ.
  ///
  /// Exclusive branches of one `#if` may repeat a name.
  var overloadedCases: [EnumCase] {
    var seen: Set<String> = []
    return members.flatMap { member -> [EnumCase] in
      guard case .declaration(let declaration) = member,
        case .cases(let cases) = declaration.content
      else { return [] }
      return cases.filter { !seen.insert($0.name.name).inserted }
    }
  }
}

extension NominalType {
  /// Returns the names that can't follow a type or occur in a key path, even in backticks.
  ///
  /// - Parameter usesPaths: Whether generated code names all cases, not only those with a payload.
  /// - Returns: The names of such members.
  func unnamableMembers(withPaths usesPaths: Bool) -> [Snippet] {
    let cases = cases.filter { usesPaths || !$0.elements.isEmpty }.map(\.name)
    let properties = declarations.flatMap { declaration in
      declaration.attribute("LogIgnored") == nil ? declaration.storedProperties.map(\.name) : []
    }
    return (cases + properties).filter { ["self", "Type", "Protocol"].contains($0.name) }
  }

  /// Whether generated code can name the members and distinguish the cases.
  func hasUsableNames(withPaths usesPaths: Bool = false) -> Bool {
    overloadedCases.isEmpty && unnamableMembers(withPaths: usesPaths).isEmpty
  }
}

extension MacroContext {
  /// Reports cases with equal names, and names that generated code can't use.
  ///
  /// Case paths are properties, and logs identify cases by name, so the names must be unique.
  ///
  /// - Returns: Whether all names are usable.
  func checkNames(of type: NominalType, withPaths usesPaths: Bool = false) -> Bool {
    // The macros of nested types have names with a prefix and a number, such as `_LogValue1`.
    let macro = String(attribute.baseName.drop { $0 == "_" }.prefix(while: \.isLetter))
    for enumCase in type.overloadedCases {
      diagnose(
        .overloadedCase(macro: macro, name: enumCase.name.name),
        at: enumCase.name.range
      )
    }
    for name in type.unnamableMembers(withPaths: usesPaths) {
      diagnose(.unnamableMember(macro: macro, name: name.name), at: name.range)
    }
    return !hasErrors
  }
}

extension NominalType {
  /// Whether this enum is known to have values.
  ///
  /// The compiler rejects a `switch` over an enum whose payloads are all enums without cases. A macro can't detect
  /// this, so only cases with payloads that are known to have values count.
  var isSurelyInhabited: Bool {
    cases.contains { $0.elements.allSatisfy(\.type.isSurelyInhabited) }
  }
}

extension TypeReference {
  fileprivate var isSurelyInhabited: Bool {
    switch shape {
    case .optional, .function, .constrained, .other: true
    case .named(let components): Self.inhabited.contains(components.last?.name ?? "")
    case .attributed(_, let type): type.isSurelyInhabited
    case .tuple(let elements): elements.allSatisfy(\.type.isSurelyInhabited)
    case .implicitlyUnwrapped: true
    }
  }

  private static let inhabited: Set<String> = [
    "Array", "Bool", "Character", "Data", "Date", "Decimal", "Dictionary", "Double", "Duration",
    "Float", "Int", "Int64", "Optional", "Set", "String", "UInt", "URL", "UUID", "Void",
  ]
}

extension TypeReference {
  /// Returns the text of the type with names replaced, except after a dot.
  func renaming(_ names: [String: String]) -> String {
    guard let tokens = try? Lexer.tokens(of: SourceText(text)) else { return text }
    let bytes = Array(text.utf8)
    var result = ""
    var position = 0
    for (index, token) in tokens.enumerated() {
      guard let name = names[token.text], index == 0 || !tokens[index - 1].is(".") else { continue }
      if index + 1 < tokens.count, tokens[index + 1].is(":") { continue }
      result += String(decoding: bytes[position..<token.range.lowerBound], as: UTF8.self) + name
      position = token.range.upperBound
    }
    return result + String(decoding: bytes[position...], as: UTF8.self)
  }

  /// Whether the type contains a name, except after a dot.
  func mentions(_ name: String) -> Bool {
    renaming([name: "\u{0}"]).contains("\u{0}")
  }
}
