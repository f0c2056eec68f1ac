import ActionLog
import LogTools
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayEngine
@testable import ReplayHosts

/// The reduced search has the same results as an enumeration of all orders.
@Suite("State search") struct StateSearchTests {
  /// Returns a small log with races.
  ///
  /// Its random contents are replayed, so that only possible events remain.
  private static func log(seed: UInt64, actions: Int = 7) throws -> ThreadedLog {
    var random = SplitMix64(seed: seed)
    var lines = Array(SampleLog.lines.prefix(2))
    var started: [String] = []
    var seq = 0
    func action(_ origin: String, _ action: String) {
      seq += 1
      lines.append(
        #"{"kind":"action","seq":\#(seq),"at":0,"origin":\#(origin),"action":\#(action)}"#
      )
    }
    for _ in 0..<actions {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: action(#""view""#, #"{"increment":{}}"#)
      case 1: action(#""view""#, #"{"cancel":{}}"#)
      case 2, 3:
        action(#""view""#, #"{"load":{}}"#)
        started.append("\(seq).0")
      case 4:
        action(#""view""#, #"{"chain":{}}"#)
        started += ["\(seq).0", "\(seq).2"]
      case 5 where !started.isEmpty:
        let id = started[Int.random(in: started.indices, using: &random)]
        let other = started[Int.random(in: started.indices, using: &random)]
        let turns = [
          #""finished","sent":0"#, #""cancelled","by":"task""#,
          #""cancelled","by":{"effect":"\#(other)"}"#,
        ]
        let turn = turns[Int.random(in: turns.indices, using: &random)]
        lines.append(#"{"kind":"effect","id":"\#(id)","event":\#(turn),"at":0}"#)
      default:
        guard let id = started.randomElement(using: &random) else { continue }
        let value = Int.random(in: 2...5, using: &random) * 10
        action(#"{"effect":"\#(id)"}"#, #"{"loaded":{"_0":\#(value)}}"#)
      }
    }
    var session = ReplaySession(
      isPruning: true,
      events: SampleLog.events(lines)
    ) { _ in CounterEngine() }
    return try ThreadedLog {
      while let event = try session.next() {
        if case .finding = event { continue }
        return event
      }
      return nil
    }
  }

  private static func world(
    _ log: ThreadedLog,
    _ judge: SearchJudge,
    memory: InMemoryStateSpace.MemoryLimits = InMemoryStateSpace.MemoryLimits()
  ) throws -> InMemoryStateSpace {
    guard case .header(let header) = log.head[0], case .checkpoint(let checkpoint) = log.head[1]
    else { throw CancellationError() }
    var engine = CounterEngine()
    _ = try engine.load(checkpoint, header: header)
    return InMemoryStateSpace(log, engine, at: checkpoint, judge: judge, memory: memory)
  }

  /// The results of all orders.
  private struct Outcome: Equatable {
    var ends: Set<String> = []
    var violations: Set<SearchJudge.Violation> = []
    /// The total number of states in all orders.
    var visits = 0
  }

  /// Returns the result of all orders, one after another.
  private static func enumerated(_ world: InMemoryStateSpace) -> Outcome {
    var outcome = Outcome()
    func follow(_ visit: InMemoryStateSpace.Visit) {
      outcome.visits += 1
      if case .violated(let violation) = visit.verdict {
        outcome.violations.insert(violation)
        return
      }
      if visit.enabled.isEmpty { outcome.ends.insert("\(world.state)") }
      for step in visit.enabled { follow(world.visit(step, from: visit.place, delaying: [])) }
    }
    follow(world.start())
    return outcome
  }

  /// A world that stores the ends of orders.
  private final class Noting<StateSpace: SearchStateSpace>: SearchStateSpace {
    let world: StateSpace
    let state: () -> String
    var ends: Set<String> = []

    init(_ world: StateSpace, _ state: @escaping () -> String) {
      (self.world, self.state) = (world, state)
    }

    private func noted(
      _ visit: SearchVisitResult<StateSpace.ChoicePoint, StateSpace.Key>
    ) -> SearchVisitResult<StateSpace.ChoicePoint, StateSpace.Key> {
      if visit.enabled.isEmpty, visit.verdict.isClear { ends.insert(state()) }
      return visit
    }

    func start() throws -> SearchVisitResult<StateSpace.ChoicePoint, StateSpace.Key> {
      noted(try world.start())
    }

    func visit(
      _ step: Int,
      from place: StateSpace.ChoicePoint,
      delaying delayed: DelayedThreads
    ) throws -> SearchVisitResult<StateSpace.ChoicePoint, StateSpace.Key> {
      noted(try world.visit(step, from: place, delaying: delayed))
    }

    func isKnownUnclear(_ step: Int) -> Bool { world.isKnownUnclear(step) }
    func retain(_ place: StateSpace.ChoicePoint) { world.retain(place) }
    func steps(to place: StateSpace.ChoicePoint) -> [Int] { world.steps(to: place) }
    var isFull: Bool { world.isFull }
  }

  private static func judge(_ expression: String) throws -> SearchJudge {
    SearchJudge(
      [SearchJudge.Rule(condition: Condition(try JSONPath.Expression(parsing: expression)))],
      countsFaults: false
    )
  }

  @Test
  func `search states with the same key have executed the same steps on which later ones depend`()
    throws
  {
    for seed in 1...60 as ClosedRange<UInt64> {
      let log = try Self.log(seed: seed)
      let world = try Self.world(log, SearchJudge([], countsFaults: false, countsOvertaking: true))
      let landmarks = ThreadTable(log, countsOvertaking: true).landmarks
      var executed: [Digest: Set<Int>] = [:]
      func follow(_ visit: InMemoryStateSpace.Visit) {
        let steps = landmarks.intersection(world.steps(to: visit.place))
        #expect(executed[visit.key, default: steps] == steps, "seed \(seed)")
        executed[visit.key] = steps
        for step in visit.enabled { follow(world.visit(step, from: visit.place, delaying: [])) }
      }
      follow(world.start())
    }
  }

  /// Hosts in this process.
  private static let hosts = HostPool {
    { log, _ in InProcessReplay(ReplaySession(events: try log.events()) { _ in CounterEngine() }) }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `replayed search states with the same key have executed the same steps`(seed: UInt64) throws
  {
    let log = try Self.log(seed: seed, actions: 6)
    let judge = SearchJudge([], countsFaults: false, countsOvertaking: true)
    let replayer = InterleavingReplayer(log: log, replayer: EventReplayer(hosts: Self.hosts))
    let world = ReplayedStateSpace(
      replayer,
      judge: judge,
      recorded: try replayer.attempt(Interleaving(order: Array(log.steps.indices)), judge: judge)
    )
    var executed: [InterleavingTrace.Key: Set<Int>] = [:]
    func follow(_ visit: ReplayedStateSpace.Visit) throws {
      let steps = Set(world.steps(to: visit.place))
      #expect(executed[visit.key, default: steps] == steps)
      executed[visit.key] = steps
      for step in visit.enabled { try follow(world.visit(step, from: visit.place, delaying: [])) }
    }
    try follow(world.start())
  }

  @Test(
    "SystematicSearch reaches the same final states as an enumeration of all orders",
    arguments: 1...60 as ClosedRange<UInt64>
  )
  func finalStates(seed: UInt64) throws {
    let log = try Self.log(seed: seed)
    // Every step is computed again.
    let forgetful = InMemoryStateSpace.MemoryLimits(steps: 0)
    let expected = Self.enumerated(try Self.world(log, SearchJudge(), memory: forgetful))
    #expect(Self.enumerated(try Self.world(log, SearchJudge())) == expected, "seed \(seed)")
    let world = try Self.world(log, SearchJudge())
    let noting = Noting(world) { "\(world.state)" }
    var search = SystematicSearch(noting, log, seed: seed, limits: SearchLimits())
    try search.run()
    #expect(search.result.isComplete)
    #expect(noting.ends == expected.ends, "seed \(seed)")
  }

  @Test("SystematicSearch finds an order in which an effect ends before the action in front of it")
  func lateAction() throws {
    let lines = [
      #"{"kind":"action","seq":1,"at":0,"origin":"view","action":{"load":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[],"effects":[{"id":"1.0","op":"run"}]}"#,
      #"{"kind":"action","seq":2,"at":0,"origin":"view","action":{"increment":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[]}"#,
      #"{"kind":"effect","id":"1.0","event":"finished","sent":0,"at":0}"#,
      #"{"kind":"action","seq":3,"at":0,"origin":{"effect":"1.0"},"action":{"loaded":{"_0":20}}}"#,
      #"{"kind":"change","seq":3,"patch":[]}"#,
    ]
    let log = try ThreadedLog(SampleLog.events(Array(SampleLog.lines.prefix(2)) + lines))
    try #require(log.steps.map { $0.action?.seq } == [1, 2, nil, 3], "\(log.steps)")
    let expected = Self.enumerated(try Self.world(log, SearchJudge()))
    let world = try Self.world(log, SearchJudge())
    let noting = Noting(world) { "\(world.state)" }
    var search = SystematicSearch(noting, log, seed: 0, limits: SearchLimits())
    try search.run()
    #expect(search.result.isComplete)
    #expect(expected.ends.count == 2)
    #expect(noting.ends == expected.ends)
  }

  @Test(
    "SystematicSearch finds the same violations as an enumeration of all orders",
    arguments: Thoroughness.seeds(20, thorough: 60)
  )
  func violations(seed: UInt64) throws {
    let log = try Self.log(seed: seed)
    for count in [0, 1, 2, 11, 20, 21, 30, 31, 40, 41, 50] {
      let judge = try Self.judge("$.state.count != \(count)")
      let expected = Self.enumerated(try Self.world(log, judge))
      var search = SystematicSearch(
        try Self.world(log, judge),
        log,
        seed: seed,
        limits: SearchLimits()
      )
      try search.run()
      let found = search.result.violation.map { [$0.violation] } ?? []
      #expect(found.isEmpty == expected.violations.isEmpty, "seed \(seed), count \(count)")
      #expect(expected.violations.isSuperset(of: found))
    }
  }

  @Test(
    "An order that SystematicSearch finds in memory gives the same result in a host's replay",
    arguments: Thoroughness.seeds(10, thorough: 25)
  )
  func replays(seed: UInt64) throws {
    let log = try Self.log(seed: seed)
    for count in [1, 2, 20, 21, 30, 31] {
      let judge = try Self.judge("$.state.count != \(count)")
      func explorer() -> Explorer {
        Explorer(log: log, replayer: EventReplayer(hosts: Self.hosts), judge: judge)
      }
      let replayed: Explorer.Result
      do { replayed = try explorer().explore() } catch Explorer.ExplorationObstacle.isNotReproduced
      {
        // The random events are not a valid log of a store.
        return
      }
      var search = SystematicSearch(
        try Self.world(log, judge),
        log,
        seed: 0,
        limits: SearchLimits()
      )
      try search.run()
      #expect(
        (replayed.violation == nil) == (search.result.violation == nil),
        "seed \(seed), count \(count)"
      )
      guard let violation = search.result.violation else { continue }
      let attempt = try explorer().interleavings.attempt(
        Interleaving(order: violation.steps),
        judge: judge
      )
      var replays = 0
      #expect(try explorer().confirmed(attempt, &replays) != nil)
    }
  }

  @Test("ThreadTable stores which other effects a step needs")
  func landmarks() throws {
    let lines = [
      #"{"kind":"action","seq":1,"at":0,"origin":"view","action":{"load":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[],"effects":[{"id":"1.0","op":"run"}]}"#,
      #"{"kind":"action","seq":2,"at":0,"origin":"view","action":{"load":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[],"effects":[{"id":"2.0","op":"run"}]}"#,
      #"{"kind":"action","seq":3,"at":0,"origin":{"effect":"1.0"},"action":{"loaded":{"_0":1}}}"#,
      #"{"kind":"change","seq":3,"patch":[]}"#,
      #"{"kind":"effect","id":"2.0","event":"cancelled","by":{"effect":"1.0"},"at":0}"#,
    ]
    let head = Array(SampleLog.lines.prefix(2))
    func table(_ lines: [String]) throws -> ThreadTable {
      ThreadTable(try ThreadedLog(SampleLog.events(head + lines)))
    }
    #expect(try table(lines.dropLast()).landmarks == [])
    #expect(try table(lines).landmarks == [0, 1])
    let byTask = #"{"kind":"effect","id":"2.0","event":"cancelled","by":"task","at":0}"#
    #expect(try table(lines.dropLast() + [byTask]).landmarks == [1])
  }

  @Test("SystematicSearch gives the same result with limited memory for snapshots and steps")
  func memory() throws {
    let log = try Self.log(seed: 3, actions: 9)
    func result(_ memory: InMemoryStateSpace.MemoryLimits) throws -> SearchResult {
      var search = SystematicSearch(
        try Self.world(log, SearchJudge(), memory: memory),
        log,
        seed: 1,
        limits: SearchLimits()
      )
      try search.run()
      return search.result
    }
    let expected = try result(InMemoryStateSpace.MemoryLimits())
    for steps in [0, 1, 20_000, 1 << 20] {
      #expect(
        try result(InMemoryStateSpace.MemoryLimits(steps: steps)) == expected,
        "\(steps) bytes"
      )
      let memory = InMemoryStateSpace.MemoryLimits(steps: steps, snapshots: 0)
      #expect(try result(memory) == expected, "\(steps) bytes, none for snapshots")
    }
  }

  @Test("SystematicSearch ends incomplete when there is no memory for states")
  func full() throws {
    let log = try Self.log(seed: 3, actions: 9)
    let world = try Self.world(
      log,
      SearchJudge(),
      memory: InMemoryStateSpace.MemoryLimits(places: 0)
    )
    var limits = SearchLimits()
    limits.interval = 0
    var search = SystematicSearch(world, log, seed: 1, limits: limits)
    try search.run()
    #expect(search.result.limit == .memory)
    #expect(!search.result.isComplete)
  }

  @Test("a limit of transitions ends SystematicSearch as incomplete")
  func limits() throws {
    let log = try ThreadedLog(SampleLog.events(SampleLog.lines))
    let world = try Self.world(log, SearchJudge())
    var search = SystematicSearch(world, log, seed: 0, limits: SearchLimits(mostTransitions: 20))
    try search.run()
    #expect(search.result.transitions == 20)
    #expect(search.result.limit == .transitions)
    #expect(!search.result.isComplete)
  }
}
