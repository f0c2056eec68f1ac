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

  /// The text with its lines cut at the end of the terminal, and without controls of a log's own.
  ///
  /// For values. What was found and what to do about it is never cut: it is wrapped before.
  package func fitted(_ text: String) -> String {
    let text = text.withoutControls(keepsColors: hasColor)
    return width.map { text.fitted(to: $0) } ?? text
  }

  /// A message on as many lines as it takes.
  ///
  /// - Parameters:
  ///   - text: The message.
  ///   - indent: What the further lines begin with.
  ///   - margin: The columns that are taken by what is written before each line.
  /// - Returns: The lines.
  package func wrapped(_ text: String, indent: String = "    ", margin: Int = 0) -> String {
    width.map { text.wrapped(to: $0 - margin, indent: indent) } ?? text
  }

  /// The same for text with so many columns before each line.
  package func inset(by columns: Int) -> Style {
    Style(hasColor: hasColor, notation: notation, width: width.map { $0 - columns })
  }

  /// Lines of which each goes on below the column that its text begins at, or below its last column in the first half of the terminal.
  package func hanging(_ text: String) -> String {
    guard let width else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hanging(to: width) }.joined(separator: "\n")
  }

  /// A message that begins with the name of a log: a name that leaves no room for the rest is shortened in its middle.
  package func headline(_ text: String) -> String {
    guard let width, let end = text.firstRange(of: ": ")?.lowerBound else { return wrapped(text) }
    let (name, rest) = (String(text[..<end]), String(text[end...]))
    let room = width - TerminalColumns.count(rest)
    return wrapped(name.shortened(to: max(room, width / 2)) + rest)
  }

  /// A report whose lines without an indentation are messages, and whose others show values.
  package func report(_ text: String) -> String {
    let lines = text.withoutControls(keepsColors: hasColor)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.first == " " ? String($0) : headline(String($0)) }
    return fitted(lines.joined(separator: "\n"))
  }

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
