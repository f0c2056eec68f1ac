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

  /// Whether the keyword here precedes a type and isn't one itself.
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

  /// Reads a composition `A & B`, or a single type.
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
  /// Whether the component is the suffix of a metatype.
  ///
  /// `T.Type` and `T.Protocol` aren't members of `T`.
  fileprivate var isMetatype: Bool { name == "Type" || name == "Protocol" }
}

extension Scanner {
  /// Reads `(A, b: B)` or `(A, B) async throws -> C`.
  private mutating func tupleOrFunction() throws(ScanError) -> TypeReference {
    let first = index
    let elements = try parameterList()
    let tuple = TypeReference(snippet: snippet(from: first), shape: .tuple(elements))
    let start = index
    let effects = try effects()
    guard current?.kind == .arrow else {
      index = start
      return tuple
    }
    index += 1
    let result = try type()
    let function = TypeReference.FunctionType(
      parameters: elements,
      isAsync: effects.isAsync,
      isThrowing: effects.isThrowing,
      thrownType: effects.thrownType,
      result: result
    )
    return TypeReference(snippet: snippet(from: first), shape: .function(function))
  }

  /// The specifiers between the parameters of a function and its arrow.
  struct Effects {
    var isAsync = false
    var isThrowing = false
    var thrownType: String?
  }

  mutating func effects() throws(ScanError) -> Effects {
    var effects = Effects()
    while let token = current {
      if token.isWord("async") || token.isWord("reasync") {
        effects.isAsync = true
        index += 1
      } else if token.isWord("throws") || token.isWord("rethrows") {
        effects.isThrowing = true
        index += 1
        if token.isWord("throws"), isAt("(") {
          let first = index
          try skipBrackets()
          effects.thrownType = String(snippet(from: first).text.dropFirst().dropLast())
        }
      } else {
        break
      }
    }
    return effects
  }

  /// Reads the parameters of a function, the elements of a tuple or the associated values of a case.
  mutating func parameterList() throws(ScanError) -> [TypeReference.Element] {
    try expect("(")
    var elements: [TypeReference.Element] = []
    while !isAt(")") {
      elements.append(try parameter())
      guard accept(",") else { break }
    }
    try expect(")")
    return elements
  }

  private mutating func parameter() throws(ScanError) -> TypeReference.Element {
    let first = index
    let start = index
    while isAt("@") { _ = try attribute() }
    var label: String?
    var secondName: String?
    if isAtModifierOfParameter { index += 1 }
    if let token = current, token.kind == .identifier, peek()?.is(":") == true {
      label = token.name
      index += 2
    } else if let token = current, token.kind == .identifier, let second = peek(),
      second.kind == .identifier, peek(2)?.is(":") == true
    {
      label = token.name
      secondName = second.name
      index += 3
    } else {
      index = start
    }
    let type = try type()
    let defaultValue = accept("=") ? try expression() : nil
    return TypeReference.Element(
      label: label,
      secondName: secondName,
      type: type,
      defaultValue: defaultValue,
      range: range(from: first)
    )
  }

  /// Whether a modifier such as `isolated` or `_const` is here, before the names of a parameter.
  private var isAtModifierOfParameter: Bool {
    guard let token = current, token.isWord("_const") || token.isWord("isolated") else {
      return false
    }
    return peek()?.kind == .identifier && peek(2)?.is(":") == true
      && peek(3)?.kind == .identifier && peek(2)?.hasSpaceBefore == true
  }
}
