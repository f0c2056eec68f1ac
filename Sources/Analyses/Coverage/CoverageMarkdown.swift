import ActionLog
import ReplayCommands
import ReplayEngine

/// Formats a coverage report as Markdown, for the summary of a CI job.
struct CoverageMarkdown {
  private let report: CoverageReport
  /// Whether all rows are listed, without a limit.
  private let listsAll: Bool

  init(_ report: CoverageReport, listsAll: Bool) {
    (self.report, self.listsAll) = (report, listsAll)
  }

  /// The maximum number of rows in a table, which keeps the report below the 1 MB limit for job summaries.
  private static let mostRows = 200

  var text: String {
    var parts = ["### tca-replay: \(Wording.title(report))", features]
    for feature in report.features {
      let missed =
        (feature.missedActions + feature.missedPlaces).map { group in
          let count = group.count > 1 ? " (\(group.count))" : ""
          return "| \(Markdown.code(group.name)) | \(Wording.neverReached)\(count) |"
        }
        + feature.unchangedPlaces.map { "| \(Markdown.code($0)) | \(Wording.neverChanged) |" }
      guard !missed.isEmpty else { continue }
      parts.append("#### \(Notation.visible(feature.name))")
      parts += table("| \(Wording.caseOrPlace) | |", "| --- | --- |", missed)
    }
    if let lines = report.lines {
      parts.append("#### \(Wording.lines(lines))")
      let rows = lines.files.map { file in
        "| \(Markdown.code(file.path)) | \(Wording.lines(file)) | \(Wording.ranges(file.missed)) |"
      }
      parts += table("| file | lines | \(Wording.neverExecuted) |", "| --- | ---: | --- |", rows)
    }
    parts.append("#### \(Wording.enough(report))")
    parts += table(
      "| log | \(Wording.addsHead) |",
      "| --- | ---: |",
      report.needed.map { "| \(Markdown.code($0.log.name)) | \($0.added) |" }
    )
    if !report.redundant.isEmpty {
      parts.append("#### \(Wording.redundant(report.redundant.count))")
      parts += table(
        "| log | actions |",
        "| --- | ---: |",
        report.redundant.map { "| \(Markdown.code($0.name)) | \($0.count) |" }
      )
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var features: String {
    Markdown.table(
      "| feature | logs | actions | cases | places | changed | effects |",
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
      report.features.map { feature in
        let cells = Wording.cells(feature).map { " \($0) |" }.joined()
        return "| \(Markdown.code(feature.name)) |\(cells)"
      }
    )
  }

  private func table(_ head: String, _ line: String, _ rows: [String]) -> [String] {
    let rest = rows.count - Self.mostRows
    guard rest > 0, !listsAll else { return [Markdown.table(head, line, rows)] }
    return [Markdown.table(head, line, Array(rows.prefix(Self.mostRows))), Wording.moreOf(rest)]
  }
}
