import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

extension LogStep {
  /// Returns a one-line title: the action, or a description of the step's kind.
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
