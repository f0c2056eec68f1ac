import ActionLog
import ReplayEngine
internal import TCACore
internal import TCARecorder

/// A reducer with its state, from the checkpoint on.
///
/// A class, because its methods find the layout of generic values in the object, and don't look it up for each action.
final class ReducerRun<R: Reducer> {
  private var reducer: R
  private(set) var state: R.State
  /// The state before the last step.
  private var previous: R.State
  /// Writes the changes of the state, as the recorder does: only this object changes it.
  private var tracker: StateTracker
  /// Whether the tracker has not seen the state of now, because steps left their patches out or the run went back.
  private var isTrackerBehind = false
  /// Whether the log may splice texts, so that the replay does so, too.
  private let splices: Bool
  private let describer = EffectDescriber()
  /// The actions of `send` effects that no step has asked for yet.
  private var waiting: [EffectID: WaitingAction<R.Action>] = [:]
  private let actions = LogCoding<R.Action>()
  private let states = LogCoding<R.State>()
  /// The length of the last state as text, in bytes.
  private var stateLength = 0
  /// What the shared values in the state stand for; `nil` when the state was not written.
  private var standing: SharedStanding?
  /// The patch of the last action, as text.
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

  /// The state as a log has it.
  ///
  /// - Parameter references: The references of keys.
  /// - Returns: The state.
  func loggedState(_ references: SharedReferences) -> JSONText {
    var bytes: [UInt8] = []
    // Mostly as long as the one before.
    bytes.reserveCapacity(stateLength + 16)
    var encoder = LogEncoder(appendingTo: consume bytes)
    standing = SharedStanding(of: R.State.self, in: references) {
      states.encode(state, &encoder)
    }
    stateLength = encoder.count
    return JSONText(encoded: encoder.releaseBytes())
  }

  /// What the shared values in the state stand for.
  private func standing(_ references: SharedReferences) -> SharedStanding? {
    if standing == nil { _ = loggedState(references) }
    return standing
  }

  /// Whether nothing but the state is kept from action to action, and the state has no references.
  var holdsStateAlone: Bool { tracker.isPlain }

  /// Whether a state is equal to this one; `false` where states cannot be compared.
  func hasState(equalTo other: R.State) -> Bool {
    func isEqual<Value: Equatable>(_ value: Value) -> Bool { other as? Value == value }
    return (state as? any Equatable).map { isEqual($0) } ?? false
  }

  /// What the run is made of, between two steps.
  struct Saved {
    fileprivate let state: R.State
    fileprivate let waiting: [EffectID: WaitingAction<R.Action>]
    fileprivate let standing: SharedStanding?

    /// Whether the state holds what a copy of it does not.
    var hasObjects: Bool {
      // A look at all values of a state takes longer than a step.
      if standing?.mayHoldObjects == false, LiveObject.isOnlyInShared(R.State.self) { return false }
      return LiveObject.first(in: state) != nil
    }
  }

  /// The run as it is now, to go back to.
  ///
  /// - Parameter references: The references of keys.
  /// - Returns: The run.
  func save(_ references: SharedReferences) -> Saved {
    Saved(state: state, waiting: waiting, standing: standing(references))
  }

  /// Goes back.
  func restore(_ saved: Saved) {
    state = saved.state
    previous = saved.state
    waiting = saved.waiting
    standing = saved.standing
    isTrackerBehind = true
  }

  /// Forgets the actions of `send` effects.
  func forgetActions(of sends: [EffectID]) {
    for id in sends { waiting[id] = nil }
  }

  /// Whether steps from here on give what they gave after the run was saved, where a log has the same of both states.
  ///
  /// A log does not have all: members may be ignored or opaque, so the states have to be equal, too. The values that they share
  /// with others are those of now in both; what they were then, the log has.
  ///
  /// - Parameters:
  ///   - saved: The run as it was.
  ///   - references: The references of keys.
  /// - Returns: Whether they do.
  func isEquivalent(to saved: Saved, _ references: SharedReferences) -> Bool {
    standing(references) == saved.standing
      && SharedChangeTracker.ignoringValues { hasState(equalTo: saved.state) }
      && sendsEqually(saved.waiting)
  }

  /// Whether the actions that are still to be sent are the same.
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
  ///   - issues: Collects the issues while the reducer runs.
  /// - Returns: The outcome.
  /// - Throws: `LogDecodingError` when the action cannot be read.
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

  /// What the last action has changed: the recorded patch, where that is the same text.
  private func outcomePatch(_ recorded: PatchText?) -> PatchText {
    if let recorded, recorded.hasText(patch) { return recorded }
    return PatchText(encoded: patch)
  }

  /// Reduces an action and writes the patch; the states are passed on `inout`, so that they are not copied.
  private func reduce(
    _ action: R.Action,
    _ state: inout R.State,
    _ previous: inout R.State,
    _ input: StepInput
  ) -> Effect<R.Action> {
    if !input.leavesOutPatch { previous = state }
    // Assigned in the closure, because the type of a result of a generic function would be looked up each time.
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

  /// Opens a scope for reads: that of the previous action, unless its effects still use it.
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

/// An action that a reducer has sent itself and that waits for its turn.
///
/// An object, because states of a search that come from each other have the same one, and what it holds is found out once.
private final class WaitingAction<Action> {
  private let sent: SentAction<Action>
  /// Whether it holds objects or shared values, which may change while it waits.
  private lazy var mayChange =
    LiveObject.first(in: action) != nil || SharedPlaces.areIn(action)

  init(_ sent: SentAction<Action>) { self.sent = sent }

  var action: Action { sent.action }

  /// Whether a reducer gets the same from both, also of what a log does not have.
  func isSame(as other: WaitingAction) -> Bool {
    !mayChange && (self === other || MemberwiseEquality.holds(action, other.action))
  }
}
