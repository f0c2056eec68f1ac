import ActionLog
import ReplayCommands
import ReplayEngine

/// A search through the orders of a log that tries those near to the recorded one first, and goes on from no place twice.
///
/// An order departs from the recorded one where another thread comes first, or where a thread is delayed until all others have
/// finished. Orders with one departure come before those with two, and so on: few races need more, and what is found departs
/// as little as it can. Where two orders lead to the same place, only one of them is continued.
///
/// Beside the visited places there are sleep sets (Godefroid), for the steps of which the log tells that they don't depend on each
/// other: turns of effects without an action. What a reducer reads of its state nobody sees, so two actions are always
/// taken to depend on each other; they meet again where they lead to the same state. A place that is visited again with fewer
/// steps asleep is continued with those that were asleep only the first time.
struct StateSearch<World: SearchWorld> {
  typealias Visit = SearchVisit<World.ChoicePoint, World.Key>

  private let world: World
  private let log: ThreadedLog
  private var limits: SearchLimits
  /// The actions whose effects take their turn, of each step that is a turn of effects alone, without an action.
  private let turned: [Set<Int>?]
  private var generator: SeededGenerator
  private(set) var result = SearchResult()
  /// After how many transitions the search looks at its limits next.
  private var nextLook = 0
  /// The departures to try, by how many an order then has.
  private var candidates: [[Candidate]] = []
  /// The steps that were made, by their place.
  private var edges: Set<UInt64> = []
  /// The places of orders with delayed threads.
  private var delayedRuns: Set<UInt64> = []
  private var visited: Set<World.Key> = []
  /// The steps that are asleep at a place, where there are any.
  private var sleeping: [World.Key: [Int]] = [:]

  /// Where orders may depart.
  private final class BranchPoint {
    let place: World.ChoicePoint
    let key: World.Key
    let enabled: [Int]
    let delayed: DelayedThreads
    /// The steps that are asleep: the later a departure comes, the more of them.
    var asleep: [Int]

    init(_ visit: Visit, _ delayed: DelayedThreads, _ asleep: [Int]) {
      (place, key, enabled) = (visit.place, visit.key, visit.enabled)
      self.delayed = delayed
      self.asleep = asleep
    }
  }

  /// A departure from an order.
  private struct Candidate {
    let point: BranchPoint
    let departure: Departure
    /// How many of the steps there are asleep.
    let asleep: Int
  }

  private enum Departure {
    /// This step comes next.
    case next(Int)
    /// This thread waits until all others have finished.
    case delay(ThreadedLog.Thread)
  }

  init(_ world: World, _ log: ThreadedLog, seed: UInt64, limits: SearchLimits) {
    self.world = world
    self.log = log
    self.limits = limits
    turned = log.steps.map { $0.isTurn ? $0.turnedActions : nil }
    generator = SeededGenerator(seed: seed)
  }

  /// Searches until a violation is found, nothing is left to try, or a limit is reached.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  mutating func run() throws {
    try extend(try world.start(), delaying: [], departures: 0, asleep: [])
    while !result.isOver, let (candidate, departures) = nextCandidate() {
      try depart(candidate, departures)
    }
    // The search may be kept for longer than its caller allows for this.
    limits.look = { _ in nil }
    result.isComplete =
      result.violation == nil && result.limit == nil && result.unclear == 0
  }

  private mutating func nextCandidate() -> (Candidate, departures: Int)? {
    while let departures = candidates.firstIndex(where: { !$0.isEmpty }) {
      let index = Int.random(in: candidates[departures].indices, using: &generator)
      var candidate = candidates[departures].removeLast()
      if index < candidates[departures].count {
        swap(&candidate, &candidates[departures][index])
      }
      // Another order may have taken it meanwhile.
      if case .next(let step) = candidate.departure,
        edges.contains(candidate.point.key.edge(step))
      {
        continue
      }
      return (candidate, departures)
    }
    return nil
  }

  private mutating func depart(_ candidate: Candidate, _ departures: Int) throws {
    let point = candidate.point
    var delayed = point.delayed
    let step: Int
    switch candidate.departure {
    case .next(let next): step = next
    case .delay(let thread):
      delayed.insert(thread)
      guard let next = choice(among: point.enabled, delaying: delayed) else { return }
      step = next
    }
    edges.insert(point.key.edge(step))
    let visit = try make(step, from: point.place, delaying: delayed)
    try extend(
      visit,
      delaying: delayed,
      departures: departures,
      asleep: awake(step, point.asleep.prefix(candidate.asleep))
    )
  }

  /// Makes steps as they were recorded, as long as this leads to something new.
  private mutating func extend(
    _ first: Visit,
    delaying delayed: DelayedThreads,
    departures: Int,
    asleep: [Int]
  ) throws {
    var (visit, asleep) = (first, asleep)
    let run = delayed.isEmpty ? 0 : -1 - delayed.hashValue
    while record(visit) {
      let enabled = asleep.isEmpty ? visit.enabled : visit.enabled.filter { !asleep.contains($0) }
      guard let step = choice(among: enabled, delaying: delayed) else { return }
      // Where the place of a step does not matter, the same departures are possible after it.
      if log.steps[step].isMovable {
        let isNew = visited.insert(visit.key).inserted
        if isNew {
          result.states += 1
          add(visit, enabled, after: step, delayed, departures, asleep)
        } else {
          wake(visit, asleep, delayed, departures)
        }
      }
      let isFirst = edges.insert(visit.key.edge(step)).inserted
      guard
        delayed.isEmpty
          ? isFirst : delayedRuns.insert(visit.key.edge(run)).inserted
      else { return }
      asleep = awake(step, asleep[...])
      visit = try make(step, from: visit.place, delaying: delayed)
    }
  }

  private mutating func make(
    _ step: Int,
    from place: World.ChoicePoint,
    delaying delayed: DelayedThreads
  ) throws -> Visit {
    result.transitions += 1
    return try world.visit(step, from: place, delaying: delayed)
  }

  /// Notes what a visit has found.
  ///
  /// - Returns: Whether the order goes on.
  private mutating func record(_ visit: Visit) -> Bool {
    switch visit.verdict {
    case .clear: break
    case .unclear: result.unclear += 1
    case .violated(let violation):
      result.violation = SearchResult.FoundViolation(
        steps: world.steps(to: visit.place),
        violation: violation
      )
      return false
    }
    if result.transitions >= nextLook {
      nextLook = result.transitions + limits.interval
      result.limit = world.isFull ? .memory : limits.reached(result)
    } else if result.transitions >= limits.mostTransitions {
      result.limit = .transitions
    }
    return result.limit == nil && visit.verdict.isClear
  }

  /// Adds the departures that are possible at a new place.
  private mutating func add(
    _ visit: Visit,
    _ enabled: [Int],
    after step: Int,
    _ delayed: DelayedThreads,
    _ departures: Int,
    _ asleep: [Int]
  ) {
    if !asleep.isEmpty { sleeping[visit.key] = asleep }
    let others = enabled.filter {
      $0 != step && log.steps[$0].isMovable && !isUnclear($0, after: visit)
    }
    guard !others.isEmpty else { return }
    world.retain(visit.place)
    // What is tried first sleeps in what is tried later.
    let point = BranchPoint(visit, delayed, asleep + (turned[step] != nil ? [step] : []))
    for other in others {
      append(point, .next(other), departures + 1, point.asleep.count)
      if turned[other] != nil { point.asleep.append(other) }
    }
    // A delay only changes which orders come first: what it leads to is also reached step by step.
    guard departures < 2 else { return }
    append(point, .delay(log.steps[step].thread), departures + 1, 0)
  }

  /// Whether it is known that a step is unclear, which then was made without going there.
  ///
  /// What is known depends on how much the world may remember, and which departures are drawn next depends on it.
  private mutating func isUnclear(_ step: Int, after visit: Visit) -> Bool {
    // The next step of the order is made before the search looks at its limits again.
    guard result.transitions + 1 < limits.mostTransitions, world.isKnownUnclear(step),
      edges.insert(visit.key.edge(step)).inserted
    else { return false }
    result.transitions += 1
    result.unclear += 1
    return true
  }

  /// Adds the departures that slept when the place was visited before, and do not now.
  private mutating func wake(
    _ visit: Visit,
    _ asleep: [Int],
    _ delayed: DelayedThreads,
    _ departures: Int
  ) {
    guard let slept = sleeping[visit.key] else { return }
    let awake = slept.filter { !asleep.contains($0) && visit.enabled.contains($0) }
    sleeping[visit.key] = slept.filter(asleep.contains)
    guard !awake.isEmpty else { return }
    world.retain(visit.place)
    let point = BranchPoint(visit, delayed, asleep)
    for step in awake { append(point, .next(step), departures + 1, asleep.count) }
  }

  private mutating func append(
    _ point: BranchPoint,
    _ departure: Departure,
    _ departures: Int,
    _ asleep: Int
  ) {
    while candidates.count <= departures { candidates.append([]) }
    candidates[departures].append(
      Candidate(point: point, departure: departure, asleep: asleep)
    )
  }

  /// The step that comes next unless an order departs: the first one as recorded, of threads that do not wait.
  private func choice(
    among enabled: [Int],
    delaying delayed: DelayedThreads
  ) -> Int? {
    guard !delayed.isEmpty else { return enabled.first }
    return enabled.first { !delayed.contains(log.steps[$0].thread) } ?? enabled.first
  }

  /// The steps that still sleep after another one: those that do not depend on it, as far as the log tells.
  ///
  /// Both are turns without an action, of effects of different actions.
  private func awake(_ step: Int, _ asleep: ArraySlice<Int>) -> [Int] {
    guard !asleep.isEmpty, let actions = turned[step] else { return [] }
    let thread = log.steps[step].thread
    return asleep.filter {
      log.steps[$0].thread != thread && turned[$0]?.isDisjoint(with: actions) ?? false
    }
  }
}

extension ThreadedLog.ThreadStep {
  /// Whether it is a turn of an effect alone, without an action.
  fileprivate var isTurn: Bool {
    action == nil
      && !events.contains { event in
        if case .action = event { true } else { false }
      }
  }
}

extension ThreadedLog.ThreadStep {
  /// The actions whose effects take their turn.
  fileprivate var turnedActions: Set<Int> {
    var actions: Set<Int> = []
    for case .effect(let effect) in events {
      actions.insert(effect.id.seq)
      if case .cancelled(by: .effect(let id), _) = effect.event { actions.insert(id.seq) }
    }
    return actions
  }
}
