import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

extension LogStep {
  /// Returns the action or, for a step without an action, a phrase for the kind of the step.
  package func title(_ notation: Notation) -> String {
    switch kind {
    case .action: action.map { notation.action($0.action) } ?? ""
    case .withheld: Wording.withheld
    case .excluded: Wording.excluded
    case .external: Wording.external
    case .start: Wording.start
    case .resumed: Wording.resumed
    }
  }
}
