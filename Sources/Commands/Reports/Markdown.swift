/// Pieces of Markdown.
package enum Markdown {
  package static func table(_ head: String, _ line: String, _ rows: [String]) -> String {
    ([head, line] + rows).joined(separator: "\n")
  }

  /// Text that is shown as it is, also within a table.
  package static func code(_ text: String) -> String {
    "`" + text.replacing("`", with: "'").replacing("|", with: "\\|").replacing("\n", with: " ")
      + "`"
  }
}
