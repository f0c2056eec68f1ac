import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

/// A formatter that shows a summary of results as an HTML page without scripts.
struct SummaryPage {
  private let summary: ResultSummary

  /// The path of the index of pages, or `nil` if no pages were written.
  private let pages: String?

  init(_ summary: ResultSummary, pages: String? = nil) {
    (self.summary, self.pages) = (summary, pages)
  }

  var text: String {
    var page = HTMLReport(Wording.title(summary))
    addSections(to: &page)
    return page.text
  }

  private typealias Cell = HTMLReport.Cell

  private func addSections(to page: inout HTMLReport) {
    if let pages { page.add(paragraph: Wording.pagesOfLogs, link: pages) }
    let isCompared = summary.broken != nil
    if !summary.groups.isEmpty {
      let rows = summary.groups.map { group in
        [Cell(number: group.count)]
          + (isCompared ? [Cell(text: Wording.trend(group) ?? "", isStrong: true)] : [])
          + [
            // The index lists the logs of each cause with their differences.
            Cell(text: group.symptom, isCode: true, link: pages, section: group.fingerprint),
            Cell(text: group.smallest.log, isCode: true),
            Cell(text: Wording.versions(group.versions)),
            Cell(text: group.fingerprint, isCode: true),
          ]
      }
      let head =
        ["logs"] + (isCompared ? ["change"] : [])
        + ["cause", "such as", "versions of the app", "fingerprint"]
      page.add(heading: "Causes")
      page.add(table: head, rows)
    }
    if !summary.gone.isEmpty {
      let rows = summary.gone.map { group in
        [
          Cell(number: group.count), Cell(text: group.symptom, isCode: true),
          Cell(text: group.fingerprint, isCode: true),
        ]
      }
      page.add(heading: "Gone")
      page.add(table: ["logs before", "cause", "fingerprint"], rows)
    }
    for logs in [Wording.broken(summary.broken), Wording.mended(summary.mended)] {
      if let logs { page.add(paragraph: logs) }
    }
    if summary.versions.count > 1 {
      let rows = Wording.rows(summary.versions).map { row in row.map { Cell(text: $0) } }
      page.add(heading: "Versions of the app")
      page.add(table: ["version", "logs"], rows)
    }
    if summary.settings.count > 1 {
      let rows = Wording.rows(summary.sortedSettings).map { row in row.map { Cell(text: $0) } }
      page.add(heading: "Hosts")
      page.add(table: ["host", "logs"], rows)
    }
    if summary.others > 0 {
      page.add(paragraph: Wording.otherLines(summary.others))
    }
  }
}
