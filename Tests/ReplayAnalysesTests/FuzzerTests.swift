import ActionLog
import LogTools
import ReplayCommands
import ReplayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayEngine
@testable import ReplayHosts

/// New sequences from a log of a small feature, in the memory of the test.
@Suite("Fuzzer") struct FuzzerTests {
  private static let entry = FeatureEntry(name: "Counter", stateType: "CounterState") {
    CounterEngine()
  }

  private static let hosts = HostPool { { log, options in try replay(log, options) } }

  private static func replay(
    _ log: LogSlice,
    _ options: ReplayOptions
  ) throws -> any ReplayEventSource {
    InProcessReplay(
      ReplaySession(
        isPruning: options.isPruning,
        keepsStandIns: options.keepsStandIns,
        events: try log.events()
      ) { _ in CounterEngine() }
    )
  }

  private static func fuzzer(
    _ folder: TemporaryFolder,
    _ expression: String,
    seed: UInt64 = 1,
    runs: Int = 150,
    jobs: Int = 1,
    entry: FeatureEntry = entry
  ) throws -> Fuzzer {
    try folder.write(SampleLog.text, to: "log.jsonl")
    let rule = SearchJudge.Rule(
      name: "low",
      condition: Condition(try JSONPath.Expression(parsing: expression))
    )
    return Fuzzer(
      logs: [LogSlice(path: "\(folder.path)/log.jsonl", name: "log.jsonl")],
      judge: SearchJudge([rule], countsFaults: true),
      makeHost: InProcessSearchHost.maker([entry]),
      hosts: hosts,
      options: ReplayOptions(),
      seed: seed,
      runs: runs,
      jobs: jobs
    )
  }

  /// The number of sequences of three batches.
  private static let ofThreeBatches = 2 * Fuzzer.batch + 50

  /// The result of a search in one host.
  private static let found = Result { try search(runs: ofThreeBatches) }

  private static func search(runs: Int, seed: UInt64 = 1) throws -> Fuzzer.Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try fuzzer(folder, "$.state.count < 12", seed: seed, runs: runs).run()
  }

  @Test(
    "Fuzzer finds, minimizes and reports once a violation that no log shows",
    arguments: Thoroughness.seeds(1, thorough: 8)
  )
  func findings(seed: UInt64) throws {
    let result =
      seed == 1 ? try Self.found.get() : try Self.search(runs: Self.ofThreeBatches, seed: seed)
    #expect(result.runs == Self.ofThreeBatches)
    let violated = result.findings.filter { $0.symptom.kind == "violated" }
    #expect(violated.map(\.symptom.text) == ["violates invariant 'low'"])
    let finding = try #require(violated.first)
    #expect(finding.actions.now <= finding.actions.found)
    var rest = finding.events[...]
    var contexts = ConditionContextReader { rest.popFirst() }
    var counts: [Int] = []
    while let context = try contexts.next() {
      if let count = context.state["count"]?.int { counts.append(count) }
    }
    #expect((counts.last ?? 0) >= 12, "seed \(seed): \(counts)")
    #expect(counts.dropLast().allSatisfy { $0 < 12 }, "seed \(seed): \(counts)")
  }

  @Test("Fuzzer finds the same for the same seed with any number of hosts")
  func repeats() throws {
    let folder = try TemporaryFolder()
    let other = try Self.fuzzer(folder, "$.state.count < 12", runs: Self.ofThreeBatches, jobs: 3)
    let results = [try Self.found.get(), try other.run()]
    let logs = results.map { $0.findings.map { $0.events.map(\.line) } }
    #expect(logs[0] == logs[1] && !logs[0].isEmpty)
    #expect(results[0].transitions == results[1].transitions)
    #expect(results[0].covered == results[1].covered)
  }

  @Test("Fuzzer covers more transitions than the logs with which it starts")
  func coverage() throws {
    let folder = try TemporaryFolder()
    let result = try Self.fuzzer(folder, "$.seq >= 0").run()
    #expect(result.covered > result.seeded)
    #expect(result.findings.isEmpty)
  }

  // MARK: - States that can't be restored

  /// A counter whose copies share their state, and which therefore has no snapshots from a given count on.
  private struct SharingEngine: FeatureEngine {
    private final class Box {
      var engine = CounterEngine()
    }

    private let box = Box()
    let obstacle: SnapshotObstacle
    let first: Int

    func load(
      _ checkpoint: LogEvent.Checkpoint,
      header: LogEvent.Header
    ) throws -> LoadedState { try box.engine.load(checkpoint, header: header) }

    func step(_ input: StepInput) throws -> StepOutcome { try box.engine.step(input) }

    var loggedState: JSONText { box.engine.loggedState }

    var snapshotObstacle: SnapshotObstacle? {
      (loggedState.json["count"]?.int ?? 0) >= first ? obstacle : nil
    }
  }

  nonisolated static let obstacles: [(SnapshotObstacle, from: Int, text: String)] = [
    (
      .object(type: "Box"), 0,
      "Runs went back to a state by starting over, which takes longer: the state holds Box, which a copy of the state shares."
    ),
    (
      .object(type: "Box"), 7,
      "Runs went back to a state by starting over, which takes longer: the state holds Box, which a copy of the state shares."
    ),
    (
      .notSupported, 0,
      "Runs went back to a state by starting over, which takes longer: the host's engine takes no snapshots."
    ),
  ]

  /// The result of a search whose states have snapshots.
  private static let restored = Result { try search(runs: 150) }

  @Test(
    "Fuzzer starts over if a state of the log can't be restored, finds the same as with snapshots, and says so",
    arguments: obstacles
  )
  func startsOver(_ obstacle: SnapshotObstacle, from first: Int, text: String) throws {
    let folder = try TemporaryFolder()
    let entry = FeatureEntry(name: "Counter", stateType: "CounterState") {
      SharingEngine(obstacle: obstacle, first: first)
    }
    let restored = try Self.restored.get()
    let result = try Self.fuzzer(folder, "$.state.count < 12", entry: entry).run()
    #expect(restored.obstacle == nil)
    #expect(!restored.findings.isEmpty)
    #expect(result.obstacle == obstacle)
    #expect(result.runs == restored.runs)
    #expect(result.transitions == restored.transitions)
    #expect(result.covered == restored.covered)
    #expect(result.unconfirmed == restored.unconfirmed)
    #expect(
      result.findings.map { $0.events.map(\.line) }
        == restored.findings.map { $0.events.map(\.line) }
    )
    let report = FuzzReport(feature: "Counter", logs: ["a"], seed: 1, result: result, files: [])
    let unwrapped = report.text(Style(hasColor: false)).split(separator: "\n\n").first ?? ""
    #expect(unwrapped.replacing("\n", with: " ").contains(text))
    let type: JSON? = if case .object(let type) = obstacle { .string(type) } else { nil }
    #expect(report.json["startedOver"]?["type"] == type)
    #expect(report.json["startedOver"] != nil)
  }

  /// Returns the effects that the material has for the actions of a log.
  private static func effects(
    library: String?,
    _ lines: [(action: String, effects: String)]
  ) throws -> [String: [String]] {
    let environment = library.map { #"{"library":"\#($0)"}"# } ?? "{}"
    var text = [
      #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"F","stateType":"S","environment":\#(environment)}"#,
      #"{"kind":"checkpoint","seq":0,"state":{},"effects":[]}"#,
    ]
    for (index, line) in lines.enumerated() {
      let seq = index + 1
      text += [
        #"{"kind":"action","seq":\#(seq),"at":\#(seq),"origin":"view","action":{"\#(line.action)":{}}}"#,
        #"{"kind":"change","seq":\#(seq),"patch":[],"effects":\#(line.effects.replacing("N", with: "\(seq)"))}"#,
      ]
    }
    var events = try text.map { try LogEvent(json: JSON(parsing: $0)) }[...]
    var material = FuzzSeedCorpus()
    try material.add { events.popFirst() }
    var result: [String: [String]] = [:]
    for (action, effects) in material.effects {
      result[action.caseNames.joined(separator: ".")] = effects.map {
        $0.action?.caseNames.joined(separator: ".") ?? $0.name ?? ""
      }
    }
    return result
  }

  @Test(
    "an action keeps the recorded actions of .send if the library hides them and they are always the same"
  )
  func recordedSends() throws {
    let lines = [
      ("raised", #"[{"id":"N.0","op":"send","action":{"checked":{}}}]"#),
      ("loaded", #"[{"id":"N.0","op":"run","name":"(publisher)"}]"#),
      ("varied", #"[{"id":"N.0","op":"send","action":{"one":{}}}]"#),
      ("raised", #"[{"id":"N.0","op":"send","action":{"checked":{}}}]"#),
      ("varied", #"[{"id":"N.0","op":"send","action":{"two":{}}}]"#),
      ("varied", #"[{"id":"N.0","op":"send","action":{"one":{}}}]"#),
    ]
    #expect(try Self.effects(library: nil, lines) == [:])
    #expect(
      try Self.effects(library: "ComposableArchitecture", lines)
        == ["raised": ["checked"], "loaded": ["(publisher)"], "varied": []]
    )
  }

  // MARK: - What ends a search early

  /// A host whose first searches end differently once they have found an issue.
  private final class EndingHost: SearchHost {
    enum Way: Sendable {
      case interrupted
      /// It stops answering, in the second step of the log or between two steps.
      case silent(withinStep: Bool)
    }

    private let host = InProcessSearchHost([FuzzerTests.entry])
    private let way: Way
    private let searches: Searches
    private(set) var openSteps: [Int]?

    init(_ way: Way, _ searches: Searches) {
      self.way = way
      self.searches = searches
    }

    func search(_ request: JSON, _ report: (JSON) -> Bool) throws -> SearchEnding? {
      guard searches.next() == 1 else { return try host.search(request, report) }
      var isOver = false
      _ = try host.search(request) { json in
        guard !isOver else { return false }
        isOver = json["findings"]?.array?.isEmpty == false
        return report(json)
      }
      switch way {
      case .interrupted: throw Interrupted(signal: 2)
      case .silent(let withinStep):
        openSteps = withinStep ? [-1, 1] : nil
        throw HostFailure.timedOut(8, at: 0)
      }
    }
  }

  private final class Searches: Sendable {
    let count = Mutex(0)
    func next() -> Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
  }

  private static func fuzzer(_ folder: TemporaryFolder, _ way: EndingHost.Way) throws -> Fuzzer {
    let searches = Searches()
    let whole = try fuzzer(folder, "$.state.count < 12")
    return Fuzzer(
      logs: whole.logs,
      judge: whole.judge,
      makeHost: { _ in EndingHost(way, searches) },
      hosts: hosts,
      options: ReplayOptions(),
      seed: 1,
      runs: 150
    )
  }

  @Test("an interrupted Fuzzer returns its findings and the number of sequences")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    let result = try Self.fuzzer(folder, .interrupted).run()
    #expect(result.interruption == 2)
    #expect(result.findings.map(\.symptom.text) == ["violates invariant 'low'"])
    #expect((0..<Fuzzer.batch).contains(result.runs), "\(result.runs)")
    #expect(result.failure == nil)
  }

  @Test("Fuzzer returns its findings when a host stops answering")
  func silent() throws {
    let folder = try TemporaryFolder()
    let result = try Self.fuzzer(folder, .silent(withinStep: false)).run()
    #expect(result.findings.map(\.symptom.text) == ["violates invariant 'low'"])
    let failure = try #require(result.failure as? Fuzzer.FuzzingObstacle)
    #expect(failure == .silent(8, action: nil))
    #expect(
      CannotFuzz(failure: failure).description
        == "the host did not answer for 8 s while it searched and was killed; --timeout SECONDS gives it more time"
    )
    #expect(CannotFuzz(failure: failure).status == .hostFailed)
  }

  @Test("Fuzzer reports no finding if a host is stopped in the middle of an action")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let result = try Self.fuzzer(folder, .silent(withinStep: true)).run()
    #expect(result.findings.map(\.symptom.kind).filter { $0 != "violated" }.isEmpty)
    guard case .silent(_, action: .some) = result.failure as? Fuzzer.FuzzingObstacle else {
      Issue.record("\(String(describing: result.failure))")
      return
    }
  }

  @Test("Fuzzer reports a reducer that does not return as a finding")
  func hangs() throws {
    let folder = try TemporaryFolder()
    let (searches, replays) = (Searches(), Searches())
    let whole = try Self.fuzzer(folder, "$.seq >= 0")
    let fuzzer = Fuzzer(
      logs: whole.logs,
      judge: whole.judge,
      makeHost: { _ in EndingHost(.silent(withinStep: true), searches) },
      hosts: HostPool {
        { log, options in
          // The first replay is that of the step.
          if replays.next() == 1 { throw HostFailure.timedOut(options.timeout, at: 1) }
          return try Self.replay(log, options)
        }
      },
      options: ReplayOptions(),
      seed: 1,
      runs: 40
    )
    let result = try fuzzer.run()
    let finding = try #require(result.findings.first)
    #expect(finding.symptom.kind == "hangs")
    #expect(finding.symptom.text.hasPrefix("does not return within "), "\(finding.symptom.text)")
    #expect(finding.shortfall == .hang)
    #expect(result.runs == 40)
    #expect(result.failure == nil)
  }

  @Test(
    "the time limit ends Fuzzer between two sequences and lists findings that are not minimized"
  )
  func timeUp() throws {
    let folder = try TemporaryFolder()
    var fuzzer = try Self.fuzzer(folder, "$.state.count < 12")
    // The count rises with each result that has a run and a finding.
    let found = Searches()
    fuzzer.progress = { runs, findings in if runs > 0, findings > 0 { _ = found.next() } }
    fuzzer.isTimeUp = { found.count.withLock { $0 > 0 } }
    fuzzer.makeMinimizingLimit = { { true } }
    let result = try fuzzer.run()
    #expect(result.isTimeUp)
    #expect((1..<Fuzzer.batch).contains(result.runs), "\(result.runs)")
    #expect(result.findings.map(\.shortfall) == [.time])
    let report = FuzzReport(feature: "Counter", logs: ["a"], seed: 1, result: result, files: [])
    #expect(
      report.text(Style(hasColor: false)).contains(
        "; fewer may do, but the time for minimizing was up\n"
      )
    )
    #expect(report.json["findings"]?.array?.first?["isMinimal"] == .bool(false))
    #expect(report.json["endedBy"] == "budget")
  }

  /// A host that stores its requests and does nothing.
  private final class Listener: SearchHost {
    private let seeds: Seeds
    init(_ seeds: Seeds) { self.seeds = seeds }

    func search(_ request: JSON, _ report: (JSON) -> Bool) throws -> SearchEnding? {
      if let request = FuzzRequest(request) { seeds.values.withLock { $0.append(request.seed) } }
      var answer = FuzzResponse()
      answer.runs = Fuzzer.batch
      answer.transitions = 1
      return .answered(answer.json)
    }
  }

  private final class Seeds: Sendable { let values = Mutex<[UInt64]>([]) }

  @Test("Fuzzer draws different random numbers for each batch and seed")
  func seeds() throws {
    let folder = try TemporaryFolder()
    let seeds = Seeds()
    for seed in 0..<8 as Range<UInt64> {
      let whole = try Self.fuzzer(folder, "$.seq >= 0", seed: seed)
      let fuzzer = Fuzzer(
        logs: whole.logs,
        judge: whole.judge,
        makeHost: { _ in Listener(seeds) },
        hosts: Self.hosts,
        options: ReplayOptions(),
        seed: seed,
        runs: 4000
      )
      #expect(try fuzzer.run().runs == 4000)
    }
    let drawn = seeds.values.withLock { $0 }
      .flatMap { seed in
        var random = SeededGenerator(seed: seed)
        return (0..<200).map { _ in random.next() }
      }
    #expect(drawn.count == 8 * 8 * 200)
    #expect(Set(drawn).count == drawn.count)
  }

  private static func shape(_ text: String) throws -> StateShape {
    StateShape(of: JSONText(try JSON(parsing: text)))
  }

  @Test("the shape of a state depends on the number and size of values, but not on the values")
  func shapes() throws {
    let shape = try Self.shape(#"{"rows":[{"id":10,"name":"a"}],"sum":10}"#)
    let same = try Self.shape(#"{"rows":[{"id":11,"name":"b"}],"sum":9}"#)
    #expect(shape.hash == same.hash)
    let others = [
      #"{"rows":[],"sum":10}"#, #"{"rows":[{"id":10,"name":""}],"sum":10}"#,
      #"{"rows":[{"id":10,"name":"a"}],"sum":-10}"#, #"{"rows":[{"id":10,"name":"a"}],"sum":null}"#,
      #"{"rows":[{"id":10,"name":"a"},{"id":12,"name":"b"}],"sum":10}"#,
    ]
    let hashes = try others.map { try Self.shape($0).hash } + [shape.hash]
    #expect(Set(hashes).count == hashes.count)
  }

  @Test(
    "a shape distinguishes an action that names an existing value from one that names an absent value"
  )
  func relations() throws {
    let shape = try Self.shape(#"{"rows":[{"id":10,"name":"a"}]}"#)
    func relation(_ action: String) throws -> UInt64 {
      shape.relation(to: try Self.shape(action))
    }
    #expect(try relation(#"{"removed":{"_0":10}}"#) == relation(#"{"starred":{"_0":10}}"#))
    #expect(try relation(#"{"removed":{"_0":10}}"#) != relation(#"{"removed":{"_0":1}}"#))
    // The same number at another path has another shape.
    let other = try Self.shape(#"{"rows":[],"sum":10}"#)
    let ten = try Self.shape(#"{"removed":{"_0":10}}"#)
    #expect(other.relation(to: ten) != shape.relation(to: ten))
    #expect(try relation(#"{"named":{"_0":"a"}}"#) != relation(#"{"named":{"_0":"b"}}"#))
  }
}
