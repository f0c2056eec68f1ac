import ActionLog
import ReplayCommands
import ReplayEngine

/// The messages and report lines of the `minimize` command.
extension Wording {
  static func minimizing(_ left: Int, _ replays: Int) -> String {
    "\(actions(left)) from outside left after \(replays) replays"
  }

  static func minimized(
    _ name: String,
    from before: Int,
    to after: Int,
    and produced: Int,
    _ output: String?,
    _ result: Minimizer.Result
  ) -> String {
    let end =
      if let signal = result.interruption {
        "interrupted by \(SignalName.of(signal)), so there may be fewer"
      } else if result.isMinimal {
        after == 1 ? "it is needed" : "each of them is needed"
      } else {
        "the time ran out, so there may be fewer"
      }
    return
      "\(name): \(actions(before)) from outside reduced to \(after) in \(result.replays) replays; \(end)"
      + (output.map { "; written to \($0)" } ?? "")
      + (produced > 0 ? ", with \(actions(produced)) that the reducer sends itself" : "")
  }

  static func describe(_ failure: Minimizer.MinimizationObstacle, _ name: String) -> String {
    switch failure {
    case .doesNotHold:
      "the replay of \(name) does not show it: nothing to minimize; 'run' and 'bisect --when' show what happens in the log"
    case .notDeterministic(let seq):
      "replays of \(name) differ from each other at action \(seq), so none of them proves anything;"
        + " 'audit' shows what is not deterministic"
    }
  }
}
