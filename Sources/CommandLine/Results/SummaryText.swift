import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

/// A formatter that shows a summary of results as text for a terminal.
struct SummaryText {
  private let summary: ResultSummary
  private let style: Style

  init(_ summary: ResultSummary, _ style: Style) {
    (self.summary, self.style) = (summary, style)
  }

  var text: String {
    var sections = [[Wording.title(summary)]]
    if !summary.groups.isEmpty {
      sections.append([Wording.causes] + summary.groups.flatMap(lines))
    }
    if !summary.gone.isEmpty {
      sections.append(
        [Wording.goneCauses]
          + summary.gone.map {
            "  \(style.dim($0.fingerprint))  \($0.symptom), \(Wording.logs($0.count)) before"
          }
      )
    }
    sections += [Wording.broken(summary.broken), Wording.mended(summary.mended)].compactMap(\.self)
      .map { [$0] }
    if summary.versions.count > 1 {
      sections.append([Wording.versionsOfApp] + aligned(Wording.rows(summary.versions)))
    }
    if summary.settings.count > 1 {
      sections.append([Wording.hosts] + aligned(Wording.rows(summary.sortedSettings)))
    }
    if summary.others > 0 { sections.append([Wording.otherLines(summary.others)]) }
    return sections.joined(separator: [""]).joined(separator: "\n") + "\n"
  }

  private func lines(_ group: ResultSummary.FailureGroup) -> [String] {
    let change = Wording.trend(group).map { "  \(style.bold($0))" } ?? ""
    var lines = [
      "  \(Wording.logs(group.count))  \(Notation.visible(group.symptom))\(change)",
      "    \(style.dim("\(group.fingerprint), such as")) \(Notation.visible(group.smallest.log))",
    ]
    if group.versions.count > 1 || group.versions.keys.contains(where: { !$0.isEmpty }) {
      lines.append("    \(style.dim(Wording.versions(group.versions)))")
    }
    return lines
  }

  private func aligned(_ rows: [[String]]) -> [String] {
    let width = rows.map { TerminalWidthCounter.count($0[0]) }.max() ?? 0
    return rows.map { row in
      let gap = String(repeating: " ", count: width - TerminalWidthCounter.count(row[0]))
      return "  \(row[0])\(gap)  \(row.dropFirst().joined(separator: "  "))"
    }
  }
}
