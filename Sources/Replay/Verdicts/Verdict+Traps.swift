import ActionLog

extension Verdict {
  /// Computes the verdict on two logs without a difference from their ends.
  ///
  /// A trap is attributed to the action that was in progress. Returns `nil` if the replay stopped for an unknown
  /// reason.
  ///
  /// - Parameters:
  ///   - stop: The reason why the comparison ended.
  ///   - seq: The last action that was compared.
  ///   - signal: The signal that ended the replaying process, if any.
  init?(stop: LogComparison.Stop, at seq: Int, signal: String?) {
    switch (stop, signal) {
    case (.ended, _): self = .identical
    case (.recordingStops(let open?, isReplayed: false), let signal?):
      self = .trapReproduced(at: open, signal: signal)
    case (.recordingStops(_?, isReplayed: false), nil): return nil
    case (.recordingStops, _): self = .cut(at: seq)
    case (.replayStops(let open), let signal?): self = .trapped(at: open ?? seq, signal: signal)
    case (.replayStops, nil), (.differs, _): return nil
    }
  }

  /// Returns the verdict in view of an earlier trap.
  ///
  /// If the log ends in the middle of the action that trapped before, and the replay does not trap, the trap is gone.
  /// The earlier trap may have occurred in the recording or in a replay.
  ///
  /// ```swift
  /// Verdict.cut(at: 12).considering(trapAt: 12)   // trapGone(at: 12): the app no longer traps there
  /// Verdict.cut(at: 12).considering(trapAt: nil)  // cut(at: 12)
  /// ```
  public func considering(trapAt expected: Int?) -> Verdict {
    if case .cut(let at) = self, at == expected { .trapGone(at: at) } else { self }
  }
}
