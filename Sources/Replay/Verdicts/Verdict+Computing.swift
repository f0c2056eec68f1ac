public import ActionLog

extension Verdict {
  /// Computes the verdict on a log from its comparison and the end of the replaying process; `nil` when the replay stopped
  /// for an unknown reason.
  ///
  /// - Parameters:
  ///   - result: The result of comparing the recorded with the replayed log.
  ///   - signal: The signal that ended the replaying process, when one did.
  public init?(_ result: LogComparison.Result, signal: String?) {
    // A finding comes before an event, and a difference there may belong to the next action.
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

  /// The verdicts on a log whose replay continued from the recorded state wherever it had reached another one.
  ///
  /// The first one is that of the log, as if the replay had ended there. Other differences at the same action have a verdict
  /// of their own.
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

  /// The divergence of a verdict that has one.
  package var divergence: Divergence? {
    if case .diverged(let divergence) = self { divergence } else { nil }
  }
}

extension Verdict.UnusableValue {
  fileprivate init(_ difference: LogDifference) {
    self.init(at: difference.seq, path: difference.subject, message: difference.message ?? "")
  }
}
