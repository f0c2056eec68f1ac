extension Scanner {
  /// Reads a function, initialiser, deinitialiser, subscript or macro from its introducer on.
  mutating func function() throws(ScanError) -> Function {
    let introducer = index
    let isSubscript = isAt(word: "subscript")
    let hasName = isAt(word: "func") || isAt(word: "macro")
    index += 1
    let name = hasName ? try functionName() : snippet(from: introducer)
    if !hasName, isAt("?") || isAt("!") { index += 1 }
    if isAt("<") { _ = try genericParameters() }
    let parameters = isAt("(") ? try parameterList() : []
    _ = try effects()
    var result: TypeReference?
    if current?.kind == .arrow {
      index += 1
      result = try type()
    }
    if accept("=") { _ = try expression() }
    _ = try whereClause()
    if isAt("="), !isSubscript {
      index += 1
      _ = try expression()
    }
    var body: Snippet?
    if isAt("{") {
      let first = index
      if isSubscript { _ = try accessors() } else { try skipBrackets() }
      body = snippet(from: first)
    }
    return Function(name: name, parameters: parameters, result: result, body: body)
  }

  private mutating func functionName() throws(ScanError) -> Snippet {
    if current?.kind == .identifier { return try identifier() }
    let first = index
    while let token = current, token.isOperator || token.is(".") || token.kind == .arrow {
      guard index == first || !token.hasSpaceBefore else { break }
      // `==<T>(` is the operator `==` with generic parameters.
      if token.is("<"), index > first, peek()?.kind == .identifier { break }
      index += 1
    }
    guard index > first else { throw error(.expected("a name")) }
    return snippet(from: first)
  }
}
