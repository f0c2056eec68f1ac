extension JSONPath.Parser {
  /// Reads a string whose quote stands at the position (RFC 9535, section 2.3.1.1).
  mutating func stringLiteral() throws(JSONPath.SyntaxError) -> String {
    let quote = scalars[position]
    position += 1
    var text = ""
    while let next = peek, next != quote {
      guard next.value >= 0x20 else { throw expected("an escaped control character") }
      position += 1
      text.unicodeScalars.append(next == "\\" ? try escape(quote: quote) : next)
    }
    guard take(quote) else { throw expected("the closing \(quote)") }
    return text
  }

  private mutating func escape(
    quote: Unicode.Scalar
  ) throws(JSONPath.SyntaxError) -> Unicode.Scalar {
    guard let next = peek else { throw expected("an escape") }
    position += 1
    switch next {
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "/", "\\", quote: return next
    case "u": return try unicodeEscape()
    default:
      position -= 1
      throw expected("one of \(quote) \\ / b f n r t u after '\\'")
    }
  }

  private mutating func unicodeEscape() throws(JSONPath.SyntaxError) -> Unicode.Scalar {
    let start = position
    let first = try hexDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\u") else { throw loneSurrogate(at: start) }
    let second = try hexDigits()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw loneSurrogate(at: start) }
    return scalar
  }

  private func loneSurrogate(at start: Int) -> JSONPath.SyntaxError {
    failure(.expected("both halves of a surrogate pair"), at: start)
  }

  private mutating func hexDigits() throws(JSONPath.SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let next = peek, next.isASCII, let digit = Character(next).hexDigitValue else {
        throw expected("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Reads a number (RFC 9535, section 2.3.5.1), which may also be `-0`.
  mutating func number() throws(JSONPath.SyntaxError) -> JSON {
    let start = position
    _ = take("-")
    _ = take(while: Self.isDigit)
    if peek == ".", position + 1 < scalars.count, Self.isDigit(scalars[position + 1]) {
      position += 1
      _ = take(while: Self.isDigit)
    }
    if peek == "e" || peek == "E" {
      position += 1
      if !take("-") { _ = take("+") }
      _ = take(while: Self.isDigit)
    }
    guard let number = JSON.Number(string(from: start)) else {
      throw failure(.expected("a number"), at: start)
    }
    return .number(number)
  }
}
