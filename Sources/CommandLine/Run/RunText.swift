import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The reports of a run for people to read.
struct RunText: RunWriter {
  var style = Style.plain
  /// Whether the details of what differs are shown.
  let hasDetails: Bool
  /// The host, when what it wrote is shown.
  private let host: String?
  /// Whether all that the host wrote is shown.
  private let isVerbose: Bool
  /// Whether there was more to show.
  private var isHiding = false

  init(
    style: Style = .plain,
    hasDetails: Bool,
    host: String? = nil,
    isVerbose: Bool = false
  ) {
    self.style = style
    self.hasDetails = hasDetails
    self.host = host
    self.isVerbose = isVerbose
  }

  mutating func text(_ report: RunReport) -> String {
    let line = report.status == .same ? report.outcome.line : style.bold(report.outcome.line)
    var lines = ["\(report.name): \(line)"]
    let details = report.outcome.details(style: style)
    if report.acceptance != nil || (hasDetails && report.status != .same) {
      if !details.isEmpty { lines += [""] + details.map { $0.isEmpty ? "" : "  \($0)" } + [""] }
    } else if report.status != .same, !details.isEmpty {
      isHiding = true
    }
    lines += report.remarks.map { "  \($0)" }
    if let host, hasDetails || report.isHostLost {
      lines += HostOutputText(host: host).lines(report.hostOutput, isVerbose: isVerbose)
        .map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  func closing(_ summary: RunSummary) -> String {
    guard summary.logs + summary.notReplayed > 1 || summary.interruption != nil else { return "" }
    var lines = [Wording.summary(summary)] + Self.groups(summary)
    if isHiding { lines.append("  \(Wording.moreWithVerbose)") }
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
