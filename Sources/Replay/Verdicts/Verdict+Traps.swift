import ActionLog

extension Verdict {
  /// The verdict on two logs without a difference, by where they stop; `nil` when the replay stopped for an unknown reason.
  ///
  /// Here a trap is attributed to the action that was open.
  ///
  /// - Parameters:
  ///   - stop: The reason why the comparison ended.
  ///   - seq: The last action that was compared.
  ///   - signal: The signal that ended the replaying process, when one did.
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

  /// The verdict in view of an earlier trap: when the log stops within the action that trapped when it was recorded or
  /// replayed before, and the replay does not trap, the trap is gone.
  ///
  /// ```swift
  /// Verdict.cut(at: 12).considering(trapAt: 12)   // trapGone(at: 12): the app no longer traps there
  /// Verdict.cut(at: 12).considering(trapAt: nil)  // cut(at: 12)
  /// ```
  public func considering(trapAt expected: Int?) -> Verdict {
    if case .cut(let at) = self, at == expected { .trapGone(at: at) } else { self }
  }
}
