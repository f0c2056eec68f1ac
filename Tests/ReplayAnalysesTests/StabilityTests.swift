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

/// Replays in several settings, in in-memory hosts whose code depends on their environment.
@Suite("Stability") struct StabilityTests {
  private static let entry = FeatureEntry(name: "Counter", stateType: "CounterState") {
    CounterEngine()
  }

  /// The progress of a test.
  private final class Progress: Sendable {
    private let pauses = Mutex(0)
    var hasPaused: Bool { pauses.withLock { $0 > 0 } }
    func pause() { pauses.withLock { $0 += 1 } }
  }

  private static func fuzzer(
    _ folder: TemporaryFolder,
    _ progress: Progress = Progress(),
    strategy: FuzzStrategy = .guided,
    failing: @escaping @Sendable (ReplayOptions) throws -> Void = { _ in },
    change: @escaping @Sendable ([String: String]) -> CounterEngine.Change
  ) throws -> Fuzzer {
    try folder.write(SampleLog.text, to: "log.jsonl")
    var fuzzer = Fuzzer(
      logs: [LogSlice(path: "\(folder.path)/log.jsonl", name: "log.jsonl")],
      judge: SearchJudge([], countsFaults: true),
      makeHost: InProcessSearchHost.maker([entry]),
      hosts: HostPool {
        { log, options in
          try failing(options)
          return InProcessReplay(
            ReplaySession(
              isPruning: options.isPruning,
              keepsStandIns: options.keepsStandIns,
              events: try log.events()
            ) { _ in CounterEngine(change(options.environment)) }
          )
        }
      },
      options: ReplayOptions(),
      strategy: strategy,
      seed: 1,
      runs: 40
    )
    fuzzer.stability.pause = { progress.pause() }
    return fuzzer
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The variable, and the value that changes the behavior of the code.
    let variable: String
    let value: String
    let change: CounterEngine.Change
    let texts: [String]
  }

  private static let cases = [
    Case(
      testDescription: "nothing differs",
      variable: "PATH",
      value: "/",
      change: .countsByTwo,
      texts: []
    ),
    Case(
      testDescription: "one of the seeds",
      variable: "TCA_REPLAY_HASH_SEED",
      value: "2",
      change: .countsByTwo,
      texts: ["count is not deterministic (unordered collection), action .increment"]
    ),
    Case(
      testDescription: "a zone",
      variable: "TZ",
      value: "Pacific/Pago_Pago",
      change: .countsByTwo,
      texts: ["count is not deterministic (time zone), action .increment"]
    ),
    Case(
      testDescription: "a locale",
      variable: "LANG",
      value: "tr_TR.UTF-8",
      change: .countsByTwo,
      texts: ["count is not deterministic (locale), action .increment"]
    ),
    Case(
      testDescription: "the effects of an action",
      variable: "TZ",
      value: "Pacific/Kiritimati",
      change: .renamesEffect,
      texts: ["effect 0/name is not deterministic (time zone), action .load"]
    ),
    Case(
      testDescription: "what an action asks for",
      variable: "TZ",
      value: "Pacific/Kiritimati",
      change: .readsNothing,
      texts: ["reads uuid is not deterministic (time zone), action .add"]
    ),
  ]

  @Test(arguments: cases, [FuzzStrategy.guided, .random])
  func `Fuzzer finds values that differ between two settings, and gives the setting as the reason`(
    test: Case,
    strategy: FuzzStrategy
  ) throws {
    let folder = try TemporaryFolder()
    let result = try Self.fuzzer(folder, strategy: strategy) { environment in
      environment[test.variable] == test.value ? test.change : .none
    }
    .run()
    #expect(result.findings.map(\.symptom.text) == test.texts)
    #expect(result.findings.allSatisfy { $0.actions.now == 1 && $0.shortfall == nil })
    #expect((1...Fuzzer.mostReplayed).contains(result.stability.sequences))
    #expect(result.stability.shortfall == nil)
    // The log is the replay of the different setting.
    guard test.change == .countsByTwo, let finding = result.findings.first else { return }
    guard case .change(let change)? = finding.events.first(where: { $0.isChange }) else {
      Issue.record("\(finding.events)")
      return
    }
    #expect(change.patch.operations == [.replace(JSON.Pointer(["count"]), 2)])
  }

  /// Conditions that prevent the replays.
  enum Obstacle: CaseIterable, Sendable {
    case noTime, time, interruption, failure
  }

  @Test(
    "Fuzzer keeps its findings if it cannot check stability, and reports the missing checks",
    arguments: Obstacle.allCases
  )
  func unfinished(obstacle: Obstacle) throws {
    let folder = try TemporaryFolder()
    let progress = Progress()
    var fuzzer = try Self.fuzzer(
      folder,
      progress,
      failing: { options in
        // The first replay for minimizing stores the stand-ins for reads.
        guard progress.hasPaused, options.keepsStandIns else { return }
        if obstacle == .interruption { throw Interrupted(signal: 2) }
        if obstacle == .failure { throw HostFailure.exited(3, at: 1) }
      },
      change: { $0["TZ"] == nil ? .none : .countsByTwo }
    )
    fuzzer.stability.isTimeUp = {
      obstacle == .noTime || obstacle == .time && progress.hasPaused
    }
    let result = try fuzzer.run()
    let report = FuzzReport(feature: "Counter", logs: ["a"], seed: 1, result: result, files: [])
    let last = report.text(Style(hasColor: false)).split(separator: "\n").last
    let values = "alues that differ from replay to replay"
    switch obstacle {
    case .noTime, .time:
      #expect(
        last
          == "V\(values) were not looked for, because the time was up."
      )
      #expect(result.findings.isEmpty)
      #expect(result.stability.shortfall == .time)
    case .interruption:
      #expect(last == "The search for v\(values) was not finished, because of the interruption.")
      #expect(result.findings.map(\.shortfall) == [.interruption])
      #expect(result.interruption == 2)
    case .failure:
      #expect(last == "The search for v\(values) was not finished, because the host failed.")
      #expect(result.findings.map(\.shortfall) == [.failure])
      #expect(result.failure is HostFailure)
    }
    #expect(report.json["stability"]?["endedBy"]?.string == result.stability.shortfall?.rawValue)
  }

  @Test(
    "ActionCaseSample chooses the largest sample of each case, except the beginning of another sample"
  )
  func samples() {
    func sequence(_ actions: String...) -> FuzzSequence {
      FuzzSequence(steps: actions.map { .user([$0: [:]]) }, origin: .madeBefore(1), transitions: 1)
    }
    let (a, ab, c, cd) = (sequence("a"), sequence("a", "b"), sequence("c"), sequence("c", "d"))
    let samples = [(1, 1, a), (1, 2, c), (2, 1, ab)]
      .map { cases, size, sequence in
        ActionCaseSample(
          measure: LargestSampledInputs.InputSize(cases: cases, size: size),
          sequence: sequence
        )
      }
    #expect(ActionCaseSample.chosen(samples, [], atMost: 9) == [c, ab])
    #expect(ActionCaseSample.chosen(samples, [cd], atMost: 9) == [ab, cd])
    #expect(ActionCaseSample.chosen(samples, [cd], atMost: 1) == [c])
    #expect(ActionCaseSample.chosen([], [], atMost: 9) == [])
  }
}

extension LogEvent {
  fileprivate var isChange: Bool { if case .change = self { true } else { false } }
}
