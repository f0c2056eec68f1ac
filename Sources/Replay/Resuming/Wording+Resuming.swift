import ActionLog

/// Messages about resuming a store from a log.
extension Wording {
  static func describe(_ error: ResumeError) -> String {
    switch error {
    case .unreadable(let error): "\(error)"
    case .noLogs(let folder): describe(ReplayError.noLogs(folder: folder))
    case .noState:
      "the log has no state: it ends before its first checkpoint, so nothing can go on from it"
    case .noSuchAction(let seq, let first, let last) where first < seq && seq < last:
      "the log has no state after action \(seq), which is missing in a gap; choose another action"
        + " from \(first) to \(last)"
    case .noSuchAction(let seq, let first, let last):
      "the log has no state after action \(seq); choose "
        + (first == last ? "\(first), the only one" : "an action from \(first) to \(last)")
    case .unfinishedAction(let seq):
      "action \(seq) was not finished, the log ends while it is reduced; open the log through"
        + " \(seq - 1), and send the action to see what it does"
    case .otherFeature(let feature, let stateType, let expected):
      "the log is of feature '\(Notation.visible(feature))' with the state type"
        + " \(Notation.visible(stateType)), not \(expected); open it with the reducer of that feature"
    case .severalLogs(let names):
      "there are several logs: \(names.joined(separator: ", ")); choose one of them"
    case .brokenPatch(_, let problem):
      "\(problem); 'tca-replay verify' finds all such places, and --repair keeps the valid part"
    case .undecodable(let seq, let error, let text):
      "\(stateAfter(seq)) cannot be read: \(text)" + hint(error)
    case .notMigrated(let problem), .other(let problem): problem
    }
  }

  private static func stateAfter(_ seq: Int) -> String {
    seq == 0 ? "the state before the first action" : "the state after action \(seq)"
  }

  private static func hint(_ error: LogDecodingError) -> String {
    guard case .opaque = error.problem else { return "" }
    return "; or give an initial state that has the value"
  }

  /// Describes an effect that was alive, and the action that started the effect.
  package static func alive(
    _ id: EffectID,
    name: String?,
    source: String?,
    action: JSON?
  ) -> String {
    let name = name.map { " '\(Notation.visible($0))'" } ?? ""
    let source = source.map { " at \(Notation.visible($0))" } ?? ""
    let action = action.map { " \(Notation().action($0))" } ?? ""
    return "effect \(id)\(name)\(source), started by action \(id.seq)\(action)"
  }
}
