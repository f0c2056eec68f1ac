extension Scanner {
  /// Skips an expression and returns it.
  ///
  /// It ends at a comma, a semicolon or a closing bracket that is not its own, or where a line starts with what cannot
  /// go on with it. Behind an initial value a brace with accessors ends it too.
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

  /// `Foo<A, B>(...)`: skips the generic arguments, if these are some and not a comparison.
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

  /// `#if` inside an expression: a postfix chain that differs.
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

  /// Whether a token that starts a line belongs to the expression before it.
  private func continuesExpression(_ token: Token) -> Bool {
    if isWaitingForOperand { return true }
    if token.isWord("#if") { return continuesChain(behind: index) }
    if case .punctuation = token.kind { return token.is(".") || token.is(":") || token.is("{") }
    if token.isOperator { return !isPrefixOperator(at: index) }
    if token.kind == .arrow { return true }
    return ["as", "is", "else", "catch", "in"].contains { token.isWord($0) }
  }

  /// Whether an operand must follow the token before this one, on whatever line.
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

  /// An operator that touches its left side only stands behind its operand: `x!`, `0...`.
  private var endsPostfixOperator: Bool {
    var first = index - 1
    while first > 0, tokens[first - 1].isOperator || tokens[first - 1].is("."),
      !tokens[first].hasSpaceBefore
    {
      first -= 1
    }
    return !tokens[first].hasSpaceBefore && !(tokens[first].is("=") && first == index - 1)
  }

  /// A line that starts with an operator and its operand goes on only if a blank follows the operator.
  private func isPrefixOperator(at index: Int) -> Bool {
    var end = index
    while end + 1 < tokens.count, tokens[end + 1].isOperator, !tokens[end + 1].hasSpaceBefore {
      end += 1
    }
    return end + 1 < tokens.count && !tokens[end + 1].hasSpaceBefore && !tokens[index].is("?")
  }

  /// Whether the `#if` at `index` guards members of a chain: `.a()` after the directive's line.
  private func continuesChain(behind index: Int) -> Bool {
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
