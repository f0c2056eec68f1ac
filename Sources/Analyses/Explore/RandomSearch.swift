import ActionLog
import ReplayCommands
import ReplayHosts

/// A random walk: at each node, one of the enabled steps is drawn.
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

  /// Searches until an order breaks the condition or the budget is used up.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  mutating func run() throws -> Explorer.Result {
    do { try search() } catch let error as Interrupted { result.interruption = error.signal }
    return result
  }

  private mutating func search() throws {
    var places: Set<InterleavingTrace.Key> = []
    while true {
      result.limit = explorer.limit(after: result.replays)
      guard result.limit == nil else { break }
      let attempt = try explorer.attempt(draw(), ignoring: known)
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

  private mutating func draw() -> Interleaving {
    let log = explorer.log
    var interleaving = Interleaving(order: [])
    var done: Set<Int> = []
    var rest = Array(log.steps.indices)
    while true {
      let possible = rest.indices.filter {
        log.isEnabled(rest[$0], after: done, without: [:])
      }
      guard let next = possible.randomElement(using: &generator) else { return interleaving }
      let step = rest.remove(at: next)
      done.insert(step)
      interleaving.order.append(step)
    }
  }
}
