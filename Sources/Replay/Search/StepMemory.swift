/// What stands somewhere in a search, and to which steps are remembered.
protocol SearchState: AnyObject {
  /// States with different digests are different.
  var digest: Digest { get }
  /// How many bytes it takes, about.
  var size: Int { get }
  /// Its number among the states that are remembered.
  var number: Int? { get set }
}

/// The steps that were made in a search, by the states in which they were made.
///
/// ```swift
/// var memory = StepMemory<EngineState, Name, StepOutcome>(room: 64 << 20)
/// memory.add(state)
/// memory.remember(name, in: state, outcome, next)
/// memory.result(of: name, in: state)  // (outcome, next)
/// ```
struct StepMemory<State: SearchState, Name: Hashable, Outcome> {
  private struct Key: Hashable {
    let state: Int
    let name: Name
  }

  private var states: [Digest: [State]] = [:]
  private var count = 0
  private var results: [Key: (outcome: Outcome, state: State)] = [:]
  /// Bytes.
  private var room: Int

  /// Remembers nothing yet.
  ///
  /// - Parameter room: How many bytes may be used, about.
  init(room: Int) { self.room = room }

  var hasRoom: Bool { room > 0 }

  /// The states that are remembered with the same digest.
  func states(like state: State) -> [State] { states[state.digest] ?? [] }

  mutating func add(_ state: State) {
    state.number = count
    count += 1
    states[state.digest, default: []].append(state)
    room -= state.size
  }

  /// What a step led to; `nil` when it was not made in this state.
  func result(of name: Name, in state: State) -> (outcome: Outcome, state: State)? {
    state.number.flatMap { results[Key(state: $0, name: name)] }
  }

  /// Remembers a step, where both states are remembered.
  mutating func remember(
    _ name: Name,
    in before: State,
    _ outcome: Outcome,
    _ after: State
  ) {
    guard hasRoom, let number = before.number, after.number != nil else { return }
    results[Key(state: number, name: name)] = (outcome, after)
    room -= 512
  }
}
