import ActionLog

/// A report as a self-contained HTML page.
package struct HTMLReport {
  private let title: String
  private var sections: [String] = []
  /// CSS rules to add to the common style sheet.
  private let style: String
  /// Directives to add to the content security policy, or an empty string for a page without images and scripts.
  private let policy: String

  /// Creates a page whose first paragraph is its title.
  package init(_ title: String, style: String = "", policy: String = "") {
    (self.title, self.style, self.policy) = (title, style, policy)
  }

  /// A cell of a table, which may be a link.
  package struct Cell {
    let text: String
    var isNumber = false
    var isCode = false
    var isStrong = false
    /// The path of the linked file, relative to the report's folder, or `nil` for a cell without a link.
    var link: String?
    /// The anchor of the section in the linked file, or `nil` to link to the start of the file.
    var section: String?

    package init(
      text: String,
      isCode: Bool = false,
      isStrong: Bool = false,
      link: String? = nil,
      section: String? = nil
    ) {
      (self.text, self.isCode, self.isStrong) = (text, isCode, isStrong)
      (self.link, self.section) = (link, section)
    }

    package init(number: Int) { (text, isNumber) = (String(number), true) }
  }

  /// Adds the heading of a section.
  ///
  /// - Parameters:
  ///   - heading: The text of the heading.
  ///   - section: The anchor to which other pages can link, or `nil` for no anchor.
  package mutating func add(heading: String, section: String? = nil) {
    let id = section.map { " id=\"\(Self.escaped($0))\"" } ?? ""
    sections.append("<h2\(id)>\(Self.escaped(heading))</h2>")
  }

  /// Adds a paragraph that links to another file.
  package mutating func add(paragraph: String, link: String) {
    sections.append("<p>\(Self.anchor(Self.escaped(paragraph), to: link))</p>")
  }

  package mutating func add(paragraph: String) {
    sections.append("<p>\(Self.escaped(paragraph))</p>")
  }

  /// Adds HTML that the caller has already escaped.
  package mutating func add(markup: String) { sections.append(markup) }

  package mutating func add(table head: [String], _ rows: [[Cell]]) {
    let heads = head.map { "<th scope=\"col\">\(Self.escaped($0))</th>" }.joined()
    let lines = rows.map { row in
      "<tr>\(zip(head, row).map(Self.cell).joined())</tr>"
    }
    sections.append(
      """
      <table>
      <thead><tr>\(heads)</tr></thead>
      <tbody>
      \(lines.joined(separator: "\n"))
      </tbody>
      </table>
      """
    )
  }

  /// Returns the HTML of a cell, which a narrow window shows below the heading of its column.
  private static func cell(_ head: String, _ cell: Cell) -> String {
    var text = escaped(cell.text)
    if cell.isCode { text = "<code>\(text)</code>" }
    if cell.isStrong { text = "<strong>\(text)</strong>" }
    if let link = cell.link { text = anchor(text, to: link, section: cell.section) }
    let name = cell.text.isEmpty ? "" : " data-head=\"\(escaped(head))\""
    return "<td\(cell.isNumber ? " class=\"number\"" : "")\(name)>\(text)</td>"
  }

  private static func anchor(_ markup: String, to path: String, section: String? = nil) -> String {
    let fragment = section.map { "#\(escaped($0))" } ?? ""
    return "<a href=\"\(RelativeLink.url(of: path))\(fragment)\">\(markup)</a>"
  }

  /// Escapes text for HTML, because text from logs must never become markup.
  package static func escaped(_ text: String) -> String {
    Notation.visible(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }

  /// The HTML of the complete page.
  package var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \(policy.isEmpty ? "" : "\(policy); ")base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(Self.escaped(title))</title>
    <style>\(Self.style)\(style.isEmpty ? "" : "\n" + style)</style>
    </head>
    <body>
    <h1>tca-replay</h1>
    <p>\(Self.escaped(title))</p>
    \(sections.joined(separator: "\n"))
    </body>
    </html>

    """
  }

  private static let style = """
    :root { color-scheme: light dark; --line: #d0d7de; --dim: #57606a; --back: #ffffff; --text: #1f2328; --mark: #fff1cf; }
    @media (prefers-color-scheme: dark) {
      :root { --line: #30363d; --dim: #9198a1; --back: #0d1117; --text: #e6edf3; --mark: #3d3013; }
    }
    body { margin: 2rem auto; padding: 0 1rem; max-width: 80rem; background: var(--back); color: var(--text);
      font: 15px/1.5 system-ui, sans-serif; }
    h1 { font-size: 1.2rem; margin: 0; }
    h2 { font-size: 1rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
    h2:target { background: var(--mark); }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
    th { color: var(--dim); font-weight: 500; }
    code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
    .number { text-align: right; font-variant-numeric: tabular-nums; }
    a { color: inherit; overflow-wrap: anywhere; }
    p { overflow-wrap: anywhere; }
    @media (max-width: 40rem) {
      table, tbody, tr, td { display: block; }
      thead { display: none; }
      td { border: 0; padding: .1rem 0; overflow-wrap: anywhere; }
      td[data-head]::before { content: attr(data-head) ": "; color: var(--dim); }
      tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
      .number { text-align: left; }
    }
    """
}
