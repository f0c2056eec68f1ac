import ActionLog
import ReplayCommands
import ReplayEngine

/// The words of the analyses.
extension Wording {
  static func firstTrue(_ name: String, _ condition: String, at seq: Int) -> String {
    "\(name): \(condition) holds first after action \(seq)"
  }

  static func neverTrue(_ name: String, _ condition: String, _ scan: ConditionScan) -> String {
    if scan.holdsAtStart {
      let end = scan.flips.first.map { "; it ceases to after action \($0.seq)" } ?? ""
      return "\(name): \(condition) holds from the start, so no action has brought it about\(end)"
    }
    return "\(name): \(condition) holds after none of \(actions(scan.last))"
  }

  static let unchangedState = "it has not changed the state"

  static let trueAtStart = "it holds from the start"

  static func flip(_ flip: ConditionScan.Flip) -> String {
    flip.holds
      ? "it holds again after action \(flip.seq)" : "it ceases to hold after action \(flip.seq)"
  }

  static func unknownMember(_ name: String) -> String {
    "the expression looks at '$.\(name)', which no action has; expected one of "
      + Moment.members.map { "$.\($0)" }.joined(separator: ", ")
      + suggestion(for: "$.\(name)", among: Moment.members.map { "$.\($0)" })
  }

  static func minimizing(_ left: Int, _ replays: Int) -> String {
    "\(actions(left)) from outside left after \(replays) replays"
  }

  static func minimized(
    _ name: String,
    from before: Int,
    to after: Int,
    and produced: Int,
    _ output: String,
    _ result: Minimizer.Result
  ) -> String {
    let end =
      if let signal = result.interruption {
        "interrupted by \(SignalName.of(signal)), so there may be fewer"
      } else if result.isMinimal {
        "without any one of them it does not show"
      } else {
        "the time was up, so there may be fewer"
      }
    return
      "\(name): \(actions(before)) from outside came down to \(after) in \(result.replays) replays; \(end)"
      + "; written to \(output)"
      + (produced > 0 ? ", with \(actions(produced)) that the reducer sends itself" : "")
  }

  static func wasAction(_ seq: Int) -> String { "action \(seq)" }

  static func whichWas(_ seq: Int) -> String { ", which was \(wasAction(seq))" }

  static func describe(_ failure: Minimizer.Failure, _ name: String) -> String {
    switch failure {
    case .doesNotHold:
      "\(name) does not show it: nothing to minimize; 'run' and 'bisect --when' tell what the log shows"
    case .notDeterministic(let seq):
      "replays of \(name) differ from each other at action \(seq), so none of them proves anything;"
        + " 'audit' tells what is not deterministic"
    }
  }
}
