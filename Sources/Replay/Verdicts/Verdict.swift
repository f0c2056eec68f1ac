public import ActionLog

/// The result of replaying a log.
public enum Verdict: Sendable, Equatable {
  /// The replay matches the recording, from the first event to the end of the log.
  case identical
  /// The log stops without an end; up to this action, its last, the replay matches.
  case cut(at: Int)
  /// The log stops within this action, and the replay trapped there, with this signal.
  case trapReproduced(at: Int, signal: String)
  /// The app trapped within this action when it was recorded; the replay does not.
  case trapGone(at: Int)
  /// The replay trapped within an action that the recorded app survived.
  case trapped(at: Int, signal: String)
  /// The replay differs from the recording.
  case diverged(Divergence)
  /// The code cannot read a value of the log.
  case undecodable(UnusableValue)
  /// The log does not hold a value that the replay needs.
  case notReplayable(UnusableValue)

  /// A value of the log that keeps a replay from continuing.
  public struct UnusableValue: Sendable, Equatable {
    /// The action that needs the value; 0 for the initial state.
    public var at: Int
    /// The JSON Pointer to the value, within the action or the state.
    public var path: String
    /// The problem with it.
    public var message: String

    /// A value.
    public init(at: Int, path: String, message: String) {
      self.at = at
      self.path = path
      self.message = message
    }
  }
}

extension Verdict {
  /// The name of the verdict in its JSON form.
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

  /// The number of the action that the verdict is about.
  public var at: Int? {
    switch self {
    case .identical: nil
    case .cut(let at), .trapReproduced(let at, _), .trapGone(let at), .trapped(let at, _): at
    case .diverged(let divergence): divergence.at
    case .undecodable(let value), .notReplayable(let value): value.at
    }
  }

  /// Whether the replay shows the recorded behavior, as far as the log goes.
  public var isSame: Bool {
    switch self {
    case .identical, .cut, .trapReproduced: true
    case .trapGone, .trapped, .diverged, .undecodable, .notReplayable: false
    }
  }
}

extension Verdict {
  /// The first action at which a replay differs from its log, with the differences.
  public struct Divergence: Sendable, Equatable {
    /// The action's number.
    public var at: Int
    /// The cause of the first difference.
    public var cause: LogDifference.Cause
    /// All differences there.
    public var differences: [LogDifference]
    /// The chain of causes: the action, the one that sent it, and so on back to the user's own action.
    public var causes: [Link]
    /// The reads of dependencies when the action was recorded.
    public var reads: [LogEvent.Read] = []
    /// The effects that the reducer returned when the action was recorded.
    public var effects: [EffectDescription] = []

    /// An action in a chain of causes.
    public struct Link: Sendable, Equatable {
      /// The action's number.
      public var seq: Int
      /// The sender of the action.
      public var origin: LogEvent.Origin
      /// The action itself.
      public var action: JSON

      /// A link.
      public init(seq: Int, origin: LogEvent.Origin, action: JSON) {
        self.seq = seq
        self.origin = origin
        self.action = action
      }
    }

    /// A divergence; `nil` without differences.
    public init?(_ differences: [LogDifference], causes: [Link] = []) {
      guard let first = differences.first else { return nil }
      at = first.seq
      cause = first.cause
      self.differences = differences
      self.causes = causes
    }

    /// The paths that differ, each once.
    public var paths: [String] {
      var seen: Set<String> = []
      return differences.map(\.path).filter { seen.insert($0).inserted }
    }
  }
}

extension LogEvent.Origin {
  /// The earlier action that led to this origin; `nil` for an action from outside.
  package var cause: Int? {
    switch self {
    case .view, .parent: nil
    case .effect(let id, _): id.seq
    case .reentrant(let seq): seq
    }
  }
}

extension Verdict {
  /// Computes the verdict on a log from its comparison and the end of the replaying process; `nil` when the replay stopped
  /// for an unknown reason.
  ///
  /// - Parameters:
  ///   - result: The result of comparing the recorded with the replayed log.
  ///   - signal: The signal that ended the replaying process, when one did.
  public init?(_ result: LogComparison.Result, signal: String?) {
    // A finding comes before an event, and a difference there may belong to the next action.
    let differences = result.differences.prefix { $0.seq == result.differences.first?.seq }
    if let difference = differences.first(where: { $0.cause == .undecodable }) {
      self = .undecodable(UnusableValue(difference))
    } else if let difference = differences.first(where: { $0.cause == .notReplayable }) {
      self = .notReplayable(UnusableValue(difference))
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

  /// The verdicts on a log whose replay continued from the recorded state wherever it had reached another one.
  ///
  /// The first one is that of the log, as if the replay had ended there. Other differences at the same action have a verdict
  /// of their own.
  static func each(of result: LogComparison.Result, signal: String?) -> [Verdict] {
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

  /// The divergence of a verdict that has one.
  var divergence: Divergence? {
    if case .diverged(let divergence) = self { divergence } else { nil }
  }

  /// The verdict in view of an earlier trap: when the log stops within the action that trapped when it was recorded or
  /// replayed before, and the replay does not trap, the trap is gone.
  public func considering(trapAt expected: Int?) -> Verdict {
    if case .cut(let at) = self, at == expected { .trapGone(at: at) } else { self }
  }
}

extension Verdict.UnusableValue {
  fileprivate init(_ difference: LogDifference) {
    self.init(at: difference.seq, path: difference.subject, message: difference.message ?? "")
  }
}
