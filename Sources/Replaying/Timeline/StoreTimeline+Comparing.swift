import ActionLog
public import ReplayEngine

/// The first difference between a log and what the code of now does with its actions.
///
/// ```swift
/// if let divergence = try timeline.compare() {
///   timeline.position = divergence.seq
/// }
/// ```
public struct TimelineDivergence: Sendable, Hashable {
  /// The action.
  public let seq: Int
  /// The place: a path in the state or the action, the name of an effect, the key of a read, an event.
  public let subject: String
  /// The recorded value; `nil` when there is none.
  public let recorded: JSON?
  /// The value of now; `nil` when there is none.
  public let replayed: JSON?

  /// The place and both values, as a replay reports them.
  private let text: String

  init(_ difference: LogDifference) {
    text = DifferenceText().line(difference)
    seq = difference.seq
    subject = difference.subject
    recorded = difference.expected
    replayed = difference.actual
  }
}

extension TimelineDivergence: CustomStringConvertible {
  /// The action, the place and both values: `action 3: count  − 2  + 3`.
  public var description: String { "action \(seq): \(text)" }
}

/// The states that a timeline shows of a log.
///
/// ```swift
/// try timeline.compare()
/// timeline.states = .replayed
/// ```
public enum TimelineStates: Sendable, Hashable {
  /// The states that were recorded.
  case recorded
  /// The states to which the recorded actions lead with the code of now.
  case replayed
}

extension StoreTimeline {
  /// The states that the timeline shows of its log.
  ///
  /// ```swift
  /// try timeline.compare()
  /// timeline.states = .replayed  // the same position, as the code of now has it
  /// ```
  ///
  /// Before `compare()`, and for a session, there are recorded ones alone.
  public var states: TimelineStates {
    get {
      registrar.access(self, keyPath: \.position)
      return branches.states
    }
    set {
      guard newValue != branches.states, branches.hasReplay || newValue == .recorded else { return }
      let position = position
      branches.states = newValue
      showAgain(position)
    }
  }

  /// The first difference that `compare()` has found; `nil` if it has found none, or was not called.
  ///
  /// ```swift
  /// timeline.divergence?.seq
  /// ```
  public var divergence: TimelineDivergence? {
    registrar.access(self, keyPath: \.position)
    return branches.divergence
  }

  /// Replays the actions of the log with the code of now, and compares the states with the recorded ones.
  ///
  /// ```swift
  /// if let divergence = try timeline.compare() {
  ///   print(divergence)  // action 3: count  − 2  + 3
  ///   timeline.play(stoppingAt: .divergences)
  /// }
  /// ```
  ///
  /// No effect runs, and the store is not asked: a reducer of its own gets the recorded actions and reads. The states of the replay are held in
  /// memory, and take as much as the log. A reducer that traps ends the process.
  ///
  /// - Returns: The first difference; `nil` if the replay is the same as far as the log goes, and for a session.
  /// - Throws: `ResumeError` when the log cannot be read or replayed.
  @discardableResult
  public func compare() throws(ResumeError) -> TimelineDivergence? {
    try branches.compare(with: feature.makeEngine)
    didMove {}
    return branches.divergence
  }
}

extension TimelineBranches {
  /// Replays the log with which the branches begin.
  func compare(with makeEngine: @escaping () throws -> any FeatureEngine) throws(ResumeError) {
    guard let history = recordedHistory else { return }
    do {
      let engine = try makeEngine()
      var session = ReplaySession(events: try history.events()) { _ in engine }
      var lines: [UInt8] = []
      func next() throws -> LogEvent? {
        guard !session.isStopped, let event = try session.next() else { return nil }
        lines += event.line
        lines.append(UInt8(ascii: "\n"))
        return event
      }
      var result = LogComparison.Result()
      try session.start()
      try engine.withContext {
        var comparison = LogComparison(recorded: try history.events(), replayed: next)
        result = try comparison.run()
        // The states after the first difference are shown, too.
        while try next() != nil {}
      }
      let log = RecordedLog.bytes(lines)
      let replayed = try StateHistory(log, plan: nil, stateType: nil)
      replay = ReplayBranch(
        log: log,
        history: replayed,
        divergence: result.differences.first.map(TimelineDivergence.init)
      )
    } catch { throw ResumeError(error) }
  }
}
