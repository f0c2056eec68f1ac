import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Messages of the command-line tool.
extension Wording {
  static let fileBesideTheResult = "a file; --format junit writes to standard output"

  static let noColor = "if not empty, disables colors on a terminal; so does TERM=dumb"

  static let settingsFile =
    "the settings of a project, in the working folder: \"host\", \"ignore\" (paths of the state) and \"timeout\" (seconds)"

  static func badWait(_ value: JSON) -> String {
    "'$wait' has the value \(Notation().value(value)); expected a number of seconds, 0 or more, and less than ten years"
  }

  static func badFinish(_ value: JSON) -> String {
    "'$finish' has the value \(Notation().value(value)); expected true"
  }

  static func unknownDirective(_ name: String, meant: String) -> String {
    "'\(name)' is neither an action nor an instruction; did you mean '\(meant)'?"
  }

  static func recorded(_ summary: RecordSummary) -> String {
    "recorded \(actions(summary.actions)) in \(summary.path)\n"
  }

  static func waiting(_ waiting: RecordRequest.Waiting, at place: String) -> String {
    "\(place): waiting for what still runs\(effectList(waiting.effects))"
  }

  static func timeIsUp(_ error: RecordRequest.TimeoutError, at place: String) -> String {
    let effects = error.waiting.effects
    let rest =
      effects.isEmpty
      ? "" : "; what still ran was canceled\(effectList(effects))"
    return "\(place): \(number(error.seconds)) s were not enough for this, so the recording"
      + " ends here; --timeout SECONDS gives it more time\(rest)"
  }

  /// Describes the effects that do not restart in a feature that resumes from a log, or returns `nil` if all restart.
  static func resumed(_ resumed: RecordRequest.Resumed) -> String? {
    guard !resumed.left.isEmpty else { return nil }
    let reason =
      resumed.canRestart
      ? "; 'restarting:' of the feature in the host says how they start again"
      : ": the app's library cannot start them again"
    return "these effects were alive after action \(resumed.seq) and do not run\(reason)"
      + effectList(resumed.left)
  }

  private static func effectList(_ effects: [RecordRequest.RunningEffect]) -> String {
    effects.map { effect in
      let name = effect.name.map { " '\($0)'" } ?? ""
      let source = effect.source.map { " at \($0)" } ?? ""
      let action = effect.action.map { "  \(Notation().action($0))" } ?? ""
      return "\n  effect \(effect.id)\(name)\(source), started by action \(effect.id.seq)\(action)"
    }.joined()
  }

  static func hostOutput(of log: String) -> String { "what the host wrote for \(log)" }

  static func unexpected(_ member: String, expected: JSON, found: JSON?) -> String {
    // Values are written as in the file with the expected verdict.
    let json = Notation(isRaw: true)
    return
      "\(member): expected \(json.value(expected)), found \(found.map(json.value) ?? "nothing")"
  }

  static func missingExpectation(_ path: String) -> String {
    "there is no \(path); --expected needs one beside each log, such as {\"verdict\":\"identical\"}"
  }

  static func badExpectation(_ path: String, _ problem: String) -> String {
    "\(path) holds no verdict: \(problem); expected a JSON object such as {\"verdict\":\"identical\"}"
  }

  static func summary(_ summary: RunSummary) -> String {
    let logs = summary.logs == 1 ? "1 log" : "\(summary.logs) logs"
    let state =
      summary.logs == 0
      ? "none passed" : summary.failed == 0 ? "all passed" : "\(summary.failed) failed"
    let rest = summary.notReplayed == 0 ? "" : ", \(summary.notReplayed) not replayed"
    let end = summary.interruption.map { "; interrupted by \(SignalName.of($0))" } ?? ""
    return "\(logs), \(state)\(rest)\(end)"
  }

  /// Describes the parts of effects that the app's library does not expose.
  static func notShown(_ parts: [String]) -> String {
    "not compared, because the app's library does not show it: \(parts.joined(separator: "; "))"
  }

  static func wrotePages(_ count: Int, index: String) -> String {
    "wrote \(count == 1 ? "1 page" : "\(count) pages"); \(index) leads to \(count == 1 ? "it" : "them")"
  }

  static func noPage(of log: String, _ error: any Error) -> String {
    "\(Notation.visible(log)) has no page: \(error)"
  }

  static let watching = "waiting for the logs or the host to change; Ctrl-C ends"

  static func runsAgain(_ files: [String]) -> String {
    let rest = files.count > 3 ? " and \(files.count - 3) more" : ""
    return
      "\(files.prefix(3).joined(separator: ", "))\(rest) \(files.count == 1 ? "has" : "have") changed; running again"
  }

  static let filesToWatch = "files or folders with --watch"

  static func andMoreLogs(_ count: Int) -> String {
    count == 1 ? "and 1 more log" : "and \(count) more logs"
  }

  static func andMoreValues(_ count: Int) -> String { "and \(count) more" }

  static let moreWithVerbose = "--verbose shows the details of each"

  static func progress(_ summary: RunSummary, of total: Int) -> String {
    let failed = summary.failed == 0 ? "" : ", \(summary.failed) failed"
    return "\(summary.files) of \(counted(total, "log"))\(failed)"
  }

  static let accepted = "accepted: this is what is expected from now on"

  static func acceptedWithout(_ pruned: [LogEvent.Finding]) -> [String] {
    guard !pruned.isEmpty else { return [] }
    let most = 40
    let shown = pruned.prefix(most).map { "  action \($0.seq): \($0.message ?? $0.subject)" }
    let rest = pruned.count > most ? ["  and \(pruned.count - most) more"] : []
    return ["left out, because nothing in the replay can have sent it:"] + shown + rest
  }

  static let noVerdict = "the log was not replayed, so there is no verdict to expect"

  static func hasNoFile(_ name: String) -> String {
    "\(name) has no file that can be rewritten"
  }

  static let onlyDivergences =
    "only a divergence has a log that can replace this one; record it again"

  static func isDamaged(_ error: LogReadError) -> String {
    "\(error); the new log would end there: write one of all that is sound with 'verify --repair'"
  }

  static let violatesInvariants =
    "the replay violates an invariant, so it cannot become the baseline; fix the feature or the invariant"

  static func masksDiffer(_ place: String) -> String {
    "the replay has something of its own at \(Self.locationText(place, Notation())), which the recording masked; record it again"
  }

  static func replayDiffersAgain(_ line: String) -> String {
    "the replayed log does not replay the same: \(line); record it again"
  }
}
