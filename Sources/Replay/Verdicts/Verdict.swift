public import ActionLog

/// The result of replaying a log.
///
/// ```text
/// diverged at action 3: state count
/// ```
public enum Verdict: Sendable, Equatable {
  /// The replay matches the recording from the first event to the end of the log.
  case identical
  /// The log has no end event, and the replay matches up to the log's last action.
  case cut(at: Int)
  /// The log ends in the middle of this action, and the replay trapped there with this signal.
  case trapReproduced(at: Int, signal: String)
  /// The log ends in the middle of this action, in which the app trapped before, but the replay did not trap.
  case trapGone(at: Int)
  /// The replay trapped in an action that the recorded app completed.
  case trapped(at: Int, signal: String)
  /// The replay diverges from the recording.
  case diverged(Divergence)
  /// The code can't decode a value of the log.
  case undecodable(UnusableValue)
  /// The log does not contain a value that the replay needs.
  case notReplayable(UnusableValue)

  /// A recorded value that prevents a replay from continuing.
  ///
  /// ```swift
  /// if case .undecodable(let value) = verdict { print("action \(value.at), \(value.path): \(value.message)") }
  /// ```
  public struct UnusableValue: Sendable, Equatable {
    /// The number of the action that needs the value, or 0 for the initial state.
    public var at: Int
    /// The JSON Pointer to the value in the action or the state.
    public var path: String
    /// A message that explains why the value can't be used.
    public var message: String

    /// Creates the description of an unusable value.
    public init(at: Int, path: String, message: String) {
      self.at = at
      self.path = path
      self.message = message
    }
  }
}

extension Verdict {
  /// The name of the verdict in JSON, such as `diverged`.
  public var name: String {
    switch self {
    case .identical: "identical"
    case .cut: "cut"
    case .trapReproduced: "trapReproduced"
    case .trapGone: "trapGone"
    case .trapped: "trapped"
    case .diverged: "diverged"
    case .undecodable: "undecodable"
    case .notReplayable: "notReplayable"
    }
  }

  /// The number of the action to which the verdict refers, or `nil` if it refers to none.
  public var at: Int? {
    switch self {
    case .identical: nil
    case .cut(let at), .trapReproduced(let at, _), .trapGone(let at), .trapped(let at, _): at
    case .diverged(let divergence): divergence.at
    case .undecodable(let value), .notReplayable(let value): value.at
    }
  }

  /// Whether the replay matches the recording up to the end of the log.
  public var isSame: Bool {
    switch self {
    case .identical, .cut, .trapReproduced: true
    case .trapGone, .trapped, .diverged, .undecodable, .notReplayable: false
    }
  }
}

extension Verdict {
  /// The differences between a replay and its log, at the first action at which they differ.
  ///
  /// ```swift
  /// if case .diverged(let divergence) = verdict {
  ///   print(divergence.at, divergence.cause, divergence.paths)  // 3 state ["/count"]
  /// }
  /// ```
  public struct Divergence: Sendable, Equatable {
    /// The number of the action at which the replay diverges.
    public var at: Int
    /// The cause of the first difference.
    public var cause: LogDifference.Cause
    /// All differences at this action.
    public var differences: [LogDifference]
    /// The chain of causes: the action, the action that caused it, and so on back to an action from outside.
    public var causes: [Link]
    /// The recorded reads that the action made.
    public var reads: [LogEvent.Read] = []
    /// The effects that the reducer returned for the action during the recording.
    public var effects: [EffectDescription] = []

    /// An action in a chain of causes.
    ///
    /// ```swift
    /// for link in divergence.causes { print(link.seq, link.origin.json, link.action) }
    /// 3 {"effect":"1.0"} {"timerTicked":{}}
    /// 1 "view" {"timerButtonTapped":{}}
    /// ```
    public struct Link: Sendable, Equatable {
      /// The sequence number of the action.
      public var seq: Int
      /// The sender of the action, such as the view or an effect.
      public var origin: LogEvent.Origin
      /// The action in the log's JSON format.
      public var action: JSON

      /// Creates a link for an action.
      public init(seq: Int, origin: LogEvent.Origin, action: JSON) {
        self.seq = seq
        self.origin = origin
        self.action = action
      }
    }

    /// Creates a divergence from the differences at one action, or returns `nil` if there are no differences.
    public init?(_ differences: [LogDifference], causes: [Link] = []) {
      guard let first = differences.first else { return nil }
      at = first.seq
      cause = first.cause
      self.differences = differences
      self.causes = causes
    }

    /// The distinct paths at which the replay differs.
    public var paths: [String] {
      var seen: Set<String> = []
      return differences.map(\.path).filter { seen.insert($0).inserted }
    }
  }
}

extension LogEvent.Origin {
  /// The number of the action that caused the action with this origin, or `nil` for an action from outside.
  package var cause: Int? {
    switch self {
    case .view, .parent: nil
    case .effect(let id, _): id.seq
    case .reentrant(let seq): seq
    }
  }
}
