import ActionLog
import ReplayEngine

/// The actions of a log that an edit names by a case, such as `skip .answered`.
package struct NamedActions {
  /// Their numbers, in order.
  let seqs: [Int]
  /// The path of the log that was most likely meant, when no action is such a one.
  let meant: String?

  /// Finds the actions.
  ///
  /// - Parameters:
  ///   - pattern: The case, with values as far as they matter.
  ///   - log: The log; one that cannot be read is reported where it is edited.
  package init(_ pattern: ActionPattern, in log: LogSlice) {
    var seqs: [Int] = []
    var paths: Set<String> = []
    if let next = try? log.events() {
      while let event = try? next() {
        guard case .action(let action) = event else { continue }
        if pattern.isFound(in: action.action) {
          seqs.append(action.seq)
        } else if seqs.isEmpty {
          paths.insert(Notation().casePath(action.action))
        }
      }
    }
    self.seqs = seqs
    meant =
      seqs.isEmpty
      ? Suggestion.closestPath(to: pattern.description, among: paths.sorted()) : nil
  }
}
