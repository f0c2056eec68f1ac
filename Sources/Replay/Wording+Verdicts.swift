import ActionLog

/// The words of verdicts and differences.
extension Wording {
  static func line(_ verdict: Verdict, through seq: Int) -> String {
    switch verdict {
    case .identical: seq == 0 ? "identical, without actions" : "identical, through action \(seq)"
    case .cut(let at):
      at == 0 ? "cut before the first action" : "cut after action \(at), the same as far as it goes"
    case .trapReproduced(let at, let signal): "trap reproduced at action \(at) (\(signal))"
    case .trapGone(let at): "trap gone: action \(at) trapped before and does not now"
    case .trapped(let at, let signal):
      "trapped at action \(at) (\(signal)), which the recorded app survived"
    case .diverged(let divergence):
      "diverged at action \(divergence.at): \(name(divergence.cause))\(places(divergence))"
    case .undecodable(let obstacle): "undecodable at \(place(obstacle)): \(obstacle.message)"
    case .notReplayable(let obstacle): "not replayable at \(place(obstacle)): \(obstacle.message)"
    }
  }

  private static func place(_ obstacle: Verdict.Obstacle) -> String {
    obstacle.at == 0 ? "the first checkpoint" : "action \(obstacle.at)"
  }

  private static func places(_ divergence: Verdict.Divergence) -> String {
    guard divergence.cause != .sequence else { return "" }
    let paths = divergence.differences.filter { $0.cause == divergence.cause }.map(\.path)
      .filter { !$0.isEmpty }
    guard let first = paths.first else { return "" }
    return paths.count == 1 ? " \(first)" : " \(first) and \(paths.count - 1) more"
  }

  static func name(_ cause: LogDifference.Cause) -> String {
    switch cause {
    case .state: "state"
    case .effects: "effects"
    case .reads: "reads"
    case .producedAction: "produced action"
    case .action: "action"
    case .origin: "origin"
    case .deadEffect: "dead effect"
    case .sequence: "log sequence"
    case .schemaDrift: "schema drift"
    case .undecodable: "undecodable"
    case .notReplayable: "not replayable"
    }
  }

  static func place(_ difference: LogDifference) -> String {
    switch (difference.cause, difference.member) {
    case (.state, _) where difference.subject.isEmpty: wholeState
    case (.effects, let member?): "effect \(difference.subject): \(member)"
    case (.effects, nil): "effect \(difference.subject)"
    case (.deadEffect, _): "effect \(difference.subject)"
    default: difference.subject
    }
  }

  static func moved(to place: String) -> String { "moved to \(place)" }

  static func more(_ count: Int) -> String {
    "… and \(count) more; --format json has them all"
  }

  static func legend(first: String, second: String) -> String { "− \(first), + \(second)" }

  static func outOfStep(expected: String, found: String) -> String {
    "expected \(expected), found \(found)"
  }

  static func actionNotInLog(_ seq: Int) -> String {
    seq == 0 ? "before the first action" : "action \(seq), which the log does not have"
  }

  /// What sent an action.
  static func origin(_ origin: LogEvent.Origin, of seq: Int?) -> String {
    switch origin {
    case .view: "sent by the view"
    case .parent: "sent by an effect of a reducer around the feature"
    case .effect(let id, let via):
      "sent by effect \(id)\(via.map { " through \($0)" } ?? "")"
        + (seq.map { " of action \($0)" } ?? ", which was started before the log")
    case .reentrant(let seq): "sent while action \(seq) was handled"
    }
  }

  static func masked(_ message: String) -> String {
    "\(message); what stands there was masked, so a replay cannot have it"
  }

  static let hostWrote = "the host wrote:"
  static func hostOutput(of log: String) -> String { "what the host wrote for \(log)" }
  static let ellipsis = "…"
  static func inFunction(_ name: String) -> String { "in \(name)" }
  static func linesLeftOut(_ count: Int, canBeShown: Bool) -> String {
    "(\(count == 1 ? "1 more line" : "\(count) more lines")\(canBeShown ? "; --verbose shows all" : ""))"
  }
  static func leftOut(bytes: Int) -> String { "… \(bytes) bytes are left out here …" }

  static let recordedReads = "recorded reads"
  static let recordedEffects = "recorded effects"

  static func unexpected(_ member: String, expected: JSON, found: JSON?) -> String {
    "\(member): expected \(expected.abbreviated), found \(found?.abbreviated ?? "nothing")"
  }

  static func missingExpectation(_ path: String) -> String {
    "there is no \(path); --expected needs one beside each log, such as {\"verdict\":\"identical\"}"
  }

  static func badExpectation(_ path: String, _ problem: String) -> String {
    "\(path) holds no verdict: \(problem); expected a JSON object such as {\"verdict\":\"identical\"}"
  }

  static func summary(_ summary: RunSummary) -> String {
    let logs = summary.logs == 1 ? "1 log" : "\(summary.logs) logs"
    let state = summary.notWell == 0 ? "all well" : "\(summary.notWell) not well"
    let rest = summary.notReplayed == 0 ? "" : ", \(summary.notReplayed) not replayed"
    let end = summary.interruption.map { "; interrupted by \(SignalName.of($0))" } ?? ""
    return "\(logs), \(state)\(rest)\(end)"
  }

  static let moreWithVerbose = "--verbose shows the details of each"

  static func progress(_ summary: RunSummary, of total: Int) -> String {
    let notWell = summary.notWell == 0 ? "" : ", \(summary.notWell) not well"
    return "\(summary.files) of \(total) logs\(notWell)"
  }

  /// What a divergence is, without what is its log's own: the numbers of actions and elements.
  static func symptom(_ divergence: Verdict.Divergence) -> String {
    var path = ""
    if divergence.cause != .sequence {
      path = divergence.paths.first ?? ""
      path = path.split(separator: "/", omittingEmptySubsequences: false)
        .map { !$0.isEmpty && $0.allSatisfy { $0.isNumber || $0 == "." } ? "*" : String($0) }
        .joined(separator: "/")
    }
    let names = divergence.causes.first.map { caseNames($0.action) } ?? []
    let action = names.isEmpty ? "" : ", action \(names.joined(separator: "."))"
    return "diverged: \(name(divergence.cause))\(path.isEmpty ? "" : " \(path)")\(action)"
  }

  /// The names of an action's cases, from that of the whole feature down to that of the child which is meant.
  private static func caseNames(_ action: JSON) -> [String] {
    guard let object = action.object, object.count == 1, let name = object.keys.first else {
      return []
    }
    guard let payload = object[name]?.object, payload.count == 1, let inner = payload["_0"] else {
      return [name]
    }
    return [name] + caseNames(inner)
  }

  static func andMore(_ count: Int) -> String { " and \(count) more" }

  static func note(_ finding: LogEvent.Finding) -> String {
    "note: \(finding.subject): \(finding.message ?? finding.code.rawValue)"
  }

  static func further(_ count: Int) -> String { count == 0 ? "" : ", and \(count) more behind it" }

  static func resynced(_ seq: Int) -> String {
    "the replay went on from the recorded state after action \(seq)"
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
    "\(name) has no file that could be written anew"
  }
  static let onlyDivergences =
    "only a divergence leads to a log that can take the place of this one; record it anew"

  static func masksDiffer(_ place: String) -> String {
    "the replay has something of its own at \(place), which the recording masked; record it anew"
  }

  static func replayDiffersAgain(_ line: String) -> String {
    "the replayed log does not replay the same: \(line); record it anew"
  }

  static func skipped(_ count: Int) -> String {
    count == 1
      ? "1 event of a kind that this version does not know was left out"
      : "\(count) events of kinds that this version does not know were left out"
  }
}
