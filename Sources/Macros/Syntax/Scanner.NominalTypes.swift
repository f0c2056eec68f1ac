extension Scanner {
  /// Reads a struct, enum, class, actor, protocol or extension from its introducer on.
  mutating func nominalType() throws(ScanError) -> NominalType {
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

  /// Reads `where T: P, U == V`, if it stands here.
  mutating func whereClause() throws(ScanError) -> Snippet? {
    guard isAt(word: "where") else { return nil }
    let first = index
    index += 1
    repeat {
      while isAt("@") { _ = try attribute() }
      _ = try type()
      if accept(":") {
        // `T: _Trivial(64)`, in layout constraints of interfaces.
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
