/// Colours for a terminal, or none.
struct Style: Sendable {
  let hasColor: Bool

  static let plain = Style(hasColor: false)

  func red(_ text: String) -> String { escaped(text, "31") }
  func green(_ text: String) -> String { escaped(text, "32") }
  func bold(_ text: String) -> String { escaped(text, "1") }
  func dim(_ text: String) -> String { escaped(text, "2") }

  private func escaped(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
