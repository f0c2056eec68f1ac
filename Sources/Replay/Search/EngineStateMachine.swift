import ActionLog

/// A state of an engine in a search.
package final class EngineState {
  /// The state in the log's JSON format.
  package let text: JSONText
  /// A digest of the logged state and the next stack element.
  package let digest: Digest
  /// The length of the text in bytes.
  package let length: Int
  /// The parsed state, which is created on first access.
  package private(set) lazy var json = text.json
  /// All data that later steps depend on, or `nil` if the state has not been saved.
  fileprivate var snapshot: EngineSnapshot?
  /// The index of this state in the cache, or `nil` if the state is not cached.
  fileprivate var number: Int?
  /// The cached transitions from this state.
  fileprivate var steps: [EngineStateMachine.TransitionID: EngineStateMachine.CachedTransition] =
    [:]

  fileprivate init(of engine: any FeatureEngine) {
    text = engine.loggedState
    var digest: Digest
    (digest, length) = text.withBytes { (Digest($0), $0.count) }
    if let next = engine.nextStackElement { digest.add(Digest((next, 0, 6))) }
    self.digest = digest.mixed
  }

  /// Creates a state with the logged data of another state, but without its snapshot and cached transitions.
  ///
  /// Use it after the engine has dropped data that is not part of the logged state.
  fileprivate init(like other: EngineState) {
    (text, digest, length) = (other.text, other.digest, other.length)
  }

  /// An estimate of the state's size in bytes, which grows with the length of its text.
  ///
  /// The actual memory is unknown.
  fileprivate var size: Int { 2048 + length * 3 }

  /// The approximate size in bytes, or 0 if the state is cached and therefore counted by the cache.
  package var ownSize: Int { number == nil ? size : 0 }
}

/// An engine as a state machine that a search controls.
///
/// A step's result depends only on the engine's state. A search reaches the same state through many orders, because
/// most of them differ only in the effects that have yet to end. The steps from each state are therefore cached. The
/// engine does not perform cached steps. Before it performs a new step, it is restored to the current state.
final class EngineStateMachine {
  /// The properties that identify a step from a state.
  enum TransitionID: Hashable {
    /// The step reduces an action.
    case action(seq: Int, ActionSource)
    /// The step drops the actions of `send` effects.
    case forgetting([EffectID])

    // Few steps have the same action number.
    func hash(into hasher: inout Hasher) {
      switch self {
      case .action(let seq, _): hasher.combine(seq)
      case .forgetting(let sends): hasher.combine(sends.first?.seq ?? 0)
      }
    }
  }

  /// The source of a step's action.
  ///
  /// The source determines which answers the action's reads receive, and whether findings end the search.
  enum ActionSource: Hashable {
    /// The action comes from outside the reducer.
    ///
    /// The action's number determines the step and whether the user performs it.
    case outside
    /// The reducer sends the action itself.
    ///
    /// The action may or may not be in the log.
    case reducer(isLogged: Bool, isFromCheckpoint: Bool, isFromUser: Bool)
  }

  /// The result of a step: the engine's outcome, and the effects to start.
  final class EngineResult {
    let outcome: StepOutcome
    /// The effects that the reducer returned, or `nil` if there are none.
    let started: StartedEffects?
    /// Whether the search ends after this step.
    ///
    /// After such a step, the state machine may have stayed in the previous state.
    let isDeadEnd: Bool

    fileprivate init(_ outcome: StepOutcome, isDeadEnd: Bool = false) {
      self.outcome = outcome
      self.isDeadEnd = isDeadEnd
      started = StartedEffects(outcome.effects)
    }
  }

  /// A cached step: its result, and the state to which it leads.
  fileprivate struct CachedTransition {
    let made: Result<EngineResult, any Error>
    /// The index of the resulting state in the cache.
    let state: Int
  }

  private var engine: any FeatureEngine
  private(set) var here: EngineState
  /// The state that the engine is in, or `nil` after a dead end or a failed step, when the engine's state is undefined.
  private var engineState: EngineState?
  /// The cached states.
  private var states: [EngineState] = []
  private var numbers: [Digest: [Int]] = [:]
  /// The approximate remaining capacity of the cache in bytes.
  private var room: Int
  /// A closure that is called before the engine performs a step.
  var willMakeStep: (() -> Void)?

  /// Creates a state machine that starts at an engine's current state.
  ///
  /// - Parameters:
  ///   - engine: The engine that performs the steps.
  ///   - memory: The approximate capacity of the step cache in bytes.
  init(_ engine: any FeatureEngine, memory: Int) {
    self.engine = engine
    here = EngineState(of: engine)
    engineState = here
    room = memory
    store(here)
  }

  /// The reason why the current state can't be restored, or `nil` if it can.
  var obstacle: SnapshotObstacle? {
    synchronize()
    return engine.snapshotObstacle
  }

  func withContext(_ body: () throws -> Void) rethrows { try engine.withContext(body) }

  /// Saves a snapshot of the current state, so that the state machine can return to this state.
  func saveSnapshot() {
    // A current state without a snapshot is always the state that the engine is in.
    if here.snapshot == nil { here.snapshot = engine.snapshot() }
  }

  /// Makes a saved state the current one.
  func go(to state: EngineState) { here = state }

  /// Performs a step, or returns its cached result.
  ///
  /// - Parameters:
  ///   - name: The identity of the step in the cache, or `nil` for a step that will not be repeated.
  ///   - isDeadEnd: A closure that returns whether the findings of the step end the search.
  ///   - input: A closure that returns the input if the step must be performed.
  /// - Returns: The result of the step.
  /// - Throws: The error of the engine. The current state is then unchanged.
  func makeTransition(
    named name: TransitionID?,
    endingWith isDeadEnd: ([LogEvent.Finding]) -> Bool,
    _ input: () -> StepInput
  ) throws -> EngineResult {
    let made = make(name) {
      willMakeStep?()
      let made = Result {
        let outcome = try engine.step(input())
        let isDeadEnd = !outcome.findings.isEmpty && isDeadEnd(outcome.findings)
        return EngineResult(outcome, isDeadEnd: isDeadEnd)
      }
      switch made {
      // The state after a dead end is not needed, and encoding it takes longer than the step.
      case .success(let made) where made.isDeadEnd && here.snapshot != nil: engineState = nil
      case .success: arrive(at: EngineState(of: engine))
      // After an error, the engine's state is undefined.
      case .failure: if here.snapshot != nil { engineState = nil }
      }
      return made
    }
    return try made.get()
  }

  /// Returns whether a step from the current state is cached and ends the search.
  func isDeadEnd(_ name: TransitionID) -> Bool {
    guard case .success(let made)? = here.steps[name]?.made else { return false }
    return made.isDeadEnd
  }

  /// Removes the engine's stored actions of `send` effects that will never be processed.
  func forgetActions(of sends: [EffectID]) {
    _ = make(.forgetting(sends)) {
      engine.forgetActions(of: sends)
      arrive(at: EngineState(like: here))
      return .success(EngineResult(StepOutcome()))
    }
  }

  /// Performs an operation of the engine, or returns its result if it is cached in the current state.
  private func make(
    _ name: TransitionID?,
    _ body: () -> Result<EngineResult, any Error>
  ) -> Result<EngineResult, any Error> {
    if let name, let known = here.steps[name] {
      here = states[known.state]
      return known.made
    }
    synchronize()
    let before = here
    let made = body()
    if let name, room > 0, before.number != nil, let number = here.number {
      before.steps[name] = CachedTransition(made: made, state: number)
      room -= 512
    }
    return made
  }

  /// Makes the state that the engine has reached the current one, or an equivalent cached state if there is one.
  private func arrive(at state: EngineState) {
    if let same = numbers[state.digest]?.first(where: { isEquivalent(to: states[$0]) }) {
      here = states[same]
    } else {
      here = state
      store(state)
    }
    engineState = here
  }

  private func isEquivalent(to state: EngineState) -> Bool {
    state.snapshot.map { engine.isEquivalent(to: $0) } ?? false
  }

  /// Restores the engine to the current state, if the engine is in another state.
  private func synchronize() {
    guard engineState !== here, let snapshot = here.snapshot else { return }
    engine.restore(snapshot)
    engineState = here
  }

  private func store(_ state: EngineState) {
    guard room > 0 else { return }
    saveSnapshot()
    state.number = states.count
    numbers[state.digest, default: []].append(states.count)
    states.append(state)
    room -= state.size
  }
}
