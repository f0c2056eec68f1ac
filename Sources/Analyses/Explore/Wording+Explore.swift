import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// The words of `explore`.
extension Wording {
  static func exploring(_ replays: Int, _ places: Int) -> String {
    "\(replays) replays, \(places) different places"
  }

  static func explored(_ name: String, _ condition: String, _ result: Explorer.Result) -> String {
    let places = result.places == 1 ? "1 place" : "\(result.places) different places"
    let end = result.interruption.map { "; interrupted by \(SignalName.of($0))" } ?? ""
    let effort = "\(result.replays) replays, \(places)\(end)"
    guard let violation = result.violation else {
      if result.isComplete { return "\(name): \(condition) holds in every order; \(effort)" }
      let end = result.limit.map { "; --\($0.rawValue) ended the search, so there are more" } ?? ""
      return "\(name): \(condition) holds in all orders that were tried; \(effort)\(end)"
    }
    return violation.trap.map { "\(name): an order ends with \($0); \(effort)" }
      ?? "\(name): \(condition) does not hold in every order; \(effort)"
  }

  static func unclearOrders(_ count: Int) -> String {
    "\(count == 1 ? "1 order was" : "\(count) orders were") followed up to where the code reports an issue, or asks for"
      + " what the log does not hold."
  }

  static func recordedOrderBreaks(isTrap: Bool) -> String {
    "The recorded order shows it already; '\(isTrap ? "run" : "bisect --when")' says more."
  }

  static func move(_ move: ExploreReport.Move, _ notation: Notation) -> String {
    "\(wasAction(move.step.seq))  \(notation.action(move.step.action)), \(origin(move.step.origin, of: nil, isInLog: true)), comes "
      + (move.predecessor.map { "after \(wasAction($0))" } ?? "first")
  }

  static func breaks(
    _ violation: Explorer.Violation,
    _ action: LogEvent.Action,
    _ condition: String,
    _ notation: Notation
  ) -> String {
    let original = action.originalSeq ?? violation.seq
    let recorded = original == violation.seq ? "" : whichWas(original)
    let place = "\(wasAction(violation.seq))  \(notation.action(action.action))\(recorded)"
    return violation.trap.map { "\($0) within \(place)" }
      ?? "\(condition) does not hold after \(place)"
  }

  static func wrote(_ output: String) -> String { "The order is in \(output)." }

  static func describe(_ failure: Explorer.Failure, _ name: String) -> String {
    switch failure {
    case .changedFromOutside(let seq):
      "after \(wasAction(seq)) of \(name) something other than a recorded action changes the state, and the change fits only there,"
        + " so the log has no other orders; record the whole feature, without filters, to explore it"
    case .isNotReproduced(let seq):
      "\(name) does not replay as recorded from action \(seq) on, so other orders prove nothing; 'run' shows how"
    case .notDeterministic:
      "replays of \(name) differ from each other, so none of them proves anything; 'audit' shows what is not deterministic"
    }
  }
}
