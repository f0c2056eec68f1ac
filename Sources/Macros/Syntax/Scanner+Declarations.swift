extension Scanner {
  /// Reads a declaration with its attributes and modifiers.
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

extension Scanner {
  /// Reads members up to a closing brace, a directive or the end of the text.
  mutating func memberList() throws(ScanError) -> [Member] {
    var members: [Member] = []
    while let token = current {
      if token.is(";") {
        index += 1
      } else if token.is("}") || token.isWord("#elseif") || token.isWord("#else")
        || token.isWord("#endif")
      {
        break
      } else if token.isWord("#if"), let conditional = try conditionalMembers() {
        members.append(conditional)
      } else if token.isWord("#sourceLocation") {
        index += 1
        try skipBrackets()
      } else {
        members.append(.declaration(try declaration()))
      }
    }
    return members
  }

  /// Reads from `#if` to `#endif`.
  ///
  /// Returns `nil` and reads no tokens if it guards attributes of a declaration.
  private mutating func conditionalMembers() throws(ScanError) -> Member? {
    var copy = self
    let (attributes, _) = try copy.attributesAndModifiers()
    if !attributes.isEmpty { return nil }
    var clauses: [Member.Clause] = []
    while let token = current, !token.isWord("#endif") {
      let first = index
      guard token.isWord("#if") || token.isWord("#elseif") || token.isWord("#else") else {
        throw error(.expected("'#endif'"))
      }
      skipDirective()
      let directive = snippet(from: first)
      clauses.append(Member.Clause(directive: directive, members: try memberList()))
    }
    guard accept(word: "#endif") else { throw error(.expected("'#endif'")) }
    return .conditional(clauses)
  }

  /// Skips a directive and its condition up to the end of the line.
  mutating func skipDirective() {
    index += 1
    var depth = 0
    while let token = current {
      if token.startsLine, depth == 0, !continuesCondition(token) { return }
      if token.is("(") { depth += 1 }
      if token.is(")") { depth -= 1 }
      index += 1
    }
  }

  /// Whether a condition continues on the next line after a token: `&&`, `||` or `!`.
  private func continuesCondition(_ token: Token) -> Bool {
    guard let last = peek(-1) else { return false }
    return last.is("&") || last.is("|") || last.is("!") || token.is("&") || token.is("|")
  }
}

extension Scanner {
  /// Reads a structure, enum, class, actor, protocol or extension, starting at its introducer.
  private mutating func nominalType() throws(ScanError) -> NominalType {
    let isExtension = isAt(word: "extension")
    index += 1
    let name: Snippet
    if isExtension {
      let first = index
      _ = try type()
      name = snippet(from: first)
    } else {
      name = try identifier()
    }
    var parameters: [GenericParameter] = []
    var genericClause: Snippet?
    if isAt("<") {
      let first = index
      parameters = try genericParameters()
      genericClause = snippet(from: first)
    }
    let inheritance = accept(":") ? try inheritedTypes() : []
    let whereClause = try whereClause()
    let start = index
    try expect("{")
    let members = try memberList()
    try expect("}")
    return NominalType(
      name: name,
      genericParameters: parameters,
      genericClause: genericClause,
      inheritance: inheritance,
      whereClause: whereClause,
      members: members,
      body: range(from: start)
    )
  }

  private mutating func inheritedTypes() throws(ScanError) -> [TypeReference] {
    var types: [TypeReference] = []
    repeat { types.append(try type()) } while accept(",")
    return types
  }

  /// Reads `<T: P, each U, let n: Int>`.
  mutating func genericParameters() throws(ScanError) -> [GenericParameter] {
    try expect("<")
    var parameters: [GenericParameter] = []
    while !isAt(">") {
      while isAt("@") { _ = try attribute() }
      var specifier: String?
      if let token = current, token.isWord("each") || token.isWord("let"),
        peek()?.kind == .identifier
      {
        specifier = token.text
        index += 1
      }
      let name = try identifier().text
      let constraint = accept(":") ? try type() : nil
      parameters.append(
        GenericParameter(name: name, specifier: specifier, constraint: constraint)
      )
      guard accept(",") else { break }
    }
    if isAt(word: "where") { _ = try whereClause() }
    try expect(">")
    return parameters
  }

  /// Reads `where T: P, U == V`, if it starts here.
  mutating func whereClause() throws(ScanError) -> Snippet? {
    guard isAt(word: "where") else { return nil }
    let first = index
    index += 1
    repeat {
      while isAt("@") { _ = try attribute() }
      _ = try type()
      if accept(":") {
        // A layout constraint in an interface: `T: _Trivial(64)`.
        _ = try type()
        if isAt("("), current?.hasSpaceBefore == false { try skipBrackets() }
      } else {
        try expect("=")
        try expect("=")
        _ = try type()
      }
    } while accept(",")
    return snippet(from: first)
  }
}

extension Scanner {
  /// Reads `case a, b(Int), c = 1`, starting at `case`.
  mutating func cases() throws(ScanError) -> [EnumCase] {
    index += 1
    var cases: [EnumCase] = []
    repeat {
      let first = index
      let name = try identifier()
      let payload = isAt("(") ? try parameterList() : nil
      let rawValue = accept("=") ? try expression() : nil
      cases.append(
        EnumCase(name: name, payload: payload, rawValue: rawValue, range: range(from: first))
      )
    } while accept(",")
    return cases
  }
}

extension Scanner {
  /// Reads a function, initializer, deinitializer, subscript or macro, starting at its introducer.
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
