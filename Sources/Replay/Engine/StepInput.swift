public import ActionLog

/// An action for a feature to reduce, with the recorded answers of its dependencies.
///
/// ```swift
/// let outcome = try engine.step(StepInput(seq: 1, action: .recorded(["increment": [:]])))
/// ```
public struct StepInput: Sendable, Equatable {
  /// The sequence number of the action, with which the IDs of its effects begin.
  ///
  /// The effects that the action starts have the IDs `<seq>.0`, `<seq>.1`, and so on.
  public var seq: Int
  /// The action, and whether it comes from outside or from the reducer.
  public var action: Action {
    get {
      switch logged {
      case .recorded(let value): .recorded(value.json)
      case .produced(let id): .produced(id)
      }
    }
    set {
      switch newValue {
      case .recorded(let json): logged = .recorded(JSONText(json))
      case .produced(let id): logged = .produced(id)
      }
    }
  }
  /// The action, whose recorded value may be text that has not been parsed.
  package var logged: LoggedAction
  /// The recorded reads with the dependencies' answers, in the order in which the reducer made them.
  public var reads: [LogEvent.Read]
  /// Whether the recording ends within this action, so that reads may be missing.
  ///
  /// Default values answer the missing reads, and no finding reports them.
  ///
  /// ```swift
  /// let input = StepInput(seq: 9, action: .recorded(["submit": [:]]), isUnfinished: true)  // the app crashed here
  /// ```
  public var isUnfinished: Bool
  /// Whether the outcome includes reads that were not recorded, with the stand-ins that answered them.
  ///
  /// Set this to `true` if the replay creates a log that another replay can use.
  ///
  /// ```swift
  /// input.keepsStandIns = true
  /// let made = try engine.step(input).reads  // also those that the recording lacks
  /// ```
  public var keepsStandIns = false
  /// The paths of shared values in the recorded action, each with the path of the same value in the state before the
  /// action.
  ///
  /// `nil` if the action contains no shared value. See `LogEvent.Action.shared`.
  public var shared: JSON?
  /// The effects that the recording contains for the action.
  ///
  /// An engine that can't describe the effects of a restored state can return these instead.
  ///
  /// ```swift
  /// let effects = isRestored ? input.recordedEffects : describe(effect)
  /// ```
  public var recordedEffects: [EffectDescription] = []
  /// Whether the engine leaves the patch empty, because a search in memory needs only states.
  package var leavesOutPatch = false
  /// The pause at which a native debugger stops the replay, or `nil` if there is none.
  package var pause: ReplayPause?
  /// The number of the action in the log, which the native debugger shows.
  package var pausedSeq = 0
  /// The patch that the recording contains for the action.
  ///
  /// If the outcome's patch has the same text, the engine reuses this one, so that the two need not be compared.
  package var recordedPatch: PatchText?

  /// The origin of an action: outside or the reducer itself.
  ///
  /// ```swift
  /// StepInput(seq: 2, action: .produced(EffectID(seq: 1, index: 0)))  // what the effect 1.0 sends
  /// ```
  public enum Action: Sendable, Equatable {
    /// An action from outside, with its recorded value.
    case recorded(JSON)
    /// An action that the reducer sends itself, through a `send` effect that the engine has described earlier.
    case produced(EffectID)
  }

  /// The origin of an action, whose recorded value may be text that has not been parsed.
  package enum LoggedAction: Sendable, Equatable {
    case recorded(JSONText)
    case produced(EffectID)
  }

  /// Creates an input from an action and its recorded reads.
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

  /// Creates an input whose action may be text that has not been parsed.
  package init(
    seq: Int,
    logged: LoggedAction,
    reads: [LogEvent.Read] = [],
    isUnfinished: Bool = false,
    recordedPatch: PatchText? = nil
  ) {
    self.seq = seq
    self.logged = logged
    self.reads = reads
    self.isUnfinished = isUnfinished
    self.recordedPatch = recordedPatch
  }
}
