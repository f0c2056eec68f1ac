import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

extension LogStep {
  /// What happened in the step, in one line: its action, or what it is instead.
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
