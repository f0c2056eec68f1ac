import ActionLog

/// The style of text for people: whether it has colors, and the notation of values.
package struct Style: Sendable {
  package let hasColor: Bool
  package let notation: Notation
  /// The width of the terminal in columns, or `nil` if lines are not limited.
  package let width: Int?

  package init(hasColor: Bool, notation: Notation = Notation(), width: Int? = nil) {
    self.hasColor = hasColor
    self.notation = notation
    self.width = width
  }

  /// A style without colors.
  ///
  /// Each access creates new shortened IDs.
  package static var plain: Style { Style(hasColor: false) }

  /// The same style without colors and width, for text in a file.
  package var withoutColor: Style { Style(hasColor: false, notation: notation) }

  /// Truncates lines at the terminal's width, and removes control characters.
  ///
  /// Use it for values. Messages are never truncated. They are wrapped before.
  package func fitted(_ text: String) -> String {
    let text = text.withoutControls(keepsColors: hasColor)
    return width.map { text.fitted(to: $0) } ?? text
  }

  /// Wraps a message.
  ///
  /// - Parameters:
  ///   - text: The message.
  ///   - indent: The prefix of all lines but the first.
  ///   - margin: The number of columns in front of each line.
  /// - Returns: The lines.
  package func wrapped(_ text: String, indent: String = "    ", margin: Int = 0) -> String {
    width.map { text.wrapped(to: $0 - margin, indent: indent) } ?? text
  }

  /// Returns the same style for text with a number of columns in front of each line.
  package func inset(by columns: Int) -> Style {
    Style(hasColor: hasColor, notation: notation, width: width.map { $0 - columns })
  }

  /// Wraps lines with a hanging indent.
  ///
  /// The indent is the column where the text of the line starts, or its last column in the first half of the terminal.
  package func hanging(_ text: String) -> String {
    guard let width else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hanging(to: width) }.joined(separator: "\n")
  }

  /// Wraps a message that starts with the name of a log.
  ///
  /// A long name is shortened in the middle.
  package func headline(_ text: String) -> String {
    guard let width, let end = text.firstRange(of: ": ")?.lowerBound else { return wrapped(text) }
    let (name, rest) = (String(text[..<end]), String(text[end...]))
    let room = width - TerminalColumns.count(rest)
    return wrapped(name.shortened(to: max(room, width / 2)) + rest)
  }

  /// Formats a report.
  ///
  /// Lines without an indent are wrapped as messages, the others are truncated as values.
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

  /// Returns the sequence that switches on a color, for text that is written in parts.
  package func opening(_ color: Color) -> StaticString {
    guard hasColor else { return "" }
    return switch color {
    case .bold: "\u{1B}[1m"
    case .dim: "\u{1B}[2m"
    case .red: "\u{1B}[31m"
    case .green: "\u{1B}[32m"
    }
  }

  /// The sequence that switches off colors.
  package var closing: StaticString { hasColor ? "\u{1B}[0m" : "" }

  private func escaped(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
