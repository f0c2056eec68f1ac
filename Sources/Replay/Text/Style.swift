/// Colors for a terminal, or none.
package struct Style: Sendable {
  package let hasColor: Bool

  package init(hasColor: Bool) { self.hasColor = hasColor }

  package static let plain = Style(hasColor: false)

  package func red(_ text: String) -> String { escaped(text, "31") }
  package func green(_ text: String) -> String { escaped(text, "32") }
  package func bold(_ text: String) -> String { escaped(text, "1") }
  package func dim(_ text: String) -> String { escaped(text, "2") }

  package enum Color { case bold, dim, red, green }

  /// The sequence that switches a color on, for text that is written piece by piece.
  package func opening(_ color: Color) -> StaticString {
    guard hasColor else { return "" }
    return switch color {
    case .bold: "\u{1B}[1m"
    case .dim: "\u{1B}[2m"
    case .red: "\u{1B}[31m"
    case .green: "\u{1B}[32m"
    }
  }

  /// The sequence that ends a color.
  package var closing: StaticString { hasColor ? "\u{1B}[0m" : "" }

  private func escaped(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
