import ActionLog
import ReplayEngine

/// The actions in a log that match the case in an edit, such as `skip .answered`.
package struct ActionMatches {
  /// The numbers of the actions, in order.
  let seqs: [Int]
  /// The most similar case path in the log, or `nil` if an action matches or no path is similar.
  let meant: String?

  /// Finds the actions.
  ///
  /// - Parameters:
  ///   - pattern: The case, optionally with values.
  ///   - log: The log to search. If the log can't be read, no action is found. The error is reported when the edit is
  ///     applied.
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
      ? SpellingSuggestion.closestPath(to: pattern.description, among: paths.sorted()) : nil
  }
}
