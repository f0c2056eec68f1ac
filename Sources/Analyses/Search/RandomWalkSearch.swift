import ActionLog
import ReplayCommands

/// A search that chooses a random enabled step at each choice point.
///
/// It is the baseline for measurements of the systematic search.
struct RandomWalkSearch<StateSpace: SearchStateSpace> {
  private let world: StateSpace
  private let limits: SearchLimits
  private var generator: SeededGenerator
  private(set) var result = SearchResult()

  init(_ world: StateSpace, seed: UInt64, limits: SearchLimits) {
    self.world = world
    self.limits = limits
    generator = SeededGenerator(seed: seed)
  }

  /// Starts walks until a violation is found or a limit is reached.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  mutating func run() throws {
    var places: Set<StateSpace.Key> = []
    while !result.isOver {
      let walked = result.transitions
      var visit = try world.start()
      places.insert(visit.key)
      while visit.verdict.isClear, let step = visit.enabled.randomElement(using: &generator) {
        result.transitions += 1
        visit = try world.visit(step, from: visit.place, delaying: [])
        if visit.verdict != .unclear { places.insert(visit.key) }
        result.states = places.count
        if result.transitions >= limits.mostTransitions {
          result.limit = .transitions
          break
        }
      }
      switch visit.verdict {
      case .clear: break
      case .unclear: result.unclear += 1
      case .violated(let violation):
        result.violation = SearchResult.FoundViolation(
          steps: world.steps(to: visit.place),
          violation: violation
        )
      }
      if result.limit == nil, result.violation == nil {
        // If no step was possible, another walk would have the same result, so the search ends.
        result.limit = walked == result.transitions ? .transitions : limits.look(result)
      }
    }
  }
}
