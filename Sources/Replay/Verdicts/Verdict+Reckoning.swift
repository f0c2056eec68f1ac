public import ActionLog

extension Verdict {
  /// The verdict on a log, from what its comparison found and how the process that replayed it ended; `nil` when the
  /// replay stopped without a reason that is known.
  ///
  /// - Parameters:
  ///   - result: What the comparison of the recorded with the replayed log found.
  ///   - signal: The signal that ended the replaying process, when one did.
  public init?(_ result: LogComparison.Result, signal: String?) {
    // A finding stands before an event, and what differs there may belong to the next action.
    let differences = result.differences.prefix { $0.seq == result.differences.first?.seq }
    if let difference = differences.first(where: { $0.cause == .undecodable }) {
      self = .undecodable(Obstacle(difference))
    } else if let difference = differences.first(where: { $0.cause == .notReplayable }) {
      self = .notReplayable(Obstacle(difference))
    } else if let divergence = Divergence(Array(differences)) {
      self = .diverged(divergence)
    } else {
      switch (result.stop, signal) {
      case (.ended, _): self = .identical
      case (.recordingStops(let open?, isReplayed: false), let signal?):
        self = .trapReproduced(at: open, signal: signal)
      case (.recordingStops(_?, isReplayed: false), nil): return nil
      case (.recordingStops, _): self = .cut(at: result.seq)
      case (.replayStops(let open), let signal?):
        self = .trapped(at: open ?? result.seq, signal: signal)
      case (.replayStops, nil), (.differs, _): return nil
      }
    }
  }

  /// The verdicts on a log whose replay went on from the recorded state wherever it had come to another one.
  ///
  /// The first one is that of the log: the one of a replay that ends there. What else differs at its action has one of its own.
  package static func each(of result: LogComparison.Result, signal: String?) -> [Verdict] {
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
    if case .replayStops(let open) = result.stop, let signal {
      verdicts.append(.trapped(at: open ?? result.seq, signal: signal))
    }
    return verdicts
  }

  /// What diverged, when something did.
  package var divergence: Divergence? {
    if case .diverged(let divergence) = self { divergence } else { nil }
  }

  /// The verdict in the light of what was seen when the log was recorded or replayed before: a log that stops within an
  /// action which trapped then, and does not now, shows that the trap is gone.
  public func considering(trapAt expected: Int?) -> Verdict {
    if case .cut(let at) = self, at == expected { .trapGone(at: at) } else { self }
  }
}

extension Verdict.Obstacle {
  package init(_ difference: LogDifference) {
    self.init(at: difference.seq, path: difference.subject, message: difference.message ?? "")
  }
}
