public import ActionLog

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
