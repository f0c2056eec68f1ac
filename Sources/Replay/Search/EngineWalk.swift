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
  /// Its number among the states that are remembered.
  fileprivate var number: Int?

  fileprivate init(of engine: any FeatureEngine) {
    text = engine.loggedState
    var digest: Digest
    (digest, length) = text.withBytes { (Digest($0), $0.count) }
    if let next = engine.nextStackElement { digest.add(Digest((next, 0, 6))) }
    self.digest = digest.mixed
  }

  /// How many bytes it takes, about: what a state takes in memory is not known, but its text says how much it holds.
  fileprivate var size: Int { 4096 + length * 8 }

  /// How many bytes it takes beside what is remembered anyway, about.
  package var ownSize: Int { number == nil ? size : 0 }
}

/// An engine that goes from state to state as a search asks for it, and makes no step twice that it has made in the same state.
///
/// A search comes to the same state by many orders, for most of them differ in the effects that are still to end. What a step gives
/// depends on the state of the engine alone. So the engine stays behind while steps are remembered, and follows when a new one is asked for.
struct EngineWalk {
  private var engine: any FeatureEngine
  private(set) var here: EngineState
  /// Where the engine is; `nil` when a step has failed, which may have left anything.
  private var engineState: EngineState?
  private var memory: StepMemory
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
    self.memory = StepMemory(room: memory)
    note(here)
  }

  /// Why it cannot go back from the state of now.
  var obstacle: SnapshotObstacle? {
    mutating get {
      follow()
      return engine.snapshotObstacle
    }
  }

  func withContext(_ body: () throws -> Void) rethrows { try engine.withContext(body) }

  /// Prepares to come back to where it is.
  mutating func keep() {
    // The engine has left no state behind that has no snapshot.
    if here.snapshot == nil { here.snapshot = engine.snapshot() }
  }

  /// Goes to a state that was kept.
  mutating func go(to state: EngineState) { here = state }

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - input: The step.
  ///   - name: What the step is remembered by; `nil` for one that does not come again.
  /// - Returns: The outcome.
  /// - Throws: The error of the engine, and then the state stays as it is.
  mutating func step(_ input: StepInput, named name: StepMemory.Name?) throws -> StepOutcome {
    if let name, let known = memory.result(of: name, in: here) {
      here = known.state
      return try known.outcome.get()
    }
    follow()
    willMakeStep?()
    let before = here
    let outcome = Result { try engine.step(input) }
    if case .success = outcome {
      here = EngineState(of: engine)
      if let same = memory.states(like: here).first(where: isEquivalent) {
        here = same
      } else {
        note(here)
      }
      engineState = here
    } else if here.snapshot != nil {
      engineState = nil
    }
    if let name {
      memory.remember(name, in: before, StepMemory.Result(outcome: outcome, state: here))
    }
    return try outcome.get()
  }

  private func isEquivalent(to state: EngineState) -> Bool {
    state.snapshot.map { engine.isEquivalent(to: $0) } ?? false
  }

  /// Brings the engine to where the walk is.
  private mutating func follow() {
    guard engineState !== here, let snapshot = here.snapshot else { return }
    engine.restore(snapshot)
    engineState = here
  }

  private mutating func note(_ state: EngineState) {
    guard memory.hasRoom else { return }
    keep()
    memory.add(state)
  }
}

/// The steps that an engine has made, by the states in which it made them.
struct StepMemory {
  /// What tells a step from others.
  struct Name: Hashable {
    let seq: Int
    let source: Source
  }

  /// Where the action of a step comes from, of which the answers to its reads depend.
  enum Source: Hashable {
    /// From outside the reducer.
    case outside
    /// From the reducer itself, as the log has it or not.
    case reducer(isLogged: Bool, isFromCheckpoint: Bool)
  }

  /// What came of a step.
  struct Result {
    let outcome: Swift.Result<StepOutcome, any Error>
    let state: EngineState
  }

  private struct Key: Hashable {
    let state: Int
    let name: Name
  }

  private var states: [Digest: [EngineState]] = [:]
  private var count = 0
  private var results: [Key: Result] = [:]
  /// Bytes.
  private var room: Int

  /// Remembers nothing yet.
  ///
  /// - Parameter room: How many bytes may be used, about.
  init(room: Int) { self.room = room }

  var hasRoom: Bool { room > 0 }

  /// The states that are remembered of which a log has the same.
  func states(like state: EngineState) -> [EngineState] { states[state.digest] ?? [] }

  mutating func add(_ state: EngineState) {
    state.number = count
    count += 1
    states[state.digest, default: []].append(state)
    room -= state.size
  }

  func result(of name: Name, in state: EngineState) -> Result? {
    state.number.flatMap { results[Key(state: $0, name: name)] }
  }

  mutating func remember(_ name: Name, in state: EngineState, _ result: Result) {
    guard hasRoom, let number = state.number, result.state.number != nil else { return }
    results[Key(state: number, name: name)] = result
    room -= 512
  }
}
