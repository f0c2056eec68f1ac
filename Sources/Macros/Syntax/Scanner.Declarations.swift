extension Scanner {
  /// Reads one declaration with its attributes and modifiers.
  mutating func declaration() throws(ScanError) -> Declaration {
    let first = index
    let (attributes, modifiers) = try attributesAndModifiers()
    guard let token = current else { throw error(.expected("a declaration")) }
    let introducer = Snippet(text: token.text, range: token.range)
    let content = try content(introducedBy: token)
    return Declaration(
      attributes: attributes,
      modifiers: modifiers,
      introducer: introducer,
      content: content,
      range: range(from: first)
    )
  }

  private mutating func content(
    introducedBy token: Token
  ) throws(ScanError) -> Declaration.Content {
    if token.kind == .directive {
      try skipFreestandingMacro()
      return .other
    }
    guard token.kind == .identifier else { throw error(.expected("a declaration")) }
    switch token.text {
    case "struct", "enum", "class", "actor", "protocol", "extension":
      return .nominal(try nominalType())
    case "var", "let":
      return .variable(try variable())
    case "func", "init", "subscript", "deinit", "macro":
      return .function(try function())
    case "case":
      return .cases(try cases())
    case "typealias", "associatedtype":
      return try alias()
    case "import", "operator", "precedencegroup", "using":
      try skipOther()
      return .other
    default:
      throw error(.expected("a declaration"))
    }
  }

  private mutating func alias() throws(ScanError) -> Declaration.Content {
    let isAlias = isAt(word: "typealias")
    index += 1
    let name = try identifier()
    if isAt("<") { _ = try genericParameters() }
    if accept(":") { _ = try type() }
    if accept("=") { _ = try type() }
    _ = try whereClause()
    return isAlias ? .alias(name) : .other
  }

  private mutating func skipFreestandingMacro() throws(ScanError) {
    index += 1
    while isAt("."), peek()?.kind == .identifier { index += 2 }
    if isAt("<"), current?.hasSpaceBefore == false { _ = try genericArguments() }
    if isAt("("), current?.startsLine == false { try skipBrackets() }
    while isAt("{"), current?.startsLine == false {
      try skipBrackets()
      while current?.kind == .identifier, peek()?.is(":") == true, peek(2)?.is("{") == true {
        index += 2
        try skipBrackets()
      }
    }
  }

  private mutating func skipOther() throws(ScanError) {
    repeat {
      if isAt("{") { try skipBrackets() } else { index += 1 }
    } while current.map { !$0.startsLine && !$0.is(";") && !$0.is("}") } == true
  }
}
