import ActionLog
import ReplayEngine
internal import TCACore
internal import TCARecorder

/// A reducer with the state that it is led through, from the checkpoint on.
///
/// A class, for its steps find the layout of what is generic in the object, and need not look it up for each action.
final class ReducerRun<R: Reducer> {
  private var reducer: R
  private(set) var state: R.State
  private let context: StoreContext
  /// Writes what changes in the state, as the recorder does: nobody else changes it.
  private var tracker = StateTracker(isOnlyWriter: true)
  private var describer = EffectDescriber()
  private var leaves = EffectDescriber.Leaves<R.Action>()
  private let states = LogCoding<R.State>()
  private let actions = LogCoding<R.Action>()
  /// What the last action has changed.
  private var patch: [UInt8] = []
  private var reads: ReadReplayer
  private var scope: ReadScope

  init(_ reducer: R, state: R.State, in context: StoreContext) {
    self.reducer = reducer
    self.state = state
    self.context = context
    reads = ReadReplayer()
    scope = ReadScope(interceptor: reads, parent: nil)
    tracker.follow(state)
  }

  /// Goes on with a reducer and a state that came from elsewhere.
  func goOn(_ reducer: R, from state: R.State) {
    self.reducer = reducer
    self.state = state
    tracker = StateTracker(isOnlyWriter: true)
    tracker.follow(state)
  }

  /// Reduces an action.
  ///
  /// - Parameters:
  ///   - input: The action.
  ///   - issues: Who is told of issues while the reducer runs.
  ///   - expected: The recorded patch, when nobody asks for an outcome that is this and nothing else.
  /// - Returns: What came of it; `nil` when that is the expected patch and nothing else.
  /// - Throws: `LogDecodingError` when the action cannot be read.
  func step(
    _ input: StepInput,
    _ issues: IssueCollector,
    expecting expected: LoggedPatch? = nil
  ) throws -> StepOutcome? {
    let action: R.Action
    switch input.logged {
    case .recorded(let value): action = try actions.decode(value)
    case .produced(let id): action = try sentAction(of: id)
    }
    context.current = ActionStamp(number: input.seq, origin: .view)
    let effect = reduce(action, input, &state)
    if effect.isNone, reads.isUntouched, issues.isEmpty, expected?.hasText(patch) == true {
      return nil
    }
    return outcome(of: effect, input.seq, issues)
  }

  /// Reduces an action and writes what it changes; the state is handed on as it stands, lest it is copied.
  private func reduce(
    _ action: R.Action,
    _ input: StepInput,
    _ state: inout R.State
  ) -> Effect<R.Action> {
    let old = state
    openScope(input)
    let effect = ReadScope.$current.withValue(scope) {
      reducer._reduce(into: &state, action: action)
    }
    scope.close()
    var bytes: [UInt8] = []
    swap(&bytes, &patch)
    bytes.removeAll(keepingCapacity: true)
    var encoder = LogEncoder(appendingTo: consume bytes)
    encoder.beginArray()
    tracker.write(from: old, to: state, by: states.compare, into: &encoder)
    encoder.endArray()
    patch = encoder.take()
    return effect
  }

  /// Opens a scope for reads: the one of the action before, unless what that has begun still has it.
  private func openScope(_ input: StepInput) {
    if isKnownUniquelyReferenced(&scope) {
      scope.open()
    } else {
      reads = ReadReplayer()
      scope = ReadScope(interceptor: reads, parent: nil)
    }
    reads.begin(input)
  }

  private func outcome(
    of effect: Effect<R.Action>,
    _ seq: Int,
    _ issues: IssueCollector
  ) -> StepOutcome {
    var outcome = StepOutcome()
    outcome.logged = .text(patch)
    (outcome.effects, _) = describer.describe(effect, seq: seq, observer: nil, leaves: &leaves)
    (outcome.reads, outcome.findings) = reads.result()
    outcome.findings += issues.findings(of: seq)
    return outcome
  }

  private func sentAction(of id: EffectID) throws -> R.Action {
    guard let sent = leaves.sent.removeValue(forKey: id) else {
      throw LogDecoder(.string(id.description)).error(.missing, type: R.Action.self)
    }
    return sent.action
  }
}
