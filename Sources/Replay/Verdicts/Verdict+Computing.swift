public import ActionLog

extension Verdict {
  /// Computes the verdict on a log, or returns `nil` if the replay stopped for an unknown reason.
  ///
  /// - Parameters:
  ///   - result: The result of comparing the recorded with the replayed log.
  ///   - signal: The name of the signal that ended the replaying process, or `nil` if none did.
  public init?(_ result: LogComparison.Result, signal: String?) {
    // A finding precedes the event that it concerns, so a later difference may belong to the next action.
    let differences = result.differences.prefix { $0.seq == result.differences.first?.seq }
    if let difference = differences.first(where: { $0.cause == .undecodable }) {
      self = .undecodable(UnusableValue(difference))
    } else if let difference = differences.first(where: { $0.cause == .notReplayable }) {
      self = .notReplayable(UnusableValue(difference))
    } else if let divergence = Divergence(Array(differences)) {
      self = .diverged(divergence)
    } else {
      self.init(stop: result.stop, at: result.seq, signal: signal)
    }
  }

  /// Returns the verdicts on a log whose replay continued from the recorded state after each divergence.
  ///
  /// The first verdict is the one that the log would have if the replay had ended at the first divergence. Further
  /// differences at the same action have separate verdicts.
  static func each(of result: LogComparison.Result, signal: String?) -> [Verdict] {
    var verdicts: [Verdict] = []
    var rest = result.differences[...]
    while let seq = rest.first?.seq {
      let most = verdicts.isEmpty ? result.firstDifferences : rest.count
      let group = rest.prefix(most).prefix { $0.seq == seq }
      rest = rest.dropFirst(group.count)
      var part = result
      part.differences = Array(group)
      if let verdict = Verdict(part, signal: signal) { verdicts.append(verdict) }
    }
    if verdicts.isEmpty { return Verdict(result, signal: signal).map { [$0] } ?? [] }
    if let signal, let trap = Verdict(stop: result.stop, at: result.seq, signal: signal),
      case .trapped = trap
    {
      verdicts.append(trap)
    }
    return verdicts
  }

  /// The divergence that the verdict reports, or `nil` for other verdicts.
  package var divergence: Divergence? {
    if case .diverged(let divergence) = self { divergence } else { nil }
  }
}

extension Verdict.UnusableValue {
  fileprivate init(_ difference: LogDifference) {
    self.init(at: difference.seq, path: difference.subject, message: difference.message ?? "")
  }
}
