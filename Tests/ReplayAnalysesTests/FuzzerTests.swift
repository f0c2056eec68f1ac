import ActionLog
import LogTools
import ReplayCommands
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayEngine
@testable import ReplayHosts

/// New sequences out of a log of a small feature, in the memory of the test.
@Suite("Fuzzer") struct FuzzerTests {
  private static let entry = FeatureEntry(name: "Counter", stateType: "CounterState") {
    CounterEngine()
  }

  private static let hosts = HostPool {
    { log, options in
      InProcessReplay(
        ReplaySession(
          isPruning: options.isPruning,
          keepsStandIns: options.keepsStandIns,
          events: try log.events()
        ) { _ in CounterEngine() }
      )
    }
  }

  private static func fuzzer(
    _ folder: TemporaryFolder,
    _ expression: String,
    seed: UInt64 = 1,
    jobs: Int = 1
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
      runs: 1200,
      jobs: jobs
    )
  }

  @Test(
    "what no log shows is found, minimized and told once",
    arguments: 1...4 as ClosedRange<UInt64>
  )
  func findings(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let result = try Self.fuzzer(folder, "$.state.count < 12", seed: seed).run()
    #expect(result.runs == 1200)
    let violated = result.findings.filter { $0.symptom.kind == "violated" }
    #expect(violated.map(\.symptom.text) == ["violates invariant 'low'"])
    let finding = try #require(violated.first)
    #expect(finding.actions.now <= finding.actions.found)
    var rest = finding.events[...]
    var contexts = ActionContexts { rest.popFirst() }
    var counts: [Int] = []
    while let context = try contexts.next() {
      if let count = context.state["count"]?.int { counts.append(count) }
    }
    #expect((counts.last ?? 0) >= 12, "seed \(seed): \(counts)")
    #expect(counts.dropLast().allSatisfy { $0 < 12 }, "seed \(seed): \(counts)")
  }

  @Test("the same seed finds the same, however many hosts there are")
  func repeats() throws {
    let folder = try TemporaryFolder()
    let results = try [1, 3].map {
      try Self.fuzzer(folder, "$.state.count < 12", seed: 5, jobs: $0).run()
    }
    let logs = results.map { $0.findings.map { $0.events.map(\.line) } }
    #expect(logs[0] == logs[1])
    #expect(results[0].transitions == results[1].transitions)
    #expect(results[0].covered == results[1].covered)
  }

  @Test("more is covered than the log covers")
  func coverage() throws {
    let folder = try TemporaryFolder()
    let result = try Self.fuzzer(folder, "$.seq >= 0").run()
    #expect(result.covered > result.seeded)
    #expect(result.findings.isEmpty)
  }

  private static func shape(_ text: String) throws -> StateShape {
    StateShape(of: JSONText(try JSON(parsing: text)))
  }

  @Test("a shape says nothing of values, but of their size and number")
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

  @Test("an action for something that is there is told from one for something that is not")
  func relations() throws {
    let shape = try Self.shape(#"{"rows":[{"id":10,"name":"a"}]}"#)
    func relation(_ action: String) throws -> UInt64 {
      shape.relation(to: JSONText(try JSON(parsing: action)))
    }
    #expect(try relation(#"{"removed":{"_0":10}}"#) == relation(#"{"starred":{"_0":10}}"#))
    #expect(try relation(#"{"removed":{"_0":10}}"#) != relation(#"{"removed":{"_0":1}}"#))
    #expect(try relation(#"{"named":{"_0":"a"}}"#) != relation(#"{"named":{"_0":"b"}}"#))
  }
}
