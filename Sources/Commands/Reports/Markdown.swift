import ActionLog

/// Functions that format Markdown.
package enum Markdown {
  package static func table(_ head: String, _ line: String, _ rows: [String]) -> String {
    ([head, line] + rows).joined(separator: "\n")
  }

  /// Returns a link to a file near the report.
  package static func link(_ text: String, to path: String) -> String {
    "[\(text)](\(RelativeLink.url(of: path)))"
  }

  /// Formats text as code, also inside a table, with hidden characters made visible.
  package static func code(_ text: String) -> String {
    let line = Notation.visible(text.replacing("\n", with: " "))
    return "`" + line.replacing("`", with: "'").replacing("|", with: "\\|") + "`"
  }
}
