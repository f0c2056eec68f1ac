extension Lexer {
  /// Skips blanks and comments, nested ones too, and says whether a line ended there.
  mutating func skipTrivia() throws(ScanError) -> Bool {
    var endsLine = false
    while let byte = byte() {
      if byte == .newline || byte == .carriageReturn {
        endsLine = true
        position += 1
      } else if byte.isBlank {
        position += 1
      } else if starts(with: "//") {
        skip { $0 != .newline && $0 != .carriageReturn }
      } else if starts(with: "/*") {
        endsLine = try skipBlockComment() || endsLine
      } else {
        break
      }
    }
    return endsLine
  }

  private mutating func skipBlockComment() throws(ScanError) -> Bool {
    let start = position
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        position += 2
      } else if starts(with: "*/") {
        depth -= 1
        position += 2
      } else if byte() != nil {
        position += 1
      } else {
        throw ScanError(reason: .unterminated("comment"), position: start)
      }
    } while depth > 0
    return source.bytes[start..<position].contains(.newline)
  }
}
