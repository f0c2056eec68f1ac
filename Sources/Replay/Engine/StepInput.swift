public import ActionLog

/// One action for a feature to reduce, with all that the reducer may ask for meanwhile.
public struct StepInput: Sendable, Equatable {
  /// The action's number; the effects it starts are named after it, `<seq>.0`, `<seq>.1` and so on.
  public var seq: Int
  /// The action.
  public var action: Action {
    get {
      switch logged {
      case .recorded(let value): .recorded(value.json)
      case .produced(let id): .produced(id)
      }
    }
    set {
      switch newValue {
      case .recorded(let json): logged = .recorded(.json(json))
      case .produced(let id): logged = .produced(id)
      }
    }
  }
  /// The action, which may still be text.
  package var logged: Logged
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

  /// Where the action comes from, and what the log holds of it.
  package enum Logged: Sendable, Equatable {
    case recorded(LoggedValue)
    case produced(EffectID)
  }

  /// An action with its reads.
  public init(
    seq: Int,
    action: Action,
    reads: [LogEvent.Read] = [],
    isUnfinished: Bool = false
  ) {
    self.init(seq: seq, logged: .produced(EffectID(seq: 0, index: 0)), reads: reads)
    self.action = action
    self.isUnfinished = isUnfinished
  }

  /// An action that may still be text.
  package init(
    seq: Int,
    logged: Logged,
    reads: [LogEvent.Read] = [],
    isUnfinished: Bool = false
  ) {
    self.seq = seq
    self.logged = logged
    self.reads = reads
    self.isUnfinished = isUnfinished
  }
}
