import ActionLog

/// Functions that return Markdown for links and code.
package enum Markdown {
  package static func table(_ head: String, _ line: String, _ rows: [String]) -> String {
    ([head, line] + rows).joined(separator: "\n")
  }

  /// Returns a Markdown link to a file near the report.
  package static func link(_ text: String, to path: String) -> String {
    "[\(text)](\(RelativeLink.url(of: path)))"
  }

  /// Formats text as code, with hidden characters made visible, so that it can also be used inside a table.
  package static func code(_ text: String) -> String {
    let line = Notation.visible(text.replacing("\n", with: " "))
    return "`" + line.replacing("`", with: "'").replacing("|", with: "\\|") + "`"
  }
}
