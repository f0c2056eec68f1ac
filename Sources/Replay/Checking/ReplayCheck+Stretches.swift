import ActionLog

/// What is known of a stretch of a log whose replay is the same in all, up to a place at which another replay can begin.
///
/// ```json
/// {"seq":4711,"ignored":["/rows/*/seen"]}
/// ```
package struct StretchProof: Sendable, Equatable {
  /// The last action of the stretch; 0 when it has none.
  package let seq: Int
  /// The ignored parts that the replay had where its state differed.
  package let ignoredParts: Set<JSON.Pointer>

  package init(seq: Int, ignoredParts: Set<JSON.Pointer> = []) {
    self.seq = seq
    self.ignoredParts = ignoredParts
  }
}

extension ReplayCheck {
  /// Replays a stretch of a log.
  ///
  /// - Parameters:
  ///   - progress: Where it is noted how far the replay has come.
  ///   - makeEngine: Makes the engine for the log with this header.
  /// - Returns: The proof that the stretch is the same, and that a replay from its last checkpoint on goes on as one of the whole log would;
  ///   `nil` when there is anything else to say of it, or it is not known.
  /// - Throws: As `compare`.
  package func prove(
    progress: ReplayProgress? = nil,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> StretchProof? {
    guard let stretch = log.stretch else { return nil }
    let events = RecordedEvents(try LogSource(log), isCompared: true)
    let (result, session) = try replay(events, progress, nil, nil, makeEngine)
    guard result.differences.isEmpty, result.notes.isEmpty, result.unknown == 0 else { return nil }
    // A key may have a value from before the stretch.
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

  /// The result for a log all of whose stretches are the same.
  ///
  /// - Parameters:
  ///   - proofs: The proofs of all stretches.
  ///   - isWhole: Whether it is known that the log holds all of its values.
  /// - Returns: The result, as a replay of the whole log has it.
  /// - Throws: `LogReadError`.
  package func conclude(_ proofs: [StretchProof], isWhole: Bool) throws -> Result {
    var result = LogComparison.Result()
    result.seq = proofs.map(\.seq).max() ?? 0
    result.matchedIgnores = proofs.reduce(into: []) { $0.formUnion($1.ignoredParts) }
    return try conclude(result, .waiting, at: result.seq, isWhole: isWhole)
  }
}
