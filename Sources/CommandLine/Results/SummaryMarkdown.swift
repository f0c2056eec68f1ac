import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

/// A formatter that shows a summary of results in Markdown, for the page of a CI job or an issue.
struct SummaryMarkdown {
  private let summary: ResultSummary

  /// The path of the index of pages, or `nil` if no pages were written.
  private let pages: String?

  init(_ summary: ResultSummary, pages: String? = nil) {
    (self.summary, self.pages) = (summary, pages)
  }

  /// The maximum number of rows.
  ///
  /// Longer tables are not read, and GitHub limits a summary to 1 MB.
  private static let mostRows = 200

  var text: String {
    var parts = ["### tca-replay: \(Wording.title(summary))"]
    if let pages { parts.append(Markdown.link(Wording.pagesOfLogs, to: pages)) }
    if !summary.groups.isEmpty {
      let isCompared = summary.broken != nil
      let rows = summary.groups.prefix(Self.mostRows).map { group in
        let change = isCompared ? " \(Wording.trend(group) ?? "") |" : ""
        return "| \(group.count) |\(change) \(Markdown.code(group.symptom)) |"
          + " \(Markdown.code(group.smallest.log)) | \(Markdown.code(group.fingerprint)) |"
      }
      let head =
        isCompared
        ? "| logs | change | cause | such as | fingerprint |"
        : "| logs | cause | such as | fingerprint |"
      let line = isCompared ? "| ---: | --- | --- | --- | --- |" : "| ---: | --- | --- | --- |"
      parts.append(Markdown.table(head, line, Array(rows)))
      let rest = summary.groups.count - Self.mostRows
      if rest > 0 { parts.append(Wording.andMoreCauses(rest)) }
    }
    if !summary.gone.isEmpty {
      let rows = summary.gone.prefix(Self.mostRows).map { group in
        "| \(group.count) | \(Markdown.code(group.symptom)) | \(Markdown.code(group.fingerprint)) |"
      }
      parts.append(
        Markdown.table(
          "| logs before | \(Wording.gone) | fingerprint |",
          "| ---: | --- | --- |",
          Array(rows)
        )
      )
    }
    parts += [Wording.broken(summary.broken), Wording.mended(summary.mended)].compactMap(\.self)
    if summary.versions.count > 1 {
      let rows = Wording.rows(summary.versions).map { "| \(Markdown.code($0[0])) | \($0[1]) |" }
      parts.append(Markdown.table("| version of the app | logs |", "| --- | --- |", rows))
    }
    if summary.settings.count > 1 {
      let rows = Wording.rows(summary.sortedSettings).map {
        "| \(Markdown.code($0[0])) | \($0[1]) |"
      }
      parts.append(Markdown.table("| host | logs |", "| --- | --- |", rows))
    }
    if summary.others > 0 { parts.append(Wording.otherLines(summary.others)) }
    return parts.joined(separator: "\n\n").withoutControls() + "\n"
  }
}
