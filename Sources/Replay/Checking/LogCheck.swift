import ActionLog

/// Replays a log and reckons the verdict.
struct LogCheck {
  let log: LogSlice
  var until = Int.max

  /// What a check has found.
  struct Result: Sendable, Equatable {
    var verdict: Verdict
    /// The last action that was compared.
    var seq: Int
    /// How many events the log has of kinds that this version does not know.
    var unknown: Int
  }

  /// Compares the log with its replay.
  ///
  /// - Throws: `LogReadError` when the log cannot be read, `HostFailure` when the replay cannot be had.
  func run(_ replay: any RunningReplay) throws -> Result {
    var last = 0
    var comparison = LogComparison(
      recorded: try log.events(until: until),
      replayed: {
        let event = try replay.next()
        if case .action(let action) = event { last = action.seq }
        return event
      }
    )
    let result: LogComparison.Result
    do {
      result = try comparison.run()
    } catch {
      let end = replay.end(isDone: false)
      if case .timedOut(let seconds) = end { throw HostFailure.timedOut(seconds, at: last) }
      throw error
    }
    let end = replay.end(isDone: result.isReplayDone)
    var signal: String?
    if case .signal(let name) = end { signal = name }
    guard let verdict = Verdict(result, signal: signal) else {
      // A host gives up on a log that is broken further on than the comparison has read.
      let rest = try log.events(until: until)
      while try rest() != nil {}
      switch end {
      case .timedOut(let seconds): throw HostFailure.timedOut(seconds, at: last)
      case .exited(let status): throw HostFailure.exited(status, at: last)
      case .signal(let name): throw HostFailure.killed(name, at: last)
      }
    }
    return Result(verdict: try explained(verdict), seq: result.seq, unknown: result.unknown)
  }

  /// Adds to a divergence the chain of causes of its action.
  private func explained(_ verdict: Verdict) throws -> Verdict {
    guard case .diverged(var divergence) = verdict else { return verdict }
    divergence.causes = try CauseChain(of: divergence.at).links { try log.events() }
    return .diverged(divergence)
  }
}

extension LogComparison.Result {
  /// Whether the replay has given all that it has to give.
  fileprivate var isReplayDone: Bool {
    switch stop {
    case .ended, .replayStops, .recordingStops(openAction: _?, isReplayed: false): true
    case .recordingStops, .differs: false
    }
  }
}
