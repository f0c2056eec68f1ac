import ActionLog

/// How results are written for people: the colors of a terminal or none, and the notation of values.
package struct Style: Sendable {
  package let hasColor: Bool
  package let notation: Notation
  /// The columns of the terminal; `nil` for lines of any length.
  package let width: Int?

  package init(hasColor: Bool, notation: Notation = Notation(), width: Int? = nil) {
    self.hasColor = hasColor
    self.notation = notation
    self.width = width
  }

  /// Without colors; each has ids of its own.
  package static var plain: Style { Style(hasColor: false) }

  /// The same for text that goes into a file.
  package var withoutColor: Style { Style(hasColor: false, notation: notation) }

  /// The text with its lines cut at the end of the terminal.
  package func fitted(_ text: String) -> String { width.map { text.fitted(to: $0) } ?? text }

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
