import ActionLog
import ReplayEngine
internal import TCACore
internal import TCARecorder

/// A reducer with its current state, starting at a checkpoint.
///
/// The type is a class, because its methods then find the layout of generic values in the object instead of looking it
/// up for each action.
final class ReducerRun<R: Reducer> {
  private var reducer: R
  private(set) var state: R.State
  /// The state before the most recent step.
  private var previous: R.State
  /// The writer of state changes, which recorders also use.
  ///
  /// The tracker can rely on the fact that only this object changes the state.
  private var tracker: StateTracker
  /// Whether the tracker has an older state, because steps omitted their patches or the run was restored.
  private var isTrackerBehind = false
  /// Whether patches may contain text splices, because the log may contain them.
  private let splices: Bool
  private let describer = EffectDescriber()
  /// The actions of `send` effects that have not been processed yet, by the effects' IDs.
  private var waiting: [EffectID: WaitingAction<R.Action>] = [:]
  private let actions = LogCoding<R.Action>()
  private let states = LogCoding<R.State>()
  /// The length of the most recently encoded state in bytes.
  private var stateLength = 0
  /// The identities of the shared values in the state, or `nil` if the state has not been encoded.
  private var standing: SharedValueIdentities?
  /// The text of the most recent action's patch.
  private var patch: [UInt8] = []
  private var reads: ReadReplayer
  private var scope: ReducerReadScope

  init(_ reducer: R, state: R.State, splices: Bool) {
    self.reducer = reducer
    self.state = state
    previous = state
    self.splices = splices
    tracker = StateTracker(ownsState: true, splices: splices)
    reads = ReadReplayer()
    scope = ReducerReadScope(interceptor: reads, parent: nil)
    tracker.track(state)
  }

  /// Continues with another reducer and state.
  func resume(_ reducer: R, from state: R.State) {
    self.reducer = reducer
    self.state = state
    previous = state
    standing = nil
    tracker = StateTracker(ownsState: true, splices: splices)
    tracker.track(state)
  }

  /// Encodes the state in the log's JSON format.
  ///
  /// - Parameter references: The shared values that keys refer to.
  /// - Returns: The encoded state.
  func loggedState(_ references: SharedReferences) -> JSONText {
    var bytes: [UInt8] = []
    // The state usually has about the same length as the one that was encoded before.
    bytes.reserveCapacity(stateLength + 16)
    var encoder = LogEncoder(appendingTo: consume bytes)
    standing = SharedValueIdentities(of: R.State.self, in: references) {
      states.encode(state, &encoder)
    }
    stateLength = encoder.count
    return JSONText(encoded: encoder.releaseBytes())
  }

  /// Returns the identities of the shared values in the state.
  private func standing(_ references: SharedReferences) -> SharedValueIdentities? {
    if standing == nil { _ = loggedState(references) }
    return standing
  }

  /// Whether no data except the state persists between actions, and the state contains no references.
  var holdsStateAlone: Bool { tracker.isPlain }

  /// Returns whether a state is equal to the current one, or `false` if the states can't be compared.
  func hasState(equalTo other: R.State) -> Bool {
    func isEqual<Value: Equatable>(_ value: Value) -> Bool { other as? Value == value }
    return (state as? any Equatable).map { isEqual($0) } ?? false
  }

  /// The data of a run between two steps, from which it can be restored.
  struct RunSnapshot {
    fileprivate let state: R.State
    fileprivate let waiting: [EffectID: WaitingAction<R.Action>]
    fileprivate let standing: SharedValueIdentities?

    /// Whether the state contains objects, which copies of the state share.
    var hasObjects: Bool {
      // Checked first, because visiting all values of a state takes longer than a step.
      if standing?.mayHoldObjects == false, ReferenceTypeDetector.isOnlyInShared(R.State.self) {
        return false
      }
      return ReferenceTypeDetector.first(in: state) != nil
    }
  }

  /// Saves the data of the run.
  ///
  /// - Parameter references: The shared values that keys refer to.
  /// - Returns: The data, from which `restore(_:)` can restore the run.
  func save(_ references: SharedReferences) -> RunSnapshot {
    RunSnapshot(state: state, waiting: waiting, standing: standing(references))
  }

  /// Restores the run from saved data.
  func restore(_ saved: RunSnapshot) {
    state = saved.state
    previous = saved.state
    waiting = saved.waiting
    standing = saved.standing
    isTrackerBehind = true
  }

  /// Removes the actions of `send` effects that will never be processed.
  func forgetActions(of sends: [EffectID]) {
    for id in sends { waiting[id] = nil }
  }

  /// Returns whether the following steps give the same results as after the saved run was restored.
  ///
  /// The caller guarantees that a log would have the same content for both states. A log may lack ignored or opaque
  /// members, so the states must also be equal. Shared values are excluded from that comparison, because both states
  /// refer to the current values, but the log contains the values at the time.
  ///
  /// - Parameters:
  ///   - saved: The saved data of this run.
  ///   - references: The shared values that keys refer to.
  /// - Returns: Whether the results are the same.
  func isEquivalent(to saved: RunSnapshot, _ references: SharedReferences) -> Bool {
    standing(references) == saved.standing
      && SharedChangeTracker.ignoringValues { hasState(equalTo: saved.state) }
      && sendsEqually(saved.waiting)
  }

  /// Returns whether the actions that wait to be processed are the same as others.
  private func sendsEqually(_ others: [EffectID: WaitingAction<R.Action>]) -> Bool {
    guard waiting.count == others.count else { return false }
    return waiting.allSatisfy { id, action in
      guard let other = others[id] else { return false }
      return action.isSame(as: other)
    }
  }

  /// Reduces an action.
  ///
  /// - Parameters:
  ///   - input: The action, and the recorded answers of the dependencies.
  ///   - issues: The collector for issues that the reducer reports.
  /// - Returns: The patch that the reducer caused, the effects that it returned, and the dependencies that it read.
  /// - Throws: `LogDecodingError` if the action can't be decoded.
  func step(_ input: StepInput, _ issues: IssueCollector) throws -> StepOutcome {
    let action: R.Action
    switch input.logged {
    case .recorded(let value):
      if let places = SharedValuePaths(input.shared) {
        action = try places.decode(action: value.json, in: state) { try actions.decode($0) }
      } else if let text = value.text {
        action = try actions.read(text)
      } else {
        action = try actions.decode(value.json)
      }
    case .produced(let id): action = try sentAction(of: id)
    }
    if isTrackerBehind, !input.leavesOutPatch {
      isTrackerBehind = false
      tracker = StateTracker(ownsState: true, splices: splices)
      tracker.track(state)
    }
    standing = nil
    openScope()
    reads.prepare(input)
    issues.forget()
    let effect = reduce(action, &state, &previous, input)
    var outcome =
      input.leavesOutPatch
      ? StepOutcome() : StepOutcome(logged: outcomePatch(input.recordedPatch))
    if !effect.isNone {
      var leaves = EffectDescriber.LeafActions<R.Action>()
      (outcome.effects, _) = describer.describe(
        effect,
        seq: input.seq,
        observer: nil,
        leaves: &leaves
      )
      for (id, sent) in leaves.sent { waiting[id] = WaitingAction(sent) }
    }
    if !reads.isUntouched { (outcome.reads, outcome.findings) = reads.result(of: input.seq) }
    if !issues.isEmpty { outcome.findings += issues.findings(of: input.seq) }
    return outcome
  }

  /// Returns the patch of the most recent action, or the recorded patch if it has the same text.
  private func outcomePatch(_ recorded: PatchText?) -> PatchText {
    if let recorded, recorded.hasText(patch) { return recorded }
    return PatchText(encoded: patch)
  }

  /// Reduces an action, and writes the patch between the states.
  ///
  /// The states are `inout` parameters, so that they are not copied.
  private func reduce(
    _ action: R.Action,
    _ state: inout R.State,
    _ previous: inout R.State,
    _ input: StepInput
  ) -> Effect<R.Action> {
    if !input.leavesOutPatch { previous = state }
    // The variable is assigned in a closure, because Swift would look up the result type of a generic function for each
    // action.
    var effect = Effect<R.Action>.none
    ReducerReadScope.$current.withValue(scope) {
      if input.pause != nil { input.willReduce() }
      effect = reducer._reduce(into: &state, action: action)
    }
    scope.close()
    guard !input.leavesOutPatch else {
      isTrackerBehind = true
      return effect
    }
    var bytes: [UInt8] = []
    swap(&bytes, &patch)
    bytes.removeAll(keepingCapacity: true)
    var encoder = LogEncoder(appendingTo: consume bytes)
    encoder.beginArray()
    tracker.write(from: previous, to: state, into: &encoder)
    encoder.endArray()
    patch = encoder.releaseBytes()
    return effect
  }

  /// Opens a scope in which the reducer's reads are answered.
  ///
  /// The scope of the previous action is reused unless effects still refer to it.
  private func openScope() {
    if isKnownUniquelyReferenced(&scope) {
      scope.open()
    } else {
      reads = ReadReplayer()
      scope = ReducerReadScope(interceptor: reads, parent: nil)
    }
  }

  private func sentAction(of id: EffectID) throws -> R.Action {
    guard let sent = waiting.removeValue(forKey: id) else {
      throw LogDecoder(.string(id.description)).error(.missing, type: R.Action.self)
    }
    return sent.action
  }
}

/// An action of a `send` effect that waits to be processed.
///
/// The type is a class, because related states of a search share the action, so that its lazy properties are computed
/// only once.
private final class WaitingAction<Action> {
  private let sent: SentAction<Action>
  /// Whether the action contains objects or shared values, which may change while the action waits.
  private lazy var mayChange =
    ReferenceTypeDetector.first(in: action) != nil || SharedValuePaths.areIn(action)

  init(_ sent: SentAction<Action>) { self.sent = sent }

  var action: Action { sent.action }

  /// Returns whether a reducer can't distinguish the actions, including values that a log does not contain.
  func isSame(as other: WaitingAction) -> Bool {
    !mayChange && (self === other || MemberwiseEquality.holds(action, other.action))
  }
}
