import ActionLog

/// The colors, the notation of values, and the line width of text that people read.
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
  /// A new notation is created for each access, so that the numbering of shortened IDs starts again.
  package static var plain: Style { Style(hasColor: false) }

  /// The same style without colors and width, for text that is written to a file.
  package var withoutColor: Style { Style(hasColor: false, notation: notation) }

  /// Truncates lines at the terminal's width, and removes control characters.
  ///
  /// Use this method only for values. Messages must be wrapped instead of truncated.
  package func fitted(_ text: String) -> String {
    let text = text.withoutControls(keepsColors: hasColor)
    return width.map { text.fitted(to: $0) } ?? text
  }

  /// Wraps a message at the terminal's width.
  ///
  /// - Parameters:
  ///   - text: The message to wrap.
  ///   - indent: The prefix of all lines but the first.
  ///   - margin: The number of columns that the caller prints before each line.
  /// - Returns: The wrapped message.
  package func wrapped(_ text: String, indent: String = "    ", margin: Int = 0) -> String {
    width.map { text.wrapped(to: $0 - margin, indent: indent) } ?? text
  }

  /// Returns a style for text that is printed after a number of columns, with the width reduced accordingly.
  package func inset(by columns: Int) -> Style {
    Style(hasColor: hasColor, notation: notation, width: width.map { $0 - columns })
  }

  /// Wraps lines with a hanging indent.
  ///
  /// Text after two spaces is a table column. Continuation lines start at the last table column that begins in the
  /// first half of the terminal.
  package func hanging(_ text: String) -> String {
    guard let width else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hanging(to: width) }.joined(separator: "\n")
  }

  /// Wraps a message that starts with the name of a log, and shortens a long name in the middle.
  package func headline(_ text: String) -> String {
    guard let width, let end = text.firstRange(of: ": ")?.lowerBound else { return wrapped(text) }
    let (name, rest) = (String(text[..<end]), String(text[end...]))
    let room = width - TerminalWidthCounter.count(rest)
    return wrapped(name.shortened(to: max(room, width / 2)) + rest)
  }

  /// Formats a report: lines without an indent are wrapped as messages, and other lines are truncated as values.
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

  /// Returns the escape sequence that starts a color, for text that is written in parts.
  package func opening(_ color: Color) -> StaticString {
    guard hasColor else { return "" }
    return switch color {
    case .bold: "\u{1B}[1m"
    case .dim: "\u{1B}[2m"
    case .red: "\u{1B}[31m"
    case .green: "\u{1B}[32m"
    }
  }

  /// The escape sequence that ends colors, which is empty for a style without colors.
  package var closing: StaticString { hasColor ? "\u{1B}[0m" : "" }

  private func escaped(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
