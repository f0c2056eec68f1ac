extension Scanner {
  /// Reads `var` or `let` and its bindings.
  mutating func variable() throws(ScanError) -> Variable {
    let isLet = isAt(word: "let")
    index += 1
    var bindings: [Variable.Binding] = []
    repeat { bindings.append(try binding()) } while accept(",")
    return Variable(isLet: isLet, bindings: bindings)
  }

  private mutating func binding() throws(ScanError) -> Variable.Binding {
    let first = index
    let names = try pattern()
    let pattern = snippet(from: first)
    let type = accept(":") ? try type() : nil
    let initialValue = accept("=") ? try expression(isInitialValue: true) : nil
    let accessors = isAt("{") ? try accessors() : nil
    return Variable.Binding(
      names: names,
      pattern: pattern,
      type: type,
      initialValue: initialValue,
      accessors: accessors,
      range: range(from: first)
    )
  }

  private mutating func pattern() throws(ScanError) -> [Snippet] {
    guard isAt("(") else {
      let name = try identifier()
      return name.text == "_" ? [] : [name]
    }
    try expect("(")
    var names: [Snippet] = []
    while !isAt(")") {
      if current?.kind == .identifier, peek()?.is(":") == true { index += 2 }
      names += try pattern()
      guard accept(",") else { break }
    }
    try expect(")")
    return names
  }

  /// Reads the braces after a property or subscript.
  mutating func accessors() throws(ScanError) -> Variable.Accessors {
    let first = index
    guard opensAccessors else {
      try skipBrackets()
      return Variable.Accessors(names: [], range: range(from: first))
    }
    try expect("{")
    var names: [String] = []
    while !isAt("}") {
      if isAt(word: "#if") || isAt(word: "#elseif") || isAt(word: "#else") {
        skipDirective()
        continue
      }
      if accept(word: "#endif") { continue }
      while isAt("@") { _ = try attribute() }
      while let token = current, Self.accessorModifiers.contains(token.text),
        peek()?.kind == .identifier || peek()?.is("(") == true
      {
        index += 1
        if isAt("(") { try skipBrackets() }
      }
      names.append(try identifier().text)
      if isAt("(") { try skipBrackets() }
      _ = try effects()
      if isAt("{") { try skipBrackets() }
      _ = accept(";")
    }
    try expect("}")
    return Variable.Accessors(names: names, range: range(from: first))
  }

  /// Whether the brace here opens a list of accessors, rather than a body or a closure.
  private var opensAccessors: Bool {
    var copy = self
    copy.index += 1
    if copy.isAt(word: "#if") { copy.skipDirective() }
    while copy.isAt("@") {
      guard (try? copy.attribute()) != nil else { return false }
    }
    while let token = copy.current, Self.accessorModifiers.contains(token.text),
      copy.peek()?.kind == .identifier
    {
      copy.index += 1
    }
    guard let token = copy.current, token.kind == .identifier, let next = copy.peek() else {
      return false
    }
    if Self.accessors.contains(token.text) {
      return next.is("{") || next.is("}") || next.is("(") || next.kind == .identifier
        || next.kind == .directive || next.is("@") || next.is(";")
    }
    return Self.coroutineAccessors.contains(token.text) && (next.is("{") || next.is("}"))
  }

  private static let accessors: Set<String> = [
    "get", "set", "willSet", "didSet", "init", "_read", "_modify", "unsafeAddress",
    "unsafeMutableAddress", "addressWithOwner", "mutableAddressWithOwner",
  ]
  private static let coroutineAccessors: Set<String> = ["read", "modify", "borrow", "mutate"]
  private static let accessorModifiers: Set<String> = [
    "mutating", "nonmutating", "__consuming", "consuming", "borrowing", "nonisolated", "yielding",
  ]
}

extension Scanner {
  /// Skips an expression and returns it.
  ///
  /// An expression ends at a comma, a semicolon or an unmatched closing bracket, or before a line that can't continue
  /// it. An initial value also ends before a brace with accessors.
  mutating func expression(isInitialValue: Bool = false) throws(ScanError) -> Snippet {
    let first = index
    while let token = current {
      if token.is(",") || token.is(";") || token.is(")") || token.is("]") || token.is("}") { break }
      if index > first, token.startsLine, !continuesExpression(token) { break }
      if token.is("{"), isInitialValue, index > first, opensAccessors { break }
      if token.is("(") || token.is("[") || token.is("{") {
        try skipBrackets()
      } else if token.is("<"), skipsGenericArguments() {
        continue
      } else if token.isWord("#if") {
        try skipConditionalExpression()
      } else {
        index += 1
      }
    }
    guard index > first else { throw error(.expected("an expression")) }
    return snippet(from: first)
  }

  /// Skips generic arguments as in `Foo<A, B>(...)`.
  ///
  /// Returns `false` if `<` is a comparison.
  private mutating func skipsGenericArguments() -> Bool {
    guard let token = current, !token.hasSpaceBefore, peek(-1)?.kind == .identifier else {
      return false
    }
    var copy = self
    guard (try? copy.genericArguments()) != nil else { return false }
    if let next = copy.current, !next.startsLine {
      let closes = [")", "]", "}", "(", "[", "{", ".", ",", ";", ":", "?", "!", "="] as [Character]
      guard closes.contains(where: next.is) || next.hasSpaceBefore else { return false }
    }
    index = copy.index
    return true
  }

  /// Skips `#if` inside an expression, which guards members of a postfix chain.
  private mutating func skipConditionalExpression() throws(ScanError) {
    repeat {
      skipDirective()
      while let token = current, token.kind != .directive || !token.text.isConditional {
        if token.is("(") || token.is("[") || token.is("{") {
          try skipBrackets()
        } else {
          index += 1
        }
      }
    } while current?.isWord("#endif") == false
    guard accept(word: "#endif") else { throw error(.expected("'#endif'")) }
  }

  /// Whether a token at the start of a line continues the expression before it.
  private func continuesExpression(_ token: Token) -> Bool {
    if isWaitingForOperand { return true }
    if token.isWord("#if") { return continuesChain(at: index) }
    if case .punctuation = token.kind { return token.is(".") || token.is(":") || token.is("{") }
    if token.isOperator { return !isPrefixOperator(at: index) }
    if token.kind == .arrow { return true }
    return ["as", "is", "else", "catch", "in"].contains { token.isWord($0) }
  }

  /// Whether an operand must follow the previous token, even on another line.
  private var isWaitingForOperand: Bool {
    guard let last = peek(-1) else { return false }
    switch last.kind {
    case .arrow: return true
    case .identifier:
      return Self.wordsBeforeOperands.contains(last.text) && peek(-2)?.is(".") != true
    case .punctuation: return last.is(":") || last.is("\\") || last.is(".") && !endsPostfixOperator
    case .operator: return !endsPostfixOperator
    default: return false
    }
  }

  /// Whether the previous token ends a postfix operator, which touches only its left side: `x!`, `0...`.
  private var endsPostfixOperator: Bool {
    var first = index - 1
    while first > 0, tokens[first - 1].isOperator || tokens[first - 1].is("."),
      !tokens[first].hasSpaceBefore
    {
      first -= 1
    }
    return !tokens[first].hasSpaceBefore && !(tokens[first].is("=") && first == index - 1)
  }

  /// Whether the operator at the start of a line is a prefix operator.
  ///
  /// If a space follows it, it is an infix operator.
  private func isPrefixOperator(at index: Int) -> Bool {
    var end = index
    while end + 1 < tokens.count, tokens[end + 1].isOperator, !tokens[end + 1].hasSpaceBefore {
      end += 1
    }
    return end + 1 < tokens.count && !tokens[end + 1].hasSpaceBefore && !tokens[index].is("?")
  }

  /// Whether the `#if` at `index` guards members of a chain, such as `.a()` on the line after the directive.
  private func continuesChain(at index: Int) -> Bool {
    var copy = self
    copy.index = index
    copy.skipDirective()
    return copy.isAt(".")
  }
}

extension Scanner {
  private static let wordsBeforeOperands: Set<String> = [
    "try", "await", "as", "is", "any", "some", "in", "return", "else", "do", "if", "switch",
    "consume", "copy", "unsafe", "each", "repeat",
  ]
}

extension String {
  fileprivate var isConditional: Bool {
    self == "#if" || self == "#elseif" || self == "#else" || self == "#endif"
  }
}
