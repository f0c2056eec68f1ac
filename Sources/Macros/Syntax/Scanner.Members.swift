extension Scanner {
  /// Reads members up to the brace, directive or end of text behind the last one.
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

  /// Reads `#if` to `#endif`; nil (and nothing read) when it guards attributes of what follows.
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

  /// Skips `#if` and its condition, which is all that stands on the line.
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

  /// A condition goes on behind a line's end after `&&`, `||` or `!`.
  private func continuesCondition(_ token: Token) -> Bool {
    guard let last = peek(-1) else { return false }
    return last.is("&") || last.is("|") || last.is("!") || token.is("&") || token.is("|")
  }
}
