extension EnumCase {
  var elements: [TypeReference.Element] { payload ?? [] }

  /// Whether the payload is `Never`, so that no value can have this case.
  ///
  /// The compiler would report code that uses such a payload as never executed.
  var isImpossible: Bool {
    elements.contains { $0.type.components?.last?.name == "Never" }
  }

  /// The type that the case path of this case leads to.
  func payloadType(_ rename: (TypeReference) -> String = \.text) -> String {
    switch elements.count {
    case 0: return "Swift.Void"
    case 1: return rename(elements[0].type)
    default:
      let types = elements.map { element in
        (element.argumentLabel.map { $0 + ": " } ?? "") + rename(element.type)
      }
      return "(\(types.joined(separator: ", ")))"
    }
  }

  /// `.name(_0, _1)`: a pattern that binds the associated values, after `let`.
  var bindingPattern: String {
    let names = elements.indices.map { "_\($0)" }
    return ".\(name.text)" + (names.isEmpty ? "" : "(\(names.joined(separator: ", ")))")
  }

  /// `.name(label: a, b)`: makes the case of the given values; what is nil is left to its default.
  func construction(of values: [String?]) -> String {
    let arguments = zip(elements, values).compactMap { element, value in
      value.map { (element.argumentLabel.map { "\(quoted($0)): " } ?? "") + $0 }
    }
    return ".\(name.text)" + (elements.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
  }

  /// Which of the associated values have a default and may be left out, all of them at once.
  ///
  /// One without a label may not where another without a label follows, which would take its place.
  var omissibleElements: [Bool] {
    var isFollowed = false
    return elements.reversed().map { element in
      let isUnlabelled = element.argumentLabel == nil
      if element.defaultValue != nil, !(isUnlabelled && isFollowed) { return true }
      isFollowed = isFollowed || isUnlabelled
      return false
    }.reversed()
  }

  private func quoted(_ label: String) -> String {
    label == "inout" || label == "var" || label == "let" ? "`\(label)`" : label
  }
}

extension TypeReference.Element {
  /// The label that a caller states; none for `_`.
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
  /// Whether this enum surely has values.
  ///
  /// The compiler refuses a `switch` over an enum whose payloads are all enums without cases. That cannot be seen from
  /// here, so only cases whose payload surely has values count.
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
  /// The text of the type with names replaced, except after a dot.
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

  /// Whether the type contains a name, other than after a dot.
  func mentions(_ name: String) -> Bool {
    renaming([name: "\u{0}"]).contains("\u{0}")
  }
}
