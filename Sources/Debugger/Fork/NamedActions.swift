import ActionLog
import ReplayEngine

/// The actions of a log that an edit refers to by a case, such as `skip .answered`.
package struct NamedActions {
  /// The numbers of the actions, in order.
  let seqs: [Int]
  /// The most similar path in the log, if no action matches.
  let meant: String?

  /// Finds the actions.
  ///
  /// - Parameters:
  ///   - pattern: The case, optionally with values.
  ///   - log: The log. If it can't be read, the error is reported when the edit is applied.
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
