import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A writer that formats the reports of a run as text for a terminal.
struct RunText: RunWriter {
  var style = Style.plain
  /// The failures that are shown in full.
  let detailed: DetailLevel
  /// The path of the host, or `nil` to omit its output.
  private let host: String?
  /// Whether to show the complete output of the host.
  private let isVerbose: Bool
  /// The command line that the user typed, or `nil` to omit next steps.
  private let caller: CommandSuggestions.InvokedCommand?
  /// Whether a failure has already been shown in full.
  private var hasShown = false
  private var isHiding = false

  /// The choice of failures to show in full.
  ///
  /// All other failures are shown on one line, with their first difference.
  enum DetailLevel { case none, first, all }

  init(
    style: Style = .plain,
    detailed: DetailLevel,
    host: String? = nil,
    isVerbose: Bool = false,
    caller: CommandSuggestions.InvokedCommand? = nil
  ) {
    self.style = style
    self.detailed = detailed
    self.host = host
    self.isVerbose = isVerbose
    self.caller = caller
  }

  mutating func text(_ report: LogRunReport) -> String {
    let isSame = report.status == .same
    let outcome = report.line(style.notation)
    let line = isSame ? style.green(outcome) : style.bold(style.red(outcome))
    var details = isSame && report.acceptance == nil ? [] : report.details(style)
    let isFirst = !hasShown && !details.isEmpty
    let isShown = !isSame && (detailed == .all || detailed == .first && isFirst)
    if isShown { hasShown = true }
    if !isShown, report.acceptance == nil, !details.isEmpty {
      isHiding = true
      details = []
    }
    var remarks = report.remarks(style.notation)
    if !isShown, let difference = report.firstDifference(style) {
      remarks.insert(difference, at: 0)
    }
    if let host, isShown || report.isHostLost {
      remarks += HostOutputText(host: host).lines(report.hostOutput, isVerbose: isVerbose)
    }
    let text = ReplayOutcome.text(
      of: report.name,
      line,
      details: details,
      remarks: remarks.map { style.wrapped($0, margin: 2).replacing("\n", with: "\n  ") }
    )
    return style.report(text) + (isShown ? nextSteps(report) : "")
  }

  /// Returns the most useful next commands as text, in which a command is never truncated, so that it can be copied.
  private func nextSteps(_ report: LogRunReport) -> String {
    guard let caller, report.status != .same, report.acceptance == nil else { return "" }
    let lines = report.nextSteps(caller, style.inset(by: 2))
    return lines.map { "  \($0.replacing("\n", with: "\n  "))\n" }.joined()
  }

  func closing(_ summary: RunSummary) -> String {
    let ofModel = summary.notCompared.ofModel
    let gaps = ofModel.isEmpty ? [] : [style.wrapped(Wording.notShown(ofModel), margin: 2)]
    guard summary.logs + summary.notReplayed > 1 || summary.interruption != nil else {
      return gaps.isEmpty ? "" : style.report(gaps.joined() + "\n")
    }
    var lines = [Wording.summary(summary)] + Self.groups(summary)
    if isHiding { lines.append(style.wrapped("  \(Wording.moreWithVerbose)")) }
    return style.report((lines + gaps).joined(separator: "\n") + "\n")
  }

  /// Returns lines that list the groups of failed logs, unless the preceding output already shows this information.
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
