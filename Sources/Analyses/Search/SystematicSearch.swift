import ActionLog
import ReplayCommands
import ReplayEngine

/// A search through the orders of a log, which starts with orders close to the recorded one.
///
/// An order departs from the recorded one if another thread comes first at a choice point, or if a thread is delayed
/// until all others have finished. Orders with one departure are tried before orders with two, and so on. Most races
/// need few departures, so they are found early. A reported violation has the minimum number of departures. If two
/// orders lead to the same search state, only one of them continues.
///
/// Sleep sets (Godefroid) also prune steps that are independent according to the log. Only effect events without an
/// action are independent. Two actions always count as dependent, because the parts of the state that a reducer reads
/// are unknown. Their orders still merge if they lead to the same state. If a search state is visited again with fewer
/// sleeping steps, the search continues with the steps that slept only the first time.
struct SystematicSearch<StateSpace: SearchStateSpace> {
  typealias Visit = SearchVisitResult<StateSpace.ChoicePoint, StateSpace.Key>

  private let world: StateSpace
  private let log: ThreadedLog
  private var limits: SearchLimits
  /// For each step without an action, the numbers of the actions that started its effects; `nil` for other steps.
  private let turned: [Set<Int>?]
  private var generator: SeededGenerator
  private(set) var result = SearchResult()
  /// The number of transitions at which the limits are checked next.
  private var nextLook = 0
  /// The departures that have not been tried, grouped by the number of departures in the resulting orders.
  private var candidates: [[DepartureCandidate]] = []
  /// Hashes of the steps that were executed, each with the search state before it.
  private var edges: Set<UInt64> = []
  /// Hashes of the search states that were visited, each with the delayed threads.
  private var delayedRuns: Set<UInt64> = []
  private var visited: Set<StateSpace.Key> = []
  /// The steps that sleep in a search state, if there are any.
  private var sleeping: [StateSpace.Key: [Int]] = [:]

  /// A search state with departures that have not been tried.
  private final class BranchPoint {
    let place: StateSpace.ChoicePoint
    let key: StateSpace.Key
    let enabled: [Int]
    let delayed: DelayedThreads
    /// The steps that sleep in this search state.
    ///
    /// If the step of a departure is an effect event, the step is added, so that it sleeps in later departures.
    var asleep: [Int]

    init(_ visit: Visit, _ delayed: DelayedThreads, _ asleep: [Int]) {
      (place, key, enabled) = (visit.place, visit.key, visit.enabled)
      self.delayed = delayed
      self.asleep = asleep
    }
  }

  /// A departure from an order at a search state.
  private struct DepartureCandidate {
    let point: BranchPoint
    let departure: DepartureChoice
    /// The number of elements in `point.asleep` that sleep after this departure.
    let asleep: Int
  }

  private enum DepartureChoice {
    /// The step with this index comes next.
    case next(Int)
    /// This thread waits until all others have finished.
    case delay(ThreadedLog.Thread)
  }

  init(_ world: StateSpace, _ log: ThreadedLog, seed: UInt64, limits: SearchLimits) {
    self.world = world
    self.log = log
    self.limits = limits
    turned = log.steps.map { $0.isEffectEvent ? $0.turnedActions : nil }
    generator = SeededGenerator(seed: seed)
  }

  /// Searches until a violation is found, all orders are tried, or a limit is reached.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  mutating func run() throws {
    try extend(try world.start(), delaying: [], departures: 0, asleep: [])
    while !result.isOver, let (candidate, departures) = nextCandidate() {
      try depart(candidate, departures)
    }
    // The search may live longer than the objects that the closure refers to.
    limits.look = { _ in nil }
    result.isComplete =
      result.violation == nil && result.limit == nil && result.unclear == 0
  }

  private mutating func nextCandidate() -> (DepartureCandidate, departures: Int)? {
    while let departures = candidates.firstIndex(where: { !$0.isEmpty }) {
      let index = Int.random(in: candidates[departures].indices, using: &generator)
      var candidate = candidates[departures].removeLast()
      if index < candidates[departures].count {
        swap(&candidate, &candidates[departures][index])
      }
      // Another order may have executed this step since the departure was added.
      if case .next(let step) = candidate.departure,
        edges.contains(candidate.point.key.edge(step))
      {
        continue
      }
      return (candidate, departures)
    }
    return nil
  }

  private mutating func depart(_ candidate: DepartureCandidate, _ departures: Int) throws {
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

  /// Executes steps in recorded order until the order ends, or continues in the same way as an earlier one.
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
      // Branches only before steps whose position matters. A departure before any other step is also possible after
      // that step.
      if log.steps[step].isOrderSensitive {
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
    from place: StateSpace.ChoicePoint,
    delaying delayed: DelayedThreads
  ) throws -> Visit {
    result.transitions += 1
    return try world.visit(step, from: place, delaying: delayed)
  }

  /// Adds a visit to the results, and checks the limits.
  ///
  /// - Returns: Whether the order continues after the visit.
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

  /// Adds the departures that are possible at a new search state.
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
      $0 != step && log.steps[$0].isOrderSensitive && !isUnclear($0, after: visit)
    }
    guard !others.isEmpty else { return }
    world.retain(visit.place)
    // The step that is tried first sleeps in the departures after it, if it is an effect event.
    let point = BranchPoint(visit, delayed, asleep + (turned[step] != nil ? [step] : []))
    for other in others {
      append(point, .next(other), departures + 1, point.asleep.count)
      if turned[other] != nil { point.asleep.append(other) }
    }
    // A delay changes only the sequence in which orders are tried, because departures by single steps reach the same
    // orders.
    guard departures < 2 else { return }
    append(point, .delay(log.steps[step].thread), departures + 1, 0)
  }

  /// Returns whether a step is known to be unclear, and counts it as executed if so.
  ///
  /// The set of known steps depends on the memory limit of the state space. It affects which departures are tried next.
  private mutating func isUnclear(_ step: Int, after visit: Visit) -> Bool {
    // One transition is reserved for the next step of the order, which is executed before the limits are checked again.
    guard result.transitions + 1 < limits.mostTransitions, world.isKnownUnclear(step),
      edges.insert(visit.key.edge(step)).inserted
    else { return false }
    result.transitions += 1
    result.unclear += 1
    return true
  }

  /// Adds departures by steps that slept at an earlier visit to the search state but don't sleep now.
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
    _ departure: DepartureChoice,
    _ departures: Int,
    _ asleep: Int
  ) {
    while candidates.count <= departures { candidates.append([]) }
    candidates[departures].append(
      DepartureCandidate(point: point, departure: departure, asleep: asleep)
    )
  }

  /// Returns the first enabled step in recorded order, preferably of a thread that is not delayed.
  ///
  /// Returns `nil` if no step is enabled.
  private func choice(
    among enabled: [Int],
    delaying delayed: DelayedThreads
  ) -> Int? {
    guard !delayed.isEmpty else { return enabled.first }
    return enabled.first { !delayed.contains(log.steps[$0].thread) } ?? enabled.first
  }

  /// Returns the steps that still sleep after a step was executed, because they are independent of it.
  ///
  /// Two steps are independent if both are effect events without an action, and they belong to different threads. In
  /// addition, different actions must have started their effects.
  private func awake(_ step: Int, _ asleep: ArraySlice<Int>) -> [Int] {
    guard !asleep.isEmpty, let actions = turned[step] else { return [] }
    let thread = log.steps[step].thread
    return asleep.filter {
      log.steps[$0].thread != thread && turned[$0]?.isDisjoint(with: actions) ?? false
    }
  }
}

extension ThreadedLog.ThreadStep {
  /// Whether the step is an effect event without an action.
  fileprivate var isEffectEvent: Bool {
    action == nil
      && !events.contains { event in
        if case .action = event { true } else { false }
      }
  }
}

extension ThreadedLog.ThreadStep {
  /// The numbers of the actions that started the effects to which the events refer.
  fileprivate var turnedActions: Set<Int> {
    var actions: Set<Int> = []
    for case .effect(let effect) in events {
      actions.insert(effect.id.seq)
      if case .cancelled(by: .effect(let id), _) = effect.event { actions.insert(id.seq) }
    }
    return actions
  }
}
