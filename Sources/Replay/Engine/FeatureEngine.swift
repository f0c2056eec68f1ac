public import ActionLog

/// A run of a feature that is driven by a log: the interface between a replay and the library that runs the feature.
///
/// A replay creates one engine per log, loads the log's first checkpoint, and then steps the engine action by action.
/// The engine never runs an effect. It only describes effects. All commands work with an adapter that conforms to this
/// protocol.
///
/// All calls come from one task. On the command line, this task runs on the main actor.
///
/// ```swift
/// struct CounterEngine: FeatureEngine {
///   private var state: JSON = 0
///   var loggedState: JSONText { JSONText(state) }
///   mutating func load(_ checkpoint: LogEvent.Checkpoint, header: LogEvent.Header) throws -> LoadedState {
///     state = checkpoint.state
///     return LoadedState()
///   }
///   mutating func step(_ input: StepInput) throws -> StepOutcome {
///     let old = state
///     state = .number(JSON.Number((old.int ?? 0) + 1))
///     return StepOutcome(patch: JSON.Patch(from: old, to: state))
///   }
/// }
/// ```
public protocol FeatureEngine {
  /// Loads a recorded state into the feature.
  ///
  /// Members that the checkpoint lacks are taken from the feature's initial state. The method is called again after a
  /// change that no action made, and when a replay continues from the recorded state after a divergence. Members that
  /// the checkpoint lacks then keep their values.
  ///
  /// - Parameters:
  ///   - checkpoint: The state to load.
  ///   - header: The header of the log, which contains the environment of the recording.
  /// - Returns: The loaded state, with the members that only the log or only the code has.
  /// - Throws: `LogDecodingError` if the state can't be decoded.
  mutating func load(
    _ checkpoint: LogEvent.Checkpoint,
    header: LogEvent.Header
  ) throws -> LoadedState

  /// Calls a function in the context in which the feature is reduced, for example with the dependencies of a replay.
  ///
  /// ```swift
  /// func withContext(_ body: () throws -> Void) rethrows {
  ///   try withDependencies { $0.context = .replay } operation: { try body() }
  /// }
  /// ```
  ///
  /// A replay enters the context once for all steps of a log. If `step` is called outside of the context, the engine
  /// enters it for that step.
  ///
  /// - Parameter body: The function to call.
  /// - Throws: The error that `body` throws.
  func withContext(_ body: () throws -> Void) rethrows

  /// Reduces one action.
  ///
  /// - Parameter input: The action, and the recorded answers of the dependencies.
  /// - Returns: The patch that the reducer caused, the effects that it returned, and the dependencies that it read.
  /// - Throws: `LogDecodingError` if the action or the value of a read can't be decoded.
  mutating func step(_ input: StepInput) throws -> StepOutcome

  /// The current state in the log's JSON format.
  var loggedState: JSONText { get }

  /// Decodes a recorded state and encodes it again.
  ///
  /// Members that appear or disappear are those that only the code or only the log has.
  ///
  /// ```swift
  /// func rewritten(_ state: JSON) throws -> JSON {
  ///   var encoder = LogEncoder()
  ///   encoder.value(try LogDecoder(state).value(Counter.State.self))
  ///   return try JSON(parsing: encoder.bytes)
  /// }
  /// ```
  ///
  /// The method does not change the feature's own state.
  ///
  /// - Parameter state: A recorded state.
  /// - Returns: The state as the current code encodes it.
  /// - Throws: `LogDecodingError` if the state can't be decoded.
  func rewritten(_ state: JSON) throws -> JSON

  /// Decodes a recorded action and encodes it again, as `rewritten(_:)` does with a state.
  ///
  /// - Parameter action: A recorded action.
  /// - Returns: The action as the current code encodes it.
  /// - Throws: `LogDecodingError` if the action can't be decoded.
  func rewritten(action: JSON) throws -> JSON

  /// Whether `step` calls the input's `willReduce()` immediately before the reducer.
  ///
  /// If not, the replay calls `willReduce()` before `step`.
  ///
  /// ```swift
  /// let announcesReducer = true
  /// func step(_ input: StepInput) throws -> StepOutcome {
  ///   let action = try readAction(input)
  ///   input.willReduce()
  ///   return try reduce(action)
  /// }
  /// ```
  var announcesReducer: Bool { get }

  /// The paths of the state that refer to the same shared value, in the format of a checkpoint, or `nil` if nothing is
  /// shared.
  ///
  /// ```swift
  /// engine.sharedPlaces  // [{"root":0,"at":"/books"},{"root":0,"at":"/reader/book","part":[{"id":2},null]}]
  /// ```
  var sharedPlaces: JSON? { get }

  /// The number that the next stack element will receive as its ID.
  ///
  /// The number is 0 before the first element, and `nil` if the engine does not count elements.
  ///
  /// ```swift
  /// engine.nextStackElement  // 3, after screens with the ids 0, 1, and 2
  /// ```
  var nextStackElement: Int? { get }

  /// Returns whether a replay that starts at a checkpoint continues exactly like this one.
  ///
  /// The feature must not be able to distinguish the decoded state from the current one, and no other data may persist
  /// between actions. Only then can the stretches of a long log before and after the checkpoint be replayed
  /// concurrently. The default is `false`.
  ///
  /// - Parameter checkpoint: The checkpoint that this replay has reached.
  /// - Returns: Whether the replays continue alike. Return `false` if this is unknown.
  func isEquivalent(to checkpoint: LogEvent.Checkpoint) -> Bool

  /// The reason why the engine can't restore an earlier state, or `nil` if it can.
  ///
  /// A search in memory restores states instead of replaying from the start. When the search follows the recorded
  /// order, it reads this property once for each new state.
  var snapshotObstacle: SnapshotObstacle? { get }

  /// Returns a snapshot of all data that later steps depend on.
  func snapshot() -> EngineSnapshot

  /// Restores a snapshot, so that the following steps give the same results as after the snapshot was taken.
  ///
  /// - Parameter snapshot: A snapshot of this engine.
  mutating func restore(_ snapshot: EngineSnapshot)

  /// Removes the stored actions of `send` effects that were canceled before their actions were processed.
  ///
  /// No later step requests these actions. Without them, a search can treat two states as the same if they differ only
  /// in such actions. An engine that stores no actions can leave this method empty.
  ///
  /// - Parameter sends: The IDs of the canceled `send` effects.
  mutating func forgetActions(of sends: [EffectID])

  /// Returns whether the following steps give the same results as after a snapshot.
  ///
  /// For equivalent states, a search performs each step only once. The result `false` is always safe.
  ///
  /// - Parameter snapshot: A snapshot of this engine. Its logged state and next stack element are equal to the current
  ///   ones.
  /// - Returns: Whether the results are the same.
  func isEquivalent(to snapshot: EngineSnapshot) -> Bool
}

extension FeatureEngine {
  /// Calls the function directly, because an engine has no context by default.
  public func withContext(_ body: () throws -> Void) rethrows { try body() }

  /// Returns the state unchanged.
  ///
  /// Suitable for an engine whose state is the logged JSON itself.
  public func rewritten(_ state: JSON) throws -> JSON { state }

  /// Returns the action unchanged.
  ///
  /// Suitable for an engine whose actions are the logged JSON itself.
  public func rewritten(action: JSON) throws -> JSON { action }

  /// Returns `false`, so a native debugger stops before `step`.
  public var announcesReducer: Bool { false }

  /// Returns `nil`, because the engine has no shared values by default.
  public var sharedPlaces: JSON? { nil }

  /// Returns `nil`, because the engine does not count stack elements by default.
  public var nextStackElement: Int? { nil }

  /// Returns `false`, because the data that an engine keeps between actions is unknown.
  public func isEquivalent(to checkpoint: LogEvent.Checkpoint) -> Bool { false }

  /// Returns `.notSupported`, because the engine takes no snapshots by default.
  public var snapshotObstacle: SnapshotObstacle? { .notSupported }

  /// Returns a snapshot without data, because the engine takes no snapshots by default.
  public func snapshot() -> EngineSnapshot { EngineSnapshot() }

  /// Does nothing, because the engine takes no snapshots by default.
  public mutating func restore(_ snapshot: EngineSnapshot) {}

  /// Does nothing, because the engine stores no actions by default.
  public mutating func forgetActions(of sends: [EffectID]) {}

  /// Returns `false`, because the data that an engine keeps between actions is unknown.
  public func isEquivalent(to snapshot: EngineSnapshot) -> Bool { false }
}

/// The data that an engine needs to restore an earlier state.
///
/// Adapters subclass it to store their own data.
///
/// ```swift
/// final class CounterSnapshot: EngineSnapshot {
///   let state: JSON
///   init(_ state: JSON) { self.state = state }
/// }
/// ```
open class EngineSnapshot {
  /// Creates a snapshot without data.
  public init() {}
}

/// The reason why an engine can't restore an earlier state.
///
/// ```swift
/// SnapshotObstacle.object(type: "Player")  // the state holds a `Player`, which a copy of the state shares
/// ```
public enum SnapshotObstacle: Error, Hashable, Sendable {
  /// The engine takes no snapshots.
  case notSupported
  /// The state contains an object or closure of this type, which copies of the state share.
  case object(type: String)
}

/// The state that an engine has loaded from a log.
///
/// ```swift
/// // The log has {"count":0}, and the code has one more member.
/// let drift = SchemaDrift(path: JSON.Pointer(["step"]), kind: .missingInLog)
/// LoadedState(state: ["count": 0, "step": 1], drift: [drift])
/// ```
public struct LoadedState: Sendable, Equatable {
  /// The loaded state in JSON, or `nil` if it has exactly the members of the recorded state.
  public var state: JSON?
  /// The members that only the log or only the code has.
  public var drift: [SchemaDrift]

  /// Creates a loaded state that has exactly the members of the recorded state by default.
  public init(state: JSON? = nil, drift: [SchemaDrift] = []) {
    self.state = state
    self.drift = drift
  }
}

/// The outcome of one step: the patch, effects, and reads of an action.
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
  /// The descriptions of the effects that the reducer returned.
  ///
  /// A merge that contains all other effects is omitted. The feature's own leaves have IDs `<seq>.<n>`, in the order of
  /// the tree. A `send` contains its action.
  public var effects: [EffectDescription]
  /// The reads that the reducer made, with the answers that it received.
  public var reads: [LogEvent.Read]
  /// The findings, such as reads that were not recorded, and recorded reads that were not used.
  ///
  /// ```swift
  /// let unread = outcome.findings.filter { $0.code == .unusedRead }.map(\.subject)  // ["date"]
  /// ```
  public var findings: [LogEvent.Finding]
  /// The patch, which may be text that has not been parsed.
  package var logged: PatchText

  /// Creates an outcome whose patch may be text that has not been parsed.
  package init(logged: PatchText) {
    self.logged = logged
    effects = []
    reads = []
    findings = []
  }

  /// Creates an outcome from a parsed patch.
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
