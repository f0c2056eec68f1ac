extension Scanner {
  /// Reads a type.
  mutating func type() throws(ScanError) -> TypeReference {
    let first = index
    let specifiers = try typeSpecifiers()
    let start = index
    let inner: TypeReference
    if let word = current, word.isWord("some") || word.isWord("any"), isAtTypeSpecifier {
      index += 1
      let constraint = try type()
      inner = reference(from: start, .constrained(word.text, constraint))
    } else {
      inner = try composition()
    }
    return specifiers.isEmpty ? inner : reference(from: first, .attributed(specifiers, inner))
  }

  private func reference(from first: Int, _ shape: TypeReference.Shape) -> TypeReference {
    TypeReference(snippet: snippet(from: first), shape: shape)
  }

  private mutating func typeSpecifiers() throws(ScanError) -> [String] {
    var specifiers: [String] = []
    while let token = current {
      if token.is("@") {
        specifiers.append(try attribute().snippet.text)
      } else if token.is("~") {
        index += 1
        specifiers.append("~")
      } else if Self.typeSpecifiers.contains(token.text), isAtTypeSpecifier {
        let first = index
        index += 1
        if isAt("("), Self.specifiersWithArguments.contains(token.text) { try skipBrackets() }
        specifiers.append(snippet(from: first).text)
      } else {
        break
      }
    }
    return specifiers
  }

  /// Whether the word here stands before a type, and is none itself.
  private var isAtTypeSpecifier: Bool {
    guard let token = current, token.kind == .identifier, let next = peek() else { return false }
    return next.kind == .identifier || next.is("(") || next.is("[") || next.is("@")
      || next.is("~") && token.text != "inout"
  }

  private static let typeSpecifiers: Set<String> = [
    "inout", "borrowing", "consuming", "__owned", "__shared", "sending", "isolated", "_const",
    "repeat", "each", "nonisolated", "dependsOn", "_lifetime",
  ]
  private static let specifiersWithArguments: Set<String> = [
    "nonisolated", "dependsOn", "_lifetime",
  ]

  /// `A & B`, or a single type.
  private mutating func composition() throws(ScanError) -> TypeReference {
    let first = index
    let type = try postfixType()
    guard isAt("&") else { return type }
    while accept("&") {
      _ = try typeSpecifiers()
      _ = try postfixType()
    }
    return reference(from: first, .other)
  }

  private mutating func postfixType() throws(ScanError) -> TypeReference {
    let first = index
    var type = try primaryType()
    while let token = current {
      if token.is("."), peek()?.kind == .identifier {
        index += 1
        let component = try component()
        if case .named(let components) = type.shape, !component.isMetatype {
          type = reference(from: first, .named(components + [component]))
        } else {
          type = reference(from: first, .other)
        }
      } else if token.is("?"), !token.hasSpaceBefore {
        index += 1
        type = reference(from: first, .optional(type))
      } else if token.is("!"), !token.hasSpaceBefore {
        index += 1
        type = reference(from: first, .implicitlyUnwrapped(type))
      } else if token.is("."), peek()?.is(".") == true, peek(2)?.is(".") == true {
        index += 3
        return reference(from: first, .other)
      } else {
        break
      }
    }
    return type
  }

  private mutating func primaryType() throws(ScanError) -> TypeReference {
    let first = index
    guard let token = current else { throw error(.expected("a type")) }
    if token.is("(") { return try tupleOrFunction() }
    if token.is("[") {
      try skipBrackets()
      return reference(from: first, .other)
    }
    if token.kind == .number || (token.is("-") && peek()?.kind == .number) {
      index += token.kind == .number ? 1 : 2
      return reference(from: first, .other)
    }
    guard token.kind == .identifier else { throw error(.expected("a type")) }
    let component = try component()
    return reference(from: first, .named([component]))
  }

  private mutating func component() throws(ScanError) -> TypeReference.Component {
    let name = try identifier().name
    let arguments = isAt("<") ? try genericArguments() : []
    return TypeReference.Component(name: name, arguments: arguments)
  }

  /// Reads `<A, B>`.
  mutating func genericArguments() throws(ScanError) -> [TypeReference] {
    try expect("<")
    var arguments: [TypeReference] = []
    while !isAt(">") {
      arguments.append(try type())
      guard accept(",") else { break }
    }
    try expect(">")
    return arguments
  }
}

extension TypeReference.Component {
  /// `T.Type` and `T.Protocol` are no members of `T`.
  fileprivate var isMetatype: Bool { name == "Type" || name == "Protocol" }
}
