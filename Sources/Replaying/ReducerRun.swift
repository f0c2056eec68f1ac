import ActionLog
import ReplayEngine
internal import TCACore
internal import TCARecorder

/// A reducer with its state, starting at a checkpoint.
///
/// A class, because its methods find the layout of generic values in the object instead of looking it up for each
/// action.
final class ReducerRun<R: Reducer> {
  private var reducer: R
  private(set) var state: R.State
  /// The state before the last step.
  private var previous: R.State
  /// The writer of state changes, which the recorder also uses.
  ///
  /// It can rely on this object being the only one that changes the state.
  private var tracker: StateTracker
  /// Whether the tracker's state is outdated, because steps omitted their patches or the run was restored.
  private var isTrackerBehind = false
  /// Whether the log may contain text splices.
  ///
  /// If so, the replay writes them too.
  private let splices: Bool
  private let describer = EffectDescriber()
  /// The actions of `send` effects that have not been processed yet.
  private var waiting: [EffectID: WaitingAction<R.Action>] = [:]
  private let actions = LogCoding<R.Action>()
  private let states = LogCoding<R.State>()
  /// The length of the last encoded state in bytes.
  private var stateLength = 0
  /// The roles of the shared values in the state, or `nil` if the state has not been encoded.
  private var standing: SharedStanding?
  /// The text of the last action's patch.
  private var patch: [UInt8] = []
  private var reads: ReadReplayer
  private var scope: ReadScope

  init(_ reducer: R, state: R.State, splices: Bool) {
    self.reducer = reducer
    self.state = state
    previous = state
    self.splices = splices
    tracker = StateTracker(ownsState: true, splices: splices)
    reads = ReadReplayer()
    scope = ReadScope(interceptor: reads, parent: nil)
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

  /// Returns the state in the log's JSON format.
  ///
  /// - Parameter references: The shared references of keys.
  /// - Returns: The state.
  func loggedState(_ references: SharedReferences) -> JSONText {
    var bytes: [UInt8] = []
    // The state usually has about the same length as before.
    bytes.reserveCapacity(stateLength + 16)
    var encoder = LogEncoder(appendingTo: consume bytes)
    standing = SharedStanding(of: R.State.self, in: references) {
      states.encode(state, &encoder)
    }
    stateLength = encoder.count
    return JSONText(encoded: encoder.releaseBytes())
  }

  /// Returns the roles of the shared values in the state.
  private func standing(_ references: SharedReferences) -> SharedStanding? {
    if standing == nil { _ = loggedState(references) }
    return standing
  }

  /// Whether the state is all that persists between actions, and contains no references.
  var holdsStateAlone: Bool { tracker.isPlain }

  /// Whether a state is equal to this one.
  ///
  /// Returns `false` if the states can't be compared.
  func hasState(equalTo other: R.State) -> Bool {
    func isEqual<Value: Equatable>(_ value: Value) -> Bool { other as? Value == value }
    return (state as? any Equatable).map { isEqual($0) } ?? false
  }

  /// The contents of a run between two steps.
  struct Saved {
    fileprivate let state: R.State
    fileprivate let waiting: [EffectID: WaitingAction<R.Action>]
    fileprivate let standing: SharedStanding?

    /// Whether the state has content that a copy does not preserve.
    var hasObjects: Bool {
      // Checked first, because visiting all values of a state takes longer than a step.
      if standing?.mayHoldObjects == false, LiveObject.isOnlyInShared(R.State.self) { return false }
      return LiveObject.first(in: state) != nil
    }
  }

  /// Saves the run, so that it can be restored.
  ///
  /// - Parameter references: The shared references of keys.
  /// - Returns: The saved run.
  func save(_ references: SharedReferences) -> Saved {
    Saved(state: state, waiting: waiting, standing: standing(references))
  }

  /// Restores a saved run.
  func restore(_ saved: Saved) {
    state = saved.state
    previous = saved.state
    waiting = saved.waiting
    standing = saved.standing
    isTrackerBehind = true
  }

  /// Removes the pending actions of `send` effects.
  func forgetActions(of sends: [EffectID]) {
    for id in sends { waiting[id] = nil }
  }

  /// Whether the following steps give the same results as after the saved run, provided that a log has the same content
  /// for both states.
  ///
  /// A log may lack ignored or opaque members, so the states must also be equal. Shared values are excluded from that
  /// comparison, because both states refer to the current values. The log contains the values at the time.
  ///
  /// - Parameters:
  ///   - saved: The saved run.
  ///   - references: The shared references of keys.
  /// - Returns: Whether they give the same results.
  func isEquivalent(to saved: Saved, _ references: SharedReferences) -> Bool {
    standing(references) == saved.standing
      && SharedChangeTracker.ignoringValues { hasState(equalTo: saved.state) }
      && sendsEqually(saved.waiting)
  }

  /// Whether the pending actions are the same.
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
  ///   - input: The action.
  ///   - issues: The collector of issues that the reducer reports.
  /// - Returns: The outcome.
  /// - Throws: `LogDecodingError` if the action can't be decoded.
  func step(_ input: StepInput, _ issues: IssueCollector) throws -> StepOutcome {
    let action: R.Action
    switch input.logged {
    case .recorded(let value):
      if let places = SharedPlaces(input.shared) {
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
      var leaves = EffectDescriber.Leaves<R.Action>()
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

  /// Returns the patch of the last action.
  ///
  /// It reuses the recorded patch if the text is the same.
  private func outcomePatch(_ recorded: PatchText?) -> PatchText {
    if let recorded, recorded.hasText(patch) { return recorded }
    return PatchText(encoded: patch)
  }

  /// Reduces an action and writes the patch.
  ///
  /// The states are `inout` to avoid copies.
  private func reduce(
    _ action: R.Action,
    _ state: inout R.State,
    _ previous: inout R.State,
    _ input: StepInput
  ) -> Effect<R.Action> {
    if !input.leavesOutPatch { previous = state }
    // Assigned in the closure, because the result type of a generic function would be looked up for each action.
    var effect = Effect<R.Action>.none
    ReadScope.$current.withValue(scope) {
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

  /// Opens a scope for reads.
  ///
  /// It reuses the scope of the previous action unless effects still use it.
  private func openScope() {
    if isKnownUniquelyReferenced(&scope) {
      scope.open()
    } else {
      reads = ReadReplayer()
      scope = ReadScope(interceptor: reads, parent: nil)
    }
  }

  private func sentAction(of id: EffectID) throws -> R.Action {
    guard let sent = waiting.removeValue(forKey: id) else {
      throw LogDecoder(.string(id.description)).error(.missing, type: R.Action.self)
    }
    return sent.action
  }
}

/// A pending action of a `send` effect.
///
/// An object, because related states of a search share it, and its lazy properties are then computed once.
private final class WaitingAction<Action> {
  private let sent: SentAction<Action>
  /// Whether the action contains objects or shared values, which may change while it is pending.
  private lazy var mayChange =
    LiveObject.first(in: action) != nil || SharedPlaces.areIn(action)

  init(_ sent: SentAction<Action>) { self.sent = sent }

  var action: Action { sent.action }

  /// Whether both actions are the same for a reducer, including values that a log does not contain.
  func isSame(as other: WaitingAction) -> Bool {
    !mayChange && (self === other || MemberwiseEquality.holds(action, other.action))
  }
}
