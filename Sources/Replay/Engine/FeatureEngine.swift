public import ActionLog

/// One run of one feature, driven from a log: the interface between a replay and the programming model.
///
/// A replay makes one engine for each log, loads the log's first checkpoint and then steps it action by action. The
/// engine never runs an effect: it describes it. An adapter that conforms gets the whole command line.
///
/// All calls come from one task; on the command line, from the main actor.
///
/// ```swift
/// struct CounterEngine: FeatureEngine {
///   private var state: JSON = 0
///   var loggedState: JSONText { JSONText(state) }
///
///   mutating func load(_ checkpoint: LogEvent.Checkpoint, header: LogEvent.Header) throws -> LoadedState {
///     state = checkpoint.state
///     return LoadedState()
///   }
///
///   mutating func step(_ input: StepInput) throws -> StepOutcome {
///     let old = state
///     state = .number(JSON.Number((old.int ?? 0) + 1))
///     return StepOutcome(patch: JSON.Patch(from: old, to: state))
///   }
/// }
/// ```
public protocol FeatureEngine {
  /// Puts the feature into a recorded state.
  ///
  /// Members that the checkpoint lacks come from the feature's own initial state. Called again when something other than an
  /// action has changed the state: then members that the checkpoint lacks stay as they are.
  ///
  /// - Parameters:
  ///   - checkpoint: The state to start from.
  ///   - header: The header of the log, with the environment in which it was recorded.
  /// - Returns: The state that was loaded, with the members that only the log or only the code has.
  /// - Throws: `LogDecodingError` when the state cannot be read.
  mutating func load(
    _ checkpoint: LogEvent.Checkpoint,
    header: LogEvent.Header
  ) throws -> LoadedState

  /// Calls a function in the context in which the feature is reduced, such as its dependencies.
  ///
  /// ```swift
  /// func withContext(_ body: () throws -> Void) rethrows {
  ///   try withDependencies { $0.context = .replay } operation: { try body() }
  /// }
  /// ```
  ///
  /// A replay enters it once for all steps of a log; a step outside of it enters it by itself.
  ///
  /// - Parameter body: The function.
  /// - Throws: What the function throws.
  func withContext(_ body: () throws -> Void) rethrows

  /// Reduces one action.
  ///
  /// - Parameter input: The action and the recorded answers of the dependencies.
  /// - Returns: The patch, effects and reads of the reducer.
  /// - Throws: `LogDecodingError` when the action, or a read's value, cannot be read.
  mutating func step(_ input: StepInput) throws -> StepOutcome

  /// The state as a log has it.
  var loggedState: JSONText { get }

  /// Reads a recorded state and writes it again: members that appear or disappear are those that only the code or only the
  /// log has.
  ///
  /// ```swift
  /// func rewritten(_ state: JSON) throws -> JSON {
  ///   var encoder = LogEncoder()
  ///   encoder.value(try LogDecoder(state).value(Counter.State.self))
  ///   return try JSON(parsing: encoder.bytes)
  /// }
  /// ```
  ///
  /// The feature's own state stays what it is.
  ///
  /// - Parameter state: A recorded state.
  /// - Returns: The state as this code would have written it.
  /// - Throws: `LogDecodingError` when the state cannot be read.
  func rewritten(_ state: JSON) throws -> JSON

  /// Reads a recorded action and writes it again, as `rewritten(_:)` does with a state.
  ///
  /// - Parameter action: A recorded action.
  /// - Returns: The action as this code would have written it.
  /// - Throws: `LogDecodingError` when the action cannot be read.
  func rewritten(action: JSON) throws -> JSON

  /// Whether `step` calls the input's `willReduce()` right before the reducer; else it is called before `step`.
  ///
  /// ```swift
  /// let announcesReducer = true
  ///
  /// func step(_ input: StepInput) throws -> StepOutcome {
  ///   let action = try readAction(input)
  ///   input.willReduce()
  ///   return try reduce(action)
  /// }
  /// ```
  var announcesReducer: Bool { get }

  /// The places of the feature's state that hold the same shared value, as a checkpoint has them; `nil` when nothing is shared.
  ///
  /// ```swift
  /// engine.sharedPlaces  // [{"root":0,"at":"/books"},{"root":0,"at":"/reader/book","part":[{"id":2},null]}]
  /// ```
  var sharedPlaces: JSON? { get }

  /// The number that the next element of a stack gets, 0 when there was none yet; `nil` when the engine does not count them.
  ///
  /// ```swift
  /// engine.nextStackElement  // 3, after screens with the ids 0, 1 and 2
  /// ```
  var nextStackElement: Int? { get }

  /// Whether a replay that begins at a checkpoint goes on exactly as this one does: the state that is read from it is this one in all that
  /// the feature can see, and nothing else is kept from action to action.
  ///
  /// Only then the stretches of a long log before and after the checkpoint are replayed at the same time. The default is `false`.
  ///
  /// - Parameter checkpoint: The checkpoint that this replay has reached.
  /// - Returns: Whether it does; `false` where that is not known.
  func isEquivalent(to checkpoint: LogEvent.Checkpoint) -> Bool

  /// Why the engine cannot go back to where it was; `nil` when it can.
  ///
  /// A search in memory goes back instead of replaying from the start. Asked once for each state that a search meets on its way
  /// through the recorded order.
  var snapshotObstacle: SnapshotObstacle? { get }

  /// All that later steps depend on, as it is now.
  func snapshot() -> EngineSnapshot

  /// Goes back: steps give what they gave after the snapshot was taken.
  ///
  /// - Parameter snapshot: A snapshot of this engine.
  mutating func restore(_ snapshot: EngineSnapshot)

  /// Forgets the actions of `send` effects that were cancelled before their turn: no step asks for them any more.
  ///
  /// Two states that differ only in such actions are the same then for a search. An engine that keeps no actions has nothing to do.
  ///
  /// - Parameter sends: The effects.
  mutating func forgetActions(of sends: [EffectID])

  /// Whether steps from here on give what they gave after a snapshot was taken.
  ///
  /// A search makes a step only once in states that are the same. `false` is never wrong.
  ///
  /// - Parameter snapshot: A snapshot of this engine; the logged state and the next stack element were those of now.
  /// - Returns: Whether they do.
  func isEquivalent(to snapshot: EngineSnapshot) -> Bool
}

extension FeatureEngine {
  /// There is no context.
  public func withContext(_ body: () throws -> Void) rethrows { try body() }

  /// The state itself: for features whose states are what their logs hold.
  public func rewritten(_ state: JSON) throws -> JSON { state }

  /// The action itself: for features whose actions are what their logs hold.
  public func rewritten(action: JSON) throws -> JSON { action }

  /// A native debugger stops before `step`.
  public var announcesReducer: Bool { false }

  /// Nothing is shared.
  public var sharedPlaces: JSON? { nil }

  /// There are no stacks.
  public var nextStackElement: Int? { nil }

  /// What an engine keeps is not known.
  public func isEquivalent(to checkpoint: LogEvent.Checkpoint) -> Bool { false }

  /// The engine takes no snapshots.
  public var snapshotObstacle: SnapshotObstacle? { .notSupported }

  /// Nothing.
  public func snapshot() -> EngineSnapshot { EngineSnapshot() }

  /// Stays where it is.
  public mutating func restore(_ snapshot: EngineSnapshot) {}

  /// The actions stay.
  public mutating func forgetActions(of sends: [EffectID]) {}

  /// What an engine keeps is not known.
  public func isEquivalent(to snapshot: EngineSnapshot) -> Bool { false }
}

/// Where an engine was: adapters make subclasses that hold what they need to go back.
///
/// ```swift
/// final class CounterSnapshot: EngineSnapshot {
///   let state: JSON
///   init(_ state: JSON) { self.state = state }
/// }
/// ```
open class EngineSnapshot {
  /// A snapshot that holds nothing.
  public init() {}
}

/// Why an engine cannot go back to where it was.
///
/// ```swift
/// SnapshotObstacle.object(type: "Player")  // the state holds a `Player`, which a copy of the state shares
/// ```
public enum SnapshotObstacle: Error, Hashable, Sendable {
  /// The engine takes no snapshots.
  case notSupported
  /// The state holds an object or a closure, of this type: a copy of the state shares it.
  case object(type: String)
}

/// The state that an engine has loaded from a log.
///
/// ```swift
/// // The log has {"count":0}, the code has a member more.
/// let drift = SchemaDrift(path: JSON.Pointer(["step"]), kind: .missingInLog)
/// LoadedState(state: ["count": 0, "step": 1], drift: [drift])
/// ```
public struct LoadedState: Sendable, Equatable {
  /// The state as the feature has it; `nil` when it is the recorded one, member for member.
  public var state: JSON?
  /// The members that only the log or only the code has.
  public var drift: [SchemaDrift]

  /// A state.
  public init(state: JSON? = nil, drift: [SchemaDrift] = []) {
    self.state = state
    self.drift = drift
  }
}

/// One action for a feature to reduce, with the recorded answers of its dependencies.
///
/// ```swift
/// let outcome = try engine.step(StepInput(seq: 1, action: .recorded(["increment": [:]])))
/// ```
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
      case .recorded(let json): logged = .recorded(JSONText(json))
      case .produced(let id): logged = .produced(id)
      }
    }
  }
  /// The action, which may still be text.
  package var logged: Logged
  /// The recorded answers of the dependencies, in the order in which they were asked for.
  public var reads: [LogEvent.Read]
  /// Whether the recording ends within this action, so that reads may be missing: default values answer then, without a
  /// finding.
  ///
  /// ```swift
  /// let input = StepInput(seq: 9, action: .recorded(["submit": [:]]), isUnfinished: true)  // the app crashed here
  /// ```
  public var isUnfinished: Bool
  /// Whether a read that was not recorded is one of the outcome's, with the value that stands in for it: the replay makes a log of
  /// its own, which another replay is to answer from.
  ///
  /// ```swift
  /// input.keepsStandIns = true
  /// let made = try engine.step(input).reads  // also those that the recording lacks
  /// ```
  public var keepsStandIns = false
  /// The places of the recorded action that hold a shared value, and where the state before it holds the same one.
  public var shared: JSON?
  /// The effects that were recorded of the action, for an engine that can't know those of its own after it has loaded a state.
  ///
  /// ```swift
  /// let effects = isRestored ? input.recordedEffects : describe(effect)
  /// ```
  public var recordedEffects: [EffectDescription] = []
  /// Whether no one asks for the patch, which is left empty then: a search in memory looks at states alone.
  package var leavesOutPatch = false
  /// Where a debugger stops the replay; `nil` when none does.
  package var pause: ReplayPause?
  /// The number of the action in the log, for the debugger.
  package var pausedSeq = 0
  /// The recorded change: an outcome with the same text takes it for its own, so that the two need not be compared.
  package var recordedPatch: PatchText?

  /// The source of the action.
  ///
  /// ```swift
  /// StepInput(seq: 2, action: .produced(EffectID(seq: 1, index: 0)))  // what the effect 1.0 sends
  /// ```
  public enum Action: Sendable, Equatable {
    /// From outside: its recorded value.
    case recorded(JSON)
    /// From the reducer itself: the action of the `send` effect with this name, which the engine described earlier.
    case produced(EffectID)
  }

  /// The source of the action, whose recorded value may still be text.
  package enum Logged: Sendable, Equatable {
    case recorded(JSONText)
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

/// The outcome of reducing one action.
///
/// ```swift
/// let outcome = StepOutcome(patch: JSON.Patch(from: ["count": 0], to: ["count": 1]))
/// outcome.patch.json  // [{"op":"replace","path":"/count","value":1}]
/// ```
public struct StepOutcome: Sendable, Equatable {
  /// The patch from the state before the action to the state after it.
  public var patch: JSON.Patch {
    get { logged.patch }
    set { logged = PatchText(newValue) }
  }
  /// The effects that the reducer returned, described; a merge around all of them is left out.
  ///
  /// The feature's own leaves carry ids, `<seq>.<n>`, in the order of the tree. A `send` carries its action.
  public var effects: [EffectDescription]
  /// The reads of dependencies, with the answers that the reducer was given.
  public var reads: [LogEvent.Read]
  /// The findings: reads that were not recorded, and recorded reads that were not used.
  ///
  /// ```swift
  /// let unread = outcome.findings.filter { $0.code == .unusedRead }.map(\.subject)  // ["date"]
  /// ```
  public var findings: [LogEvent.Finding]
  /// The patch, which may still be text.
  package var logged: PatchText

  /// An outcome whose patch may still be text.
  package init(logged: PatchText) {
    self.logged = logged
    effects = []
    reads = []
    findings = []
  }

  /// An outcome.
  public init(
    patch: JSON.Patch = JSON.Patch(),
    effects: [EffectDescription] = [],
    reads: [LogEvent.Read] = [],
    findings: [LogEvent.Finding] = []
  ) {
    logged = PatchText(patch)
    self.effects = effects
    self.reads = reads
    self.findings = findings
  }
}
