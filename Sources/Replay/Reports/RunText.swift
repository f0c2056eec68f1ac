import ActionLog

/// The reports of a run for people to read.
struct RunText: RunWriter {
  var style = Style.plain
  /// Whether the details of what differs are shown.
  let hasDetails: Bool

  func text(_ report: RunReport) -> String {
    let line = report.status == .same ? report.line : style.bold(report.line)
    var lines = ["\(report.name): \(line)"]
    if report.acceptance != nil || (hasDetails && report.status != .same) {
      let details = report.details(style: style)
      if !details.isEmpty { lines += [""] + details.map { $0.isEmpty ? "" : "  \($0)" } + [""] }
    }
    lines += report.remarks.map { "  \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  func closing(_ summary: RunSummary) -> String {
    guard summary.logs + summary.notReplayed > 1 else { return "" }
    let lines = [Wording.summary(summary)] + Self.groups(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The groups, when they say more than the lines before them.
  static func groups(_ summary: RunSummary) -> [String] {
    guard summary.groups.count < summary.notWell else { return [] }
    return summary.largestGroups.flatMap { group -> [String] in
      let rest = group.count - group.logs.count
      let names = group.logs.joined(separator: ", ") + (rest > 0 ? Wording.andMore(rest) : "")
      return ["  \(group.count) × \(group.symptom)", "      \(names)"]
    }
  }
}
