public import ActionLog

/// An action for a feature to reduce, with the recorded answers of its dependencies.
///
/// ```swift
/// let outcome = try engine.step(StepInput(seq: 1, action: .recorded(["increment": [:]])))
/// ```
public struct StepInput: Sendable, Equatable {
  /// The number of the action.
  ///
  /// The effects that it starts have the IDs `<seq>.0`, `<seq>.1` and so on.
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
  /// The action, which may be unparsed text.
  package var logged: Logged
  /// The recorded answers of the dependencies, in the order of the reads.
  public var reads: [LogEvent.Read]
  /// Whether the recording ends within this action, so that reads may be missing.
  ///
  /// Default values answer the missing reads without a finding.
  ///
  /// ```swift
  /// let input = StepInput(seq: 9, action: .recorded(["submit": [:]]), isUnfinished: true)  // the app crashed here
  /// ```
  public var isUnfinished: Bool
  /// Whether the outcome includes reads that were not recorded, with the substitutes that answered them.
  ///
  /// Set it if the replay creates a log that another replay can use.
  ///
  /// ```swift
  /// input.keepsStandIns = true
  /// let made = try engine.step(input).reads  // also those that the recording lacks
  /// ```
  public var keepsStandIns = false
  /// The paths of the recorded action that refer to shared values, and the paths of the same values in the state before
  /// it.
  public var shared: JSON?
  /// The recorded effects of the action, for an engine that has loaded a state and therefore can't know its own
  /// effects.
  ///
  /// ```swift
  /// let effects = isRestored ? input.recordedEffects : describe(effect)
  /// ```
  public var recordedEffects: [EffectDescription] = []
  /// Whether the patch is left empty.
  ///
  /// A search in memory needs only states.
  package var leavesOutPatch = false
  /// The pause of the replay for a debugger, or `nil` if there is none.
  package var pause: ReplayPause?
  /// The number of the action in the log, for the debugger.
  package var pausedSeq = 0
  /// The recorded patch.
  ///
  /// An outcome with the same text reuses it, so that the two need not be compared.
  package var recordedPatch: PatchText?

  /// The source of an action.
  ///
  /// ```swift
  /// StepInput(seq: 2, action: .produced(EffectID(seq: 1, index: 0)))  // what the effect 1.0 sends
  /// ```
  public enum Action: Sendable, Equatable {
    /// The action comes from outside, with its recorded value.
    case recorded(JSON)
    /// The reducer sends the action itself, through a `send` effect that the engine has described earlier.
    case produced(EffectID)
  }

  /// The source of an action, whose recorded value may be unparsed text.
  package enum Logged: Sendable, Equatable {
    case recorded(JSONText)
    case produced(EffectID)
  }

  /// Creates an input with an action and its reads.
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

  /// Creates an input whose action may be unparsed text.
  package init(
    seq: Int,
    logged: Logged,
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
