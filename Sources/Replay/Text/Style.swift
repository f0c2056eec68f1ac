/// Colours for a terminal, or none.
struct Style: Sendable {
  let hasColor: Bool

  static let plain = Style(hasColor: false)

  func red(_ text: String) -> String { escaped(text, "31") }
  func green(_ text: String) -> String { escaped(text, "32") }
  func bold(_ text: String) -> String { escaped(text, "1") }
  func dim(_ text: String) -> String { escaped(text, "2") }

  enum Color: String {
    case bold = "1"
    case red = "31"
    case green = "32"
  }

  /// What switches a colour on, for text that is written piece by piece.
  func opening(_ color: Color) -> String { hasColor ? "\u{1B}[\(color.rawValue)m" : "" }

  /// What ends a colour.
  var closing: String { hasColor ? "\u{1B}[0m" : "" }

  private func escaped(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
