import ActionLog

/// The messages of verdicts and differences.
extension Wording {
  package static func line(_ verdict: Verdict, through seq: Int) -> String {
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
    case .undecodable(let value): "undecodable at \(place(value)): \(value.message)"
    case .notReplayable(let value): "not replayable at \(place(value)): \(value.message)"
    }
  }

  private static func place(_ value: Verdict.UnusableValue) -> String {
    value.at == 0 ? "the first checkpoint" : "action \(value.at)"
  }

  private static func places(_ divergence: Verdict.Divergence) -> String {
    guard divergence.cause != .sequence else { return "" }
    let paths = divergence.differences.filter { $0.cause == divergence.cause }.map(\.path)
      .filter { !$0.isEmpty }
    guard let first = paths.first else { return "" }
    return paths.count == 1 ? " \(first)" : " \(first) and \(paths.count - 1) more"
  }

  package static func name(_ cause: LogDifference.Cause) -> String {
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

  package static func place(_ difference: LogDifference) -> String {
    switch (difference.cause, difference.member) {
    case (.state, _) where difference.subject.isEmpty: wholeState
    case (.effects, let member?): "effect \(difference.subject): \(member)"
    case (.effects, nil): "effect \(difference.subject)"
    case (.deadEffect, _): "effect \(difference.subject)"
    default: difference.subject
    }
  }

  package static let wholeState = "the whole state"

  package static func moved(to place: String) -> String { "moved to \(place)" }

  package static func more(_ count: Int) -> String {
    "… and \(count) more; --format json has them all"
  }

  package static func legend(first: String, second: String) -> String { "− \(first), + \(second)" }

  static func outOfStep(expected: String, found: String) -> String {
    "expected \(expected), found \(found)"
  }

  static func actionNotInLog(_ seq: Int) -> String {
    seq == 0 ? "before the first action" : "action \(seq), which the log does not have"
  }

  /// The sender of an action.
  package static func origin(_ origin: LogEvent.Origin, of seq: Int?) -> String {
    switch origin {
    case .view: "sent by the view"
    case .parent: "sent by an effect of a reducer around the feature"
    case .effect(let id, let via):
      "sent by effect \(id)\(via.map { " through \($0)" } ?? "")"
        + (seq.map { " of action \($0)" } ?? ", which was started before the log")
    case .reentrant(let seq): "sent while action \(seq) was handled"
    }
  }

  package static func masked(_ message: String) -> String {
    "\(message); what stands there was masked, so a replay cannot have it"
  }

  static let recordedReads = "recorded reads"

  static let recordedEffects = "recorded effects"

  package static func andMore(_ count: Int) -> String { " and \(count) more" }

  package static func note(_ finding: LogEvent.Finding) -> String {
    "note: \(finding.subject): \(finding.message ?? finding.code.rawValue)"
  }

  package static func further(_ count: Int) -> String {
    count == 0 ? "" : ", and \(count) more after it"
  }

  package static func resynced(_ seq: Int) -> String {
    "the replay went on from the recorded state after action \(seq)"
  }

  package static func skipped(_ count: Int) -> String {
    count == 1
      ? "1 event of a kind that this version does not know was left out"
      : "\(count) events of kinds that this version does not know were left out"
  }

  package static func title(_ effect: EffectDescription) -> String {
    var text = "effect \(effect.id.map { "\($0) " } ?? "")\(effect.operation.rawValue)"
    if let name = effect.name { text += " '\(name)'" }
    if let id = effect.cancelID { text += " id \(id.type) \(id.value.abbreviated)" }
    if effect.cancelInFlight { text += " cancelling what is in flight" }
    if let action = effect.action { text += "  \(action.abbreviated)" }
    if let input = effect.input { text += "  input \(input.abbreviated)" }
    return effect.isInternal ? text + " (of the library)" : text
  }
}
