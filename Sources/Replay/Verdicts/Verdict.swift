public import ActionLog

/// What the replay of a log shows.
public enum Verdict: Sendable, Equatable {
  /// The replay does what was recorded, from the first event to the end of the log.
  case identical
  /// The log stops without an end; as far as it goes, up to this action, the replay does the same.
  case cut(at: Int)
  /// The log stops within this action, and there the replay trapped, with this signal.
  case trapReproduced(at: Int, signal: String)
  /// The app trapped within this action when it was recorded; the replay does not.
  case trapGone(at: Int)
  /// The replay trapped within an action that the recorded app survived.
  case trapped(at: Int, signal: String)
  /// The replay does something else.
  case diverged(Divergence)
  /// The code cannot read a value of the log.
  case undecodable(UnusableValue)
  /// The log does not hold a value that the replay needs.
  case notReplayable(UnusableValue)

  /// What keeps a replay from going on.
  public struct UnusableValue: Sendable, Equatable {
    /// The action that needs the value; 0 for the initial state.
    public var at: Int
    /// Where the value is, within the action or the state.
    public var path: String
    /// What is wrong with it.
    public var message: String

    /// An obstacle.
    public init(at: Int, path: String, message: String) {
      self.at = at
      self.path = path
      self.message = message
    }
  }
}

extension Verdict {
  /// The verdict's name, as its JSON form has it.
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

  /// The action that the verdict is about.
  public var at: Int? {
    switch self {
    case .identical: nil
    case .cut(let at), .trapReproduced(let at, _), .trapGone(let at), .trapped(let at, _): at
    case .diverged(let divergence): divergence.at
    case .undecodable(let obstacle), .notReplayable(let obstacle): obstacle.at
    }
  }

  /// Whether the replay shows the recorded behaviour, as far as the log goes.
  public var isSame: Bool {
    switch self {
    case .identical, .cut, .trapReproduced: true
    case .trapGone, .trapped, .diverged, .undecodable, .notReplayable: false
    }
  }
}

extension Verdict {
  /// The first action at which a replay differs from its log, and how.
  public struct Divergence: Sendable, Equatable {
    /// The action's number.
    public var at: Int
    /// What differs first.
    public var cause: LogDifference.Cause
    /// All that differs there.
    public var differences: [LogDifference]
    /// The action, and what led to it: what sent it, what sent that, back to the user's own action.
    public var causes: [Link]
    /// What the reducer asked its dependencies for when the action was recorded.
    public var reads: [LogEvent.Read] = []
    /// The effects that the reducer returned when the action was recorded.
    public var effects: [EffectDescription] = []

    /// An action in a chain of causes.
    public struct Link: Sendable, Equatable {
      /// The action's number.
      public var seq: Int
      /// What sent it.
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

    /// A divergence; `nil` without a difference.
    public init?(_ differences: [LogDifference], causes: [Link] = []) {
      guard let first = differences.first else { return nil }
      at = first.seq
      cause = first.cause
      self.differences = differences
      self.causes = causes
    }

    /// The places that differ.
    public var paths: [String] {
      var seen: Set<String> = []
      return differences.map(\.path).filter { seen.insert($0).inserted }
    }
  }
}

extension LogEvent.Origin {
  /// The earlier action that led to this origin; `nil` for what came from outside.
  package var cause: Int? {
    switch self {
    case .view, .parent: nil
    case .effect(let id, _): id.seq
    case .reentrant(let seq): seq
    }
  }
}

extension Verdict {
  /// The verdict on a log, from what its comparison found and how the process that replayed it ended; `nil` when the
  /// replay stopped without a reason that is known.
  ///
  /// - Parameters:
  ///   - result: What the comparison of the recorded with the replayed log found.
  ///   - signal: The signal that ended the replaying process, when one did.
  public init?(_ result: LogComparison.Result, signal: String?) {
    // A finding stands before an event, and what differs there may belong to the next action.
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

  /// The verdicts on a log whose replay went on from the recorded state wherever it had come to another one.
  ///
  /// The first one is that of the log: the one of a replay that ends there. What else differs at its action has one of its own.
  package static func each(of result: LogComparison.Result, signal: String?) -> [Verdict] {
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

  /// What diverged, when something did.
  package var divergence: Divergence? {
    if case .diverged(let divergence) = self { divergence } else { nil }
  }

  /// The verdict in the light of what was seen when the log was recorded or replayed before: a log that stops within an
  /// action which trapped then, and does not now, shows that the trap is gone.
  public func considering(trapAt expected: Int?) -> Verdict {
    if case .cut(let at) = self, at == expected { .trapGone(at: at) } else { self }
  }
}

extension Verdict.UnusableValue {
  package init(_ difference: LogDifference) {
    self.init(at: difference.seq, path: difference.subject, message: difference.message ?? "")
  }
}
