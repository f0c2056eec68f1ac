import ActionLog

/// A state in which an engine was.
package final class EngineState {
  /// The state as a log has it.
  package let text: JSONText
  /// Stands for what a log has of the state, and for the next stack element.
  package let digest: Digest
  /// The length of the text in bytes.
  package let length: Int
  /// The state as a value.
  package private(set) lazy var json = text.json
  /// All that later steps depend on; `nil` as long as nothing wants to come back.
  fileprivate var snapshot: EngineSnapshot?
  /// Its number among the states that are remembered; `nil` for a state that is not.
  fileprivate var number: Int?
  /// The steps from here that are remembered.
  fileprivate var steps: [EngineWalk.TransitionID: EngineWalk.Transition] = [:]

  fileprivate init(of engine: any FeatureEngine) {
    text = engine.loggedState
    var digest: Digest
    (digest, length) = text.withBytes { (Digest($0), $0.count) }
    if let next = engine.nextStackElement { digest.add(Digest((next, 0, 6))) }
    self.digest = digest.mixed
  }

  /// The state after one in which only what a log does not have was forgotten.
  fileprivate init(like other: EngineState) {
    (text, digest, length) = (other.text, other.digest, other.length)
  }

  /// What a state takes in memory is not known, but its text says how much it holds.
  fileprivate var size: Int { 2048 + length * 3 }

  /// How many bytes it takes beside what is remembered anyway, about.
  package var ownSize: Int { number == nil ? size : 0 }
}

/// An engine that goes from state to state as a search asks for it, and makes no step twice that it has made in the same state.
///
/// A search comes to the same state by many orders, for most of them differ in the effects that are still to end. What a step gives
/// depends on the state of the engine alone. So the engine stays behind while steps are remembered, and follows when a new one is asked for.
final class EngineWalk {
  /// What tells a step from others.
  enum TransitionID: Hashable {
    /// An action.
    case action(seq: Int, ActionSource)
    /// The actions of `send` effects are forgotten.
    case forgetting([EffectID])

    // There are few steps of one action.
    func hash(into hasher: inout Hasher) {
      switch self {
      case .action(let seq, _): hasher.combine(seq)
      case .forgetting(let sends): hasher.combine(sends.first?.seq ?? 0)
      }
    }
  }

  /// Where the action of a step comes from, on which the answers to its reads depend, and whether it is a dead end.
  enum ActionSource: Hashable {
    /// From outside the reducer: its number says in which step it comes, and so whether the user makes that.
    case outside
    /// From the reducer itself, as the log has it or not.
    case reducer(isLogged: Bool, isFromCheckpoint: Bool, isUsers: Bool)
  }

  /// What came of a step.
  final class Made {
    let outcome: StepOutcome
    /// The effects of the outcome; `nil` where there are none.
    let started: StartedEffects?
    /// Whether nothing that comes after it matters; then the walk may have stayed where it was.
    let isDeadEnd: Bool

    fileprivate init(_ outcome: StepOutcome, isDeadEnd: Bool = false) {
      self.outcome = outcome
      self.isDeadEnd = isDeadEnd
      started = StartedEffects(outcome.effects)
    }
  }

  /// A step that was made.
  fileprivate struct Transition {
    let made: Result<Made, any Error>
    /// The number of the state that it led to.
    let state: Int
  }

  private var engine: any FeatureEngine
  private(set) var here: EngineState
  /// Where the engine is; `nil` after a dead end, and when a step has failed, which may have left anything.
  private var engineState: EngineState?
  /// The states that are remembered, by their numbers, and the numbers of those with the same digest.
  private var states: [EngineState] = []
  private var numbers: [Digest: [Int]] = [:]
  /// How many bytes may still be used to remember states and steps, about.
  private var room: Int
  /// Called before the engine makes a step.
  var willMakeStep: (() -> Void)?

  /// A walk that begins where an engine is.
  ///
  /// - Parameters:
  ///   - engine: The engine.
  ///   - memory: How many bytes may be used to remember steps, about.
  init(_ engine: any FeatureEngine, memory: Int) {
    self.engine = engine
    here = EngineState(of: engine)
    engineState = here
    room = memory
    store(here)
  }

  /// Why it cannot go back from the state of now.
  var obstacle: SnapshotObstacle? {
    synchronize()
    return engine.snapshotObstacle
  }

  func withContext(_ body: () throws -> Void) rethrows { try engine.withContext(body) }

  /// Prepares to come back to where it is.
  func saveSnapshot() {
    // The engine has left no state behind that has no snapshot.
    if here.snapshot == nil { here.snapshot = engine.snapshot() }
  }

  /// Goes to a state that was kept.
  func go(to state: EngineState) { here = state }

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - name: What the step is remembered by; `nil` for one that does not come again.
  ///   - isDeadEnd: Whether nothing matters that comes after a step with these findings.
  ///   - input: Gives the step, when it has to be made.
  /// - Returns: What came of it.
  /// - Throws: The error of the engine, and then the state stays as it is.
  func makeTransition(
    named name: TransitionID?,
    endingWith isDeadEnd: ([LogEvent.Finding]) -> Bool,
    _ input: () -> StepInput
  ) throws -> Made {
    let made = make(name) {
      willMakeStep?()
      let made = Result {
        let outcome = try engine.step(input())
        let isDeadEnd = !outcome.findings.isEmpty && isDeadEnd(outcome.findings)
        return Made(outcome, isDeadEnd: isDeadEnd)
      }
      switch made {
      // Nobody asks for the state, and to write it takes longer than the step.
      case .success(let made) where made.isDeadEnd && here.snapshot != nil: engineState = nil
      case .success: arrive(at: EngineState(of: engine))
      // The engine may be anywhere.
      case .failure: if here.snapshot != nil { engineState = nil }
      }
      return made
    }
    return try made.get()
  }

  /// Whether it is remembered that a step from here is a dead end.
  func isDeadEnd(_ name: TransitionID) -> Bool {
    guard case .success(let made)? = here.steps[name]?.made else { return false }
    return made.isDeadEnd
  }

  /// Forgets the actions of `send` effects that never come.
  func forgetActions(of sends: [EffectID]) {
    _ = make(.forgetting(sends)) {
      engine.forgetActions(of: sends)
      arrive(at: EngineState(like: here))
      return .success(Made(StepOutcome()))
    }
  }

  /// Has the engine do something, unless it is remembered what comes of that here.
  private func make(
    _ name: TransitionID?,
    _ body: () -> Result<Made, any Error>
  ) -> Result<Made, any Error> {
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

  /// Takes note that the engine has come to a state, which may be one that is known.
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

  /// Brings the engine to where the walk is.
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
