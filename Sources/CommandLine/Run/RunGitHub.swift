import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The reports of a run as workflow commands, which GitHub Actions shows as annotations at the line of the action.
struct RunGitHub: RunWriter {
  var style = Style.plain

  func text(_ report: RunReport) -> String { annotations(report) + group(report) }

  /// The host's output, folded, and not taken for commands.
  private func group(_ report: RunReport) -> String {
    guard !report.hostOutput.isEmpty, report.status != .same || report.isHostLost else { return "" }
    let token = UUID().uuidString
    let title = Self.escaped(Wording.hostOutput(of: report.name))
    let lines = ["::group::\(title)", "::stop-commands::\(token)"] + report.hostOutput
    return (lines + ["::\(token)::", "::endgroup::", ""]).joined(separator: "\n")
  }

  private func annotations(_ report: RunReport) -> String {
    guard report.status != .same else {
      var writer = RunText(style: style, hasDetails: false)
      let text = writer.text(report)
      guard !report.notCompared.isEmpty else { return text }
      let line = report.outcome.line(style.notation)
      return text + annotation(report, nil, [line], level: "notice")
    }
    guard case .verdict(let result) = report.outcome else {
      let lines = [report.outcome.line(style.notation)] + report.remarks(style.notation)
      return annotation(report, nil, lines)
    }
    let details = VerdictText(style: style)
    let first =
      [report.outcome.line(style.notation)]
      + details.details(result.verdict, causes: result.causes)
      + report.remarks(style.notation)
    // Each at the line of its own action.
    return annotation(report, result.line, first)
      + result.further.map { further in
        let line = details.line(further.verdict, through: result.seq)
        return annotation(
          report,
          further.line,
          [line] + details.details(further.verdict, causes: further.causes)
        )
      }
      .joined()
  }

  private func annotation(
    _ report: RunReport,
    _ line: Int?,
    _ text: [String],
    level: String = "error"
  ) -> String {
    var properties = [("title", report.name)]
    // The copy of a stream is no file that GitHub could show.
    let file = report.file ?? report.name
    if report.name.hasPrefix(file), file != Wording.standardInput {
      if let line { properties.insert(("line", String(line)), at: 0) }
      properties.insert(("file", file), at: 0)
    }
    let list = properties.map { "\($0.0)=\(Self.escaped($0.1, isProperty: true))" }
    return "::\(level) \(list.joined(separator: ","))::"
      + Self.escaped(text.joined(separator: "\n")) + "\n"
  }

  func closing(_ summary: RunSummary) -> String {
    let lines = [Wording.summary(summary)] + RunText.groups(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func escaped(_ text: String, isProperty: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// The summary of a run in Markdown, which GitHub Actions shows on the page of the job.
struct StepSummary {
  private let summary: RunSummary

  init(_ summary: RunSummary) { self.summary = summary }

  var text: String {
    var lines = ["### tca-replay: \(Wording.summary(summary))", ""]
    if !summary.groups.isEmpty {
      lines += ["| logs | what they show | such as |", "| ---: | --- | --- |"]
      lines += summary.largestGroups.map { group in
        let logs = group.logs.map { log in
          Self.code(log) + (summary.pages[log].map { " (page \(Self.code($0)))" } ?? "")
        }
        .joined(separator: ", ")
        return "| \(group.count) | \(Self.code(group.text)) | \(logs) |"
      }
    }
    if !summary.notCompared.isEmpty {
      if !summary.groups.isEmpty { lines.append("") }
      lines += ["| logs | not compared | such as |", "| ---: | --- | --- |"]
      lines += summary.notCompared.rows.map { row in
        "| \(row.count) | \(Self.code(row.text)) | \(Self.code(row.log)) |"
      }
      if summary.notCompared.rest > 0 {
        lines += ["", Wording.andMoreValues(summary.notCompared.rest)]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Appends the text to a file that other steps write as well.
  func append(to path: String) throws(StreamError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StreamError(name: path, code: errno, isCreation: true) }
    defer { close(descriptor) }
    let code = Array(text.utf8).write(to: descriptor)
    guard code == 0 else { throw StreamError(name: path, code: code) }
  }

  /// Text that is shown as it is, also within a table.
  private static func code(_ text: String) -> String {
    "`" + text.replacing("`", with: "'").replacing("|", with: "\\|").replacing("\n", with: " ")
      + "`"
  }
}
