import ActionLog
import ReplayCommands
import ReplayEngine

/// A summary of results as an HTML page without scripts.
struct SummaryPage {
  private let summary: ResultSummary

  init(_ summary: ResultSummary) { self.summary = summary }

  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(escaped(Wording.title(summary)))</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <h1>tca-replay</h1>
    <p>\(escaped(Wording.title(summary)))</p>
    \(sections.joined(separator: "\n"))
    </body>
    </html>

    """
  }

  private var sections: [String] {
    var sections: [String] = []
    let isCompared = summary.broken != nil
    if !summary.groups.isEmpty {
      let rows = summary.groups.map { group in
        [Cell(number: group.count)]
          + (isCompared ? [Cell(text: Wording.change(group) ?? "", isStrong: true)] : [])
          + [
            Cell(text: group.symptom, isCode: true), Cell(text: group.smallest.log, isCode: true),
            Cell(text: Wording.versions(group.versions)),
            Cell(text: group.fingerprint, isCode: true),
          ]
      }
      let head =
        ["logs"] + (isCompared ? ["change"] : [])
        + ["cause", "such as", "versions of the app", "fingerprint"]
      sections.append(table("Causes", head, rows))
    }
    if !summary.gone.isEmpty {
      let rows = summary.gone.map { group in
        [
          Cell(number: group.count), Cell(text: group.symptom, isCode: true),
          Cell(text: group.fingerprint, isCode: true),
        ]
      }
      sections.append(table("Gone", ["logs before", "cause", "fingerprint"], rows))
    }
    for logs in [Wording.broken(summary.broken), Wording.mended(summary.mended)] {
      if let logs { sections.append("<p>\(escaped(logs))</p>") }
    }
    if summary.versions.count > 1 {
      let rows = Wording.rows(summary.versions).map { row in row.map { Cell(text: $0) } }
      sections.append(table("Versions of the app", ["version", "logs"], rows))
    }
    if summary.settings.count > 1 {
      let rows = Wording.rows(summary.sortedSettings).map { row in row.map { Cell(text: $0) } }
      sections.append(table("Hosts", ["host", "logs"], rows))
    }
    if summary.others > 0 {
      sections.append("<p>\(escaped(Wording.otherLines(summary.others)))</p>")
    }
    return sections
  }

  private struct Cell {
    var text: String
    var isNumber = false
    var isCode = false
    var isStrong = false

    init(text: String, isCode: Bool = false, isStrong: Bool = false) {
      (self.text, self.isCode, self.isStrong) = (text, isCode, isStrong)
    }

    init(number: Int) { (text, isNumber) = (String(number), true) }
  }

  private func table(_ title: String, _ head: [String], _ rows: [[Cell]]) -> String {
    let heads = head.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
    let lines = rows.map { row in
      "<tr>\(row.map(cell).joined())</tr>"
    }
    return """
      <h2>\(escaped(title))</h2>
      <table>
      <thead><tr>\(heads)</tr></thead>
      <tbody>
      \(lines.joined(separator: "\n"))
      </tbody>
      </table>
      """
  }

  private func cell(_ cell: Cell) -> String {
    var text = escaped(cell.text)
    if cell.isCode { text = "<code>\(text)</code>" }
    if cell.isStrong { text = "<strong>\(text)</strong>" }
    return "<td\(cell.isNumber ? " class=\"number\"" : "")>\(text)</td>"
  }

  /// Text of logs is never markup.
  private func escaped(_ text: String) -> String {
    Notation.visible(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }

  private static let style = """
    :root { color-scheme: light dark; --line: #d0d7de; --dim: #57606a; --back: #ffffff; --text: #1f2328; }
    @media (prefers-color-scheme: dark) {
      :root { --line: #30363d; --dim: #9198a1; --back: #0d1117; --text: #e6edf3; }
    }
    body { margin: 2rem auto; padding: 0 1rem; max-width: 80rem; background: var(--back); color: var(--text);
      font: 15px/1.5 system-ui, sans-serif; }
    h1 { font-size: 1.2rem; margin: 0; }
    h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
    th { color: var(--dim); font-weight: 500; }
    code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
    .number { text-align: right; font-variant-numeric: tabular-nums; }
    """
}
