public import ActionLog

/// One action for a feature to reduce, with all that the reducer may ask for meanwhile.
public struct StepInput: Sendable, Equatable {
  /// The action's number; the effects it starts are named after it, `<seq>.0`, `<seq>.1` and so on.
  public var seq: Int
  /// The action.
  public var action: Action
  /// The recorded answers of the dependencies, in the order in which they were asked for.
  public var reads: [LogEvent.Read]
  /// Whether the recording ends within this action, so that reads may be missing: stand-ins answer then, without a finding.
  public var isUnfinished: Bool

  /// Where the action comes from.
  public enum Action: Sendable, Equatable {
    /// From outside: it is read from what the log holds of it.
    case recorded(JSON)
    /// From the reducer itself: what the `send` effect of this name carries, as the engine described it earlier.
    case produced(EffectID)
  }

  /// An action with its reads.
  public init(
    seq: Int,
    action: Action,
    reads: [LogEvent.Read] = [],
    isUnfinished: Bool = false
  ) {
    self.seq = seq
    self.action = action
    self.reads = reads
    self.isUnfinished = isUnfinished
  }
}
