import ActionLog

extension Verdict {
  /// Computes the verdict on two logs that have no difference, from the reasons why they end.
  ///
  /// A trap is attributed to the action that was in progress. Returns `nil` if the replay stopped for an unknown
  /// reason.
  ///
  /// - Parameters:
  ///   - stop: The reason why the comparison ended.
  ///   - seq: The number of the last action that was compared.
  ///   - signal: The name of the signal that ended the replaying process, or `nil` if none did.
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
  /// If the log ends in the middle of the action that trapped before, and the replay does not trap, the verdict is
  /// `trapGone`. The earlier trap may have occurred in the recording or in a replay.
  ///
  /// ```swift
  /// Verdict.cut(at: 12).considering(trapAt: 12)   // trapGone(at: 12): the app no longer traps there
  /// Verdict.cut(at: 12).considering(trapAt: nil)  // cut(at: 12)
  /// ```
  ///
  /// - Parameter expected: The number of the action that trapped before, or `nil` if none did.
  /// - Returns: `trapGone` if the trap is gone, or else this verdict.
  public func considering(trapAt expected: Int?) -> Verdict {
    if case .cut(let at) = self, at == expected { .trapGone(at: at) } else { self }
  }
}
