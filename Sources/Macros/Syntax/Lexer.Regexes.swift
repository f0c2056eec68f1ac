extension Lexer {
  /// Skips a regular expression literal, if one stands here.
  ///
  /// A bare `/` opens one only where an operand may start and only if the line closes it, with brackets that match and
  /// no blank just inside: the language's own rule, which also keeps `/Action.a, action: /Action.b` apart.
  mutating func skipRegex() throws(ScanError) -> Bool {
    if byte() == .pound { return try skipExtendedRegex() }
    guard byte() == .slash, mayStartOperand else { return false }
    guard let first = byte(1), !first.isBlank, first != .newline else { return false }
    guard let end = endOfBareRegex() else { return false }
    position = end
    return true
  }

  private mutating func skipExtendedRegex() throws(ScanError) -> Bool {
    let start = position
    var pounds = 0
    while byte(pounds) == .pound { pounds += 1 }
    guard byte(pounds) == .slash else { return false }
    position += pounds + 1
    while let byte = byte() {
      if byte == .backslash {
        position += 2
      } else if byte == .slash, (0..<pounds).allSatisfy({ self.byte(1 + $0) == .pound }) {
        position += 1 + pounds
        return true
      } else {
        position += 1
      }
    }
    throw ScanError(reason: .unterminated("regular expression"), position: start)
  }

  private func endOfBareRegex() -> Int? {
    var depth = 0
    var isInClass = false
    var index = position + 1
    while index < source.bytes.count, source.bytes[index] != .newline {
      switch source.bytes[index] {
      case .backslash: index += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "(") where !isInClass: depth += 1
      case UInt8(ascii: ")") where !isInClass:
        depth -= 1
        if depth < 0 { return nil }
      case .slash where !isInClass:
        return depth == 0 && !source.bytes[index - 1].isBlank ? index + 1 : nil
      default: break
      }
      index += 1
    }
    return nil
  }

  private var mayStartOperand: Bool {
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .number, .string, .regex: return false
    case .identifier: return Self.wordsBeforeOperands.contains(last.text)
    case .directive: return Self.wordsBeforeOperands.contains(last.text)
    case .arrow: return true
    case .operator:
      // A postfix operator (`x!/y/`) leaves an operand behind it; others want one.
      let isPostfix = !last.hasSpaceBefore && last.range.upperBound == position
      return !(isPostfix && (last.is("!") || last.is("?")))
    case .punctuation: return !last.is(")") && !last.is("]") && !last.is("}")
    }
  }

  private static let wordsBeforeOperands: Set<String> = [
    "return", "try", "await", "in", "case", "if", "guard", "while", "where", "switch", "else",
    "throw", "yield", "is", "as", "repeat", "do", "consume", "copy", "unsafe", "#if", "#elseif",
  ]
}
