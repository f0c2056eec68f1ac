extension TypeReference {
  /// The text of the type with names replaced, as far as they stand alone and not behind a dot.
  func renaming(_ names: [String: String]) -> String {
    guard let tokens = try? Lexer.tokens(of: SourceText(text)) else { return text }
    let bytes = Array(text.utf8)
    var result = ""
    var position = 0
    for (index, token) in tokens.enumerated() {
      guard let name = names[token.text], index == 0 || !tokens[index - 1].is(".") else { continue }
      if index + 1 < tokens.count, tokens[index + 1].is(":") { continue }
      result += String(decoding: bytes[position..<token.range.lowerBound], as: UTF8.self) + name
      position = token.range.upperBound
    }
    return result + String(decoding: bytes[position...], as: UTF8.self)
  }

  /// Whether a name stands in the type, not behind a dot.
  func mentions(_ name: String) -> Bool {
    renaming([name: "\u{0}"]).contains("\u{0}")
  }
}
