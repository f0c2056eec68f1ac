import ActionLog

/// A state of an engine.
package final class EngineState {
  /// The state as text of the log.
  package let text: JSONText
  /// A digest of the logged state and the next stack element.
  package let digest: Digest
  /// The length of the text in bytes.
  package let length: Int
  /// The parsed state.
  package private(set) lazy var json = text.json
  /// All data that later steps depend on, or `nil` until the state must be restorable.
  fileprivate var snapshot: EngineSnapshot?
  /// The index among the cached states, or `nil` for a state that is not cached.
  fileprivate var number: Int?
  /// The cached steps from this state.
  fileprivate var steps: [EngineWalk.TransitionID: EngineWalk.Transition] = [:]

  fileprivate init(of engine: any FeatureEngine) {
    text = engine.loggedState
    var digest: Digest
    (digest, length) = text.withBytes { (Digest($0), $0.count) }
    if let next = engine.nextStackElement { digest.add(Digest((next, 0, 6))) }
    self.digest = digest.mixed
  }

  /// Creates a copy of a state after data was dropped that a log does not contain.
  fileprivate init(like other: EngineState) {
    (text, digest, length) = (other.text, other.digest, other.length)
  }

  /// An estimate of the size in bytes.
  ///
  /// The actual memory is unknown, but grows with the length of the text.
  fileprivate var size: Int { 2048 + length * 3 }

  /// The approximate size in bytes, without data that is cached anyway.
  package var ownSize: Int { number == nil ? size : 0 }
}

/// An engine as a state machine that a search controls.
///
/// It performs no step twice in the same state.
///
/// A search reaches the same state through many orders, because most of them differ only in the effects that have yet
/// to end. The result of a step depends only on the engine's state. While steps are cached, the engine itself does not
/// move. It catches up when a new step is requested.
final class EngineWalk {
  /// The identity of a step.
  enum TransitionID: Hashable {
    /// The step reduces an action.
    case action(seq: Int, ActionSource)
    /// The step drops the actions of `send` effects.
    case forgetting([EffectID])

    // Few steps have the same action.
    func hash(into hasher: inout Hasher) {
      switch self {
      case .action(let seq, _): hasher.combine(seq)
      case .forgetting(let sends): hasher.combine(sends.first?.seq ?? 0)
      }
    }
  }

  /// The source of a step's action.
  ///
  /// The answers to its reads, and whether it is a dead end, depend on the source.
  enum ActionSource: Hashable {
    /// From outside the reducer.
    ///
    /// The action's number determines the step and whether the user performs it.
    case outside
    /// From the reducer itself.
    ///
    /// The action may or may not be in the log.
    case reducer(isLogged: Bool, isFromCheckpoint: Bool, isUsers: Bool)
  }

  /// The result of a step.
  final class EngineResult {
    let outcome: StepOutcome
    /// The effects of the outcome, or `nil` if there are none.
    let started: StartedEffects?
    /// Whether the search does not continue after the step.
    ///
    /// The walk may then have stayed in the previous state.
    let isDeadEnd: Bool

    fileprivate init(_ outcome: StepOutcome, isDeadEnd: Bool = false) {
      self.outcome = outcome
      self.isDeadEnd = isDeadEnd
      started = StartedEffects(outcome.effects)
    }
  }

  /// A cached step.
  fileprivate struct Transition {
    let made: Result<EngineResult, any Error>
    /// The index of the resulting state.
    let state: Int
  }

  private var engine: any FeatureEngine
  private(set) var here: EngineState
  /// The state of the engine, or `nil` after a dead end or a failed step, when the engine's state is undefined.
  private var engineState: EngineState?
  /// The cached states, and the indexes of those with the same digest.
  private var states: [EngineState] = []
  private var numbers: [Digest: [Int]] = [:]
  /// The approximate remaining capacity of the cache in bytes.
  private var room: Int
  /// A closure that is called before the engine performs a step.
  var willMakeStep: (() -> Void)?

  /// Creates a walk that starts at an engine's current state.
  ///
  /// - Parameters:
  ///   - engine: The engine.
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

  /// Takes a snapshot of the current state, so that the walk can return to it.
  func saveSnapshot() {
    // Each state that the engine has left already has a snapshot.
    if here.snapshot == nil { here.snapshot = engine.snapshot() }
  }

  /// Returns to a state that was kept.
  func go(to state: EngineState) { here = state }

  /// Performs a step.
  ///
  /// - Parameters:
  ///   - name: The identity of the step in the cache, or `nil` for a step that will not be repeated.
  ///   - isDeadEnd: Whether the search does not continue after a step with these findings.
  ///   - input: A closure that returns the input if the step must be performed.
  /// - Returns: The result of the step.
  /// - Throws: The error of the engine. The state is then unchanged.
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
      // The engine's state is undefined.
      case .failure: if here.snapshot != nil { engineState = nil }
      }
      return made
    }
    return try made.get()
  }

  /// Whether the cache contains a step from here that is a dead end.
  func isDeadEnd(_ name: TransitionID) -> Bool {
    guard case .success(let made)? = here.steps[name]?.made else { return false }
    return made.isDeadEnd
  }

  /// Drops the actions of `send` effects that will never be processed.
  func forgetActions(of sends: [EffectID]) {
    _ = make(.forgetting(sends)) {
      engine.forgetActions(of: sends)
      arrive(at: EngineState(like: here))
      return .success(EngineResult(StepOutcome()))
    }
  }

  /// Performs an operation of the engine, unless its result in this state is cached.
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
      before.steps[name] = Transition(made: made, state: number)
      room -= 512
    }
    return made
  }

  /// Records that the engine has reached a state, and replaces it with an equivalent cached one if possible.
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

  /// Moves the engine to the state of the walk.
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
