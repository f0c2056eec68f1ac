extension Scanner {
  /// Reads `(A, b: B)` or `(A, B) async throws -> C`.
  mutating func tupleOrFunction() throws(ScanError) -> TypeReference {
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
    let function = TypeReference.Function(
      parameters: elements,
      isAsync: effects.isAsync,
      isThrowing: effects.isThrowing,
      thrownType: effects.thrownType,
      result: result
    )
    return TypeReference(snippet: snippet(from: first), shape: .function(function))
  }

  /// What may stand between the parameters of a function and its arrow.
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

  /// `isolated`, `_const` and others may stand before the names of a parameter.
  private var isAtModifierOfParameter: Bool {
    guard let token = current, token.isWord("_const") || token.isWord("isolated") else {
      return false
    }
    return peek()?.kind == .identifier && peek(2)?.is(":") == true
      && peek(3)?.kind == .identifier && peek(2)?.hasSpaceBefore == true
  }
}
