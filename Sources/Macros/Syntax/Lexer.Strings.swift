extension Lexer {
  /// Skips a string literal with all its interpolations, if one stands here.
  mutating func skipString() throws(ScanError) -> Bool {
    let start = position
    var pounds = 0
    while byte(pounds) == .pound { pounds += 1 }
    guard byte(pounds) == .quote else { return false }
    position += pounds
    let isMultiline = opensMultiline(pounds: pounds)
    position += isMultiline ? 3 : 1
    while let byte = byte() {
      if byte == .backslash, hasPounds(pounds, at: 1) {
        try skipEscape(pounds: pounds)
      } else if byte == .quote, isMultiline ? starts(with: "\"\"\"") : true,
        hasPounds(pounds, at: isMultiline ? 3 : 1)
      {
        position += (isMultiline ? 3 : 1) + pounds
        return true
      } else if byte == .newline, !isMultiline {
        break
      } else {
        position += 1
      }
    }
    throw ScanError(reason: .unterminated("string literal"), position: start)
  }

  /// Three quotes open a multi-line string, save in `#"""#`, which holds one quote.
  private func opensMultiline(pounds: Int) -> Bool {
    guard starts(with: "\"\"\"") else { return false }
    guard pounds > 0 else { return true }
    var ahead = 3
    while let byte = byte(ahead), byte != .newline {
      if byte == .quote, hasPounds(pounds, at: ahead + 1) { return false }
      ahead += 1
    }
    return !hasPounds(pounds, at: 3)
  }

  private func hasPounds(_ count: Int, at ahead: Int) -> Bool {
    (0..<count).allSatisfy { byte(ahead + $0) == .pound }
  }

  private mutating func skipEscape(pounds: Int) throws(ScanError) {
    position += 1 + pounds
    guard byte() == UInt8(ascii: "(") else {
      if byte() != nil { position += 1 }
      return
    }
    position = try Lexer.endOfParentheses(in: source, at: position)
  }
}
