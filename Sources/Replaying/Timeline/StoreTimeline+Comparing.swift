import ActionLog
public import ReplayEngine

/// The first difference between a log and a replay of its actions by the current code.
///
/// ```swift
/// if let divergence = try timeline.compare() {
///   timeline.position = divergence.seq
/// }
/// ```
public struct TimelineDivergence: Sendable, Hashable {
  /// The number of the action at which the replay differs.
  public let seq: Int
  /// The subject that differs: a path in the state or the action, an effect's id, a read's key, or an event.
  public let subject: String
  /// The recorded value, or `nil` if only the replay has one.
  public let recorded: JSON?
  /// The replayed value, or `nil` if only the log has one.
  public let replayed: JSON?

  /// The subject and both values, in the words of a replay's report.
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
  /// The action, the subject, and both values: `action 3: count  − 2  + 3`.
  public var description: String { "action \(seq): \(text)" }
}

/// The states of a log that a timeline shows.
///
/// ```swift
/// try timeline.compare()
/// timeline.states = .replayed
/// ```
public enum TimelineStateSource: Sendable, Hashable {
  /// The states that the log contains.
  case recorded
  /// The states that the current code computes from the recorded actions.
  case replayed
}

extension StoreTimeline {
  /// Determines whether the timeline shows the recorded or the replayed states of its log.
  ///
  /// ```swift
  /// try timeline.compare()
  /// timeline.states = .replayed  // the same position, computed by the current code
  /// ```
  ///
  /// Before `compare()`, and for a session, only recorded states are available.
  public var states: TimelineStateSource {
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

  /// The first difference that `compare()` found, or `nil` if it found none or has not been called.
  ///
  /// ```swift
  /// timeline.divergence?.seq
  /// ```
  public var divergence: TimelineDivergence? {
    registrar.access(self, keyPath: \.position)
    return branches.divergence
  }

  /// Replays the actions of the log with the current code, and compares the states with the recorded ones.
  ///
  /// ```swift
  /// if let divergence = try timeline.compare() {
  ///   print(divergence)  // action 3: count  − 2  + 3
  ///   timeline.play(stoppingAt: .divergences)
  /// }
  /// ```
  ///
  /// No effect runs, and the store does not change: a separate reducer receives the recorded actions and reads. The
  /// states of the replay are stored in memory, and take as much space as the log. If the reducer traps, the process
  /// ends.
  ///
  /// - Returns: The first difference, or `nil` if the replay is identical up to the end of the log. Always `nil` for a
  ///   session.
  /// - Throws: `ResumeError` if the log can't be read or replayed.
  @discardableResult
  public func compare() throws(ResumeError) -> TimelineDivergence? {
    try branches.compare(with: feature.makeEngine)
    didMove {}
    return branches.divergence
  }
}

extension TimelineBranches {
  /// Replays the log from which the branches start.
  func compare(with makeEngine: @escaping () throws -> any FeatureEngine) throws(ResumeError) {
    guard let history = recordedHistory else { return }
    do {
      let engine = try makeEngine()
      var session = ReplaySession(events: history.events()) { _ in engine }
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
        var comparison = LogComparison(recorded: history.events(), replayed: next)
        result = try comparison.run()
        // The replay continues after the first difference, because the timeline also shows the later states.
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

/// The former name of `TimelineStateSource`.
@available(*, deprecated, renamed: "TimelineStateSource")
public typealias TimelineStates = TimelineStateSource
