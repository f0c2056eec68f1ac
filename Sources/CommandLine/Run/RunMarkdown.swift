import ActionLog
import Foundation
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

/// A writer that formats the reports of a run in Markdown.
///
/// The result contains a table of failures, folded details of the first failures, groups by symptom, and values that
/// were not compared. GitHub Actions shows the result on the page of a job if it is appended to the file in
/// `GITHUB_STEP_SUMMARY`.
struct RunMarkdown: RunWriter {
  private let style: Style
  private let caller: CommandSuggestions.InvokedCommand
  /// Whether to link pages.
  ///
  /// Links don't work if the text is read outside of the folder of the run.
  private let linksPages: Bool
  private var rows: [(log: String, line: String)] = []
  private var details: [String] = []
  /// The number of failed logs that have no row in the table.
  private var rest = 0

  /// The maximum number of rows.
  ///
  /// Longer tables are not read, and GitHub limits a summary to 1 MB.
  private static let mostRows = 50
  private static let mostDetails = 10
  private static let mostBytes = 20_000

  init(
    style: Style = .plain,
    caller: CommandSuggestions.InvokedCommand = CommandSuggestions.InvokedCommand(),
    linksPages: Bool = true
  ) {
    self.style = style
    self.caller = caller
    self.linksPages = linksPages
  }

  mutating func text(_ report: LogRunReport) -> String {
    guard report.status != .same else { return "" }
    guard rows.count < Self.mostRows else {
      rest += 1
      return ""
    }
    let line = report.line(style.notation)
    rows.append((report.name, line))
    if details.count < Self.mostDetails { details.append(folded(report, line)) }
    return ""
  }

  /// Returns the details of a log, folded below a summary line.
  private func folded(_ report: LogRunReport, _ line: String) -> String {
    let parts = [
      report.details(style), report.remarks(style.notation),
      report.nextSteps(caller, style),
    ]
    let lines = Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
    let text = Self.cut((lines.isEmpty ? [line] : lines).joined(separator: "\n"))
    let fence = Self.fence(around: text)
    return """
      <details><summary>\(Self.escaped(Notation.visible(report.name))): \(Self.escaped(line))</summary>

      \(fence)text
      \(text)
      \(fence)

      </details>
      """
  }

  mutating func closing(_ summary: RunSummary) -> String {
    var parts = ["### tca-replay: \(Wording.summary(summary))"]
    if !rows.isEmpty {
      let rows = rows.map { row in
        let page = summary.pages[row.log].map { ", page \(reference($0))" } ?? ""
        return "| \(Markdown.code(row.log)) | \(Markdown.code(row.line))\(page) |"
      }
      let more = rest > 0 ? ["| \(Wording.andMoreLogs(rest)) | |"] : []
      parts.append(Markdown.table("| log | what it shows |", "| --- | --- |", rows + more))
    }
    parts += details
    if summary.groups.count < summary.failed {
      let rows = summary.largestGroups.map { group in
        let logs = group.logs.map { Markdown.code($0) }.joined(separator: ", ")
        return "| \(group.count) | \(Markdown.code(group.symptom.text)) | \(logs) |"
      }
      parts.append(
        Markdown.table("| logs | what they share | such as |", "| ---: | --- | --- |", rows)
      )
    }
    if !summary.notCompared.isEmpty {
      let rows = summary.notCompared.rows.map { row in
        "| \(row.count) | \(Markdown.code(row.text)) | \(Markdown.code(row.log)) |"
      }
      parts.append(
        Markdown.table("| logs | not compared | such as |", "| ---: | --- | --- |", rows)
      )
      if summary.notCompared.rest > 0 {
        parts.append(Wording.andMoreValues(summary.notCompared.rest))
      }
    }
    return parts.joined(separator: "\n\n").withoutControls() + "\n"
  }

  /// Appends text to a file that other steps of a CI job may also write.
  static func append(_ text: String, to path: String) throws(StreamError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StreamError(name: path, code: errno, isCreation: true) }
    defer { close(descriptor) }
    let code = Array(text.utf8).write(to: descriptor)
    guard code == 0 else { throw StreamError(name: path, code: code) }
  }

  /// Returns the path of a page, as a link if the path is relative to the folder of the run.
  private func reference(_ page: String) -> String {
    guard linksPages, !page.hasPrefix("/") else { return Markdown.code(page) }
    var safe = CharacterSet.alphanumerics.intersection(
      CharacterSet(charactersIn: "\u{0}"..."\u{7F}")
    )
    safe.insert(charactersIn: "-._~/")
    // In the first component, a colon would be interpreted as the end of a scheme, so colons are encoded as %3A.
    let address = page.addingPercentEncoding(withAllowedCharacters: safe) ?? page
    return "[\(Markdown.code(page))](\(address))"
  }

  /// Escapes the characters of HTML tags and replaces line breaks, so that Markdown renders the text as it is.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\n", with: " ")
  }

  /// Returns a code fence with more backquotes than any sequence of them in the text, so that the text can't end the
  /// block.
  private static func fence(around text: String) -> String {
    var (run, longest) = (0, 2)
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "`", count: longest + 1)
  }

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > mostBytes else { return text }
    return String(decoding: text.utf8.prefix(mostBytes), as: UTF8.self) + "\n…"
  }
}
