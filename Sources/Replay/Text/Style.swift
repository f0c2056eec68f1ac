/// Colours for a terminal, or none.
struct Style: Sendable {
  let hasColor: Bool

  static let plain = Style(hasColor: false)

  func red(_ text: String) -> String { escaped(text, "31") }
  func green(_ text: String) -> String { escaped(text, "32") }
  func bold(_ text: String) -> String { escaped(text, "1") }
  func dim(_ text: String) -> String { escaped(text, "2") }

  enum Color { case bold, dim, red, green }

  /// What switches a colour on, for text that is written piece by piece.
  func opening(_ color: Color) -> StaticString {
    guard hasColor else { return "" }
    return switch color {
    case .bold: "\u{1B}[1m"
    case .dim: "\u{1B}[2m"
    case .red: "\u{1B}[31m"
    case .green: "\u{1B}[32m"
    }
  }

  /// What ends a colour.
  var closing: StaticString { hasColor ? "\u{1B}[0m" : "" }

  private func escaped(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
