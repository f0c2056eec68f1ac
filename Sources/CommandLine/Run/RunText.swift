import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The reports of a run as text.
struct RunText: RunWriter {
  var style = Style.plain
  /// Whether the details of differences are shown.
  let hasDetails: Bool
  /// The host, when its output is shown.
  private let host: String?
  /// Whether all of the host's output is shown.
  private let isVerbose: Bool
  /// How the tool was called, when next steps are shown.
  private let caller: NextSteps.Caller?
  /// Whether details were left out.
  private var isHiding = false

  init(
    style: Style = .plain,
    hasDetails: Bool,
    host: String? = nil,
    isVerbose: Bool = false,
    caller: NextSteps.Caller? = nil
  ) {
    self.style = style
    self.hasDetails = hasDetails
    self.host = host
    self.isVerbose = isVerbose
    self.caller = caller
  }

  mutating func text(_ report: RunReport) -> String {
    let outcome = report.line(style.notation)
    let line = report.status == .same ? outcome : style.bold(outcome)
    var details = report.details(style)
    if report.acceptance == nil, !hasDetails || report.status == .same {
      if report.status != .same, !details.isEmpty { isHiding = true }
      details = []
    }
    var remarks = report.remarks(style.notation)
    if let host, hasDetails || report.isHostLost {
      remarks += HostOutputText(host: host).lines(report.hostOutput, isVerbose: isVerbose)
    }
    let text = ReplayOutcome.text(
      of: report.name,
      line,
      details: details,
      remarks: remarks.map { style.wrapped($0, margin: 2).replacing("\n", with: "\n  ") }
    )
    return style.report(text) + (hasDetails ? nextSteps(report) : "")
  }

  /// What helps next.
  ///
  /// A command is to be copied, and so is never cut.
  private func nextSteps(_ report: RunReport) -> String {
    guard let caller, report.status != .same, report.acceptance == nil else { return "" }
    let lines = report.nextSteps(caller, style.notation)
    return lines.map { "  \($0)\n" }.joined()
  }

  func closing(_ summary: RunSummary) -> String {
    guard summary.logs + summary.notReplayed > 1 || summary.interruption != nil else { return "" }
    var lines = [Wording.summary(summary)] + Self.groups(summary)
    if isHiding { lines.append(style.wrapped("  \(Wording.moreWithVerbose)")) }
    return style.report(lines.joined(separator: "\n") + "\n")
  }

  /// The groups, when they add to the lines before them.
  static func groups(_ summary: RunSummary) -> [String] {
    guard summary.groups.count < summary.failed else { return [] }
    return summary.largestGroups.flatMap { group -> [String] in
      let rest = group.count - group.logs.count
      let names =
        group.logs.map { Notation.visible($0) }.joined(separator: ", ")
        + (rest > 0 ? Wording.andMore(rest) : "")
      return ["  \(group.count) × \(group.symptom.text)", "      \(names)"]
    }
  }
}
