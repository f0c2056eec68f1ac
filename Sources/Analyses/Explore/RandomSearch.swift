import ActionLog
import ReplayCommands
import ReplayHosts

/// Replays any orders, each as likely as its steps are drawn: at each place one of those that could come next.
struct RandomSearch {
  private let explorer: Explorer
  private let known: Set<EventReplayer.Finding>
  private var generator: SeededGenerator
  private var result: Explorer.Result

  init(_ explorer: Explorer, known: Set<EventReplayer.Finding>, replays: Int) {
    self.explorer = explorer
    self.known = known
    generator = SeededGenerator(seed: explorer.seed)
    result = Explorer.Result(replays: replays)
  }

  /// Searches until an order is found or nothing is left of the budget.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  mutating func run() throws -> Explorer.Result {
    do { try search() } catch let error as Interrupted { result.interruption = error.signal }
    return result
  }

  private mutating func search() throws {
    var places: Set<OrderTrace.Key> = []
    while true {
      result.limit = explorer.limit(after: result.replays)
      guard result.limit == nil else { break }
      let attempt = try explorer.attempt(draw(), besides: known)
      result.replays += attempt.replays
      if case .unclear = attempt.trace.ending { result.unclear += 1 }
      places.formUnion(attempt.trace.nodes.map(\.key))
      result.places = places.count
      if let violation = try explorer.violation(attempt) {
        result.violation = violation
        result.interruption = violation.interruption
        if violation.interruption == nil { result.replays += 1 }
        break
      }
      explorer.progress(result.replays, places.count)
    }
  }

  private mutating func draw() -> Arrivals.Plan {
    let arrivals = explorer.arrivals
    var plan = Arrivals.Plan(order: [])
    var done: Set<Int> = []
    var rest = Array(arrivals.steps.indices)
    while true {
      let possible = rest.indices.filter {
        arrivals.isPossible(rest[$0], behind: done, without: [:])
      }
      guard let next = possible.randomElement(using: &generator) else { return plan }
      let step = rest.remove(at: next)
      done.insert(step)
      plan.order.append(step)
    }
  }
}
