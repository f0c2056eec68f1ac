import ActionLog

/// The proof that a stretch of a log replays identically, and that another replay can start at the end of the stretch.
///
/// ```json
/// {"seq":4711,"ignored":["/rows/*/seen"]}
/// ```
package struct StretchProof: Sendable, Equatable {
  /// The number of the stretch's last action, or 0 if the stretch contains no actions.
  package let seq: Int
  /// The ignored paths that exist in compared states.
  package let ignoredParts: Set<JSON.Pointer>

  package init(seq: Int, ignoredParts: Set<JSON.Pointer> = []) {
    self.seq = seq
    self.ignoredParts = ignoredParts
  }
}

extension ReplayCheck {
  /// Replays a stretch of a log, and tries to prove that the log can be checked stretch by stretch.
  ///
  /// - Parameters:
  ///   - progress: The shared memory in which the replay records its progress, or `nil` to record none.
  ///   - makeEngine: A closure that makes the engine for a log with the given header.
  /// - Returns: The proof that the stretch replays identically, and that a replay from its last checkpoint continues
  ///   like a replay of the complete log. Returns `nil` if there is anything else to report, or if the proof fails.
  /// - Throws: The errors of `compare`.
  package func prove(
    progress: CrashProgressRecord? = nil,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> StretchProof? {
    guard let stretch = log.stretch else { return nil }
    let events = RecordedEvents(try LogEventIterator(log), isCompared: true)
    let (result, session) = try replay(events, progress, nil, nil, makeEngine)
    guard result.differences.isEmpty, result.notes.isEmpty, result.unknown == 0 else { return nil }
    // The value of a shared key may have been set before the stretch.
    if stretch.start != nil, events.hasShared { return nil }
    if stretch.end == nil {
      guard result.stop == .ended else { return nil }
    } else {
      guard result.stop == .recordingStops(openAction: nil, isReplayed: false),
        events.hasReachedEnd, session.isEquivalentAtEnd
      else { return nil }
    }
    return StretchProof(seq: result.seq, ignoredParts: result.matchedIgnores)
  }

  /// Returns the result for a log whose stretches are all proved.
  ///
  /// - Parameters:
  ///   - proofs: The proofs of all stretches of the log.
  ///   - isWhole: Whether the log is known to contain all its values. If so, it is not searched for missing ones.
  /// - Returns: The result that a replay of the complete log would have.
  /// - Throws: `LogReadError` if the log can't be read.
  package func conclude(_ proofs: [StretchProof], isWhole: Bool) throws -> Result {
    var result = LogComparison.Result()
    result.seq = proofs.map(\.seq).max() ?? 0
    result.matchedIgnores = proofs.reduce(into: []) { $0.formUnion($1.ignoredParts) }
    return try conclude(result, .waiting, at: result.seq, isWhole: isWhole)
  }
}
