import Foundation
import ReplayCommands
import ReplayEngine

/// The summary of a run in Markdown, which GitHub Actions shows on the page of the job.
struct StepSummary {
  private let summary: RunSummary

  init(_ summary: RunSummary) { self.summary = summary }

  var text: String {
    var lines = ["### tca-replay: \(Wording.summary(summary))", ""]
    if !summary.groups.isEmpty {
      lines += ["| logs | what they show | such as |", "| ---: | --- | --- |"]
      lines += summary.largestGroups.map { group in
        let logs = group.logs.map { Self.code($0) }.joined(separator: ", ")
        return "| \(group.count) | \(Self.code(group.symptom)) | \(logs) |"
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
