import ActionLog
import Foundation
import ReplayCommands
import ReplayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayEngine

@MainActor @Suite struct AuditTests {
  nonisolated private static let date = Date(timeIntervalSince1970: 1_700_000_000)

  /// Two replays each of the log's own setting, another seed, another time zone, and another locale.
  nonisolated private static func runs(isSeeded: Bool) -> [AuditRun] {
    let own = AuditEnvironment(hashSeed: 1, timeZone: "UTC", locale: "en_US.UTF-8")
    var settings = [own, own, own, own]
    settings[1].hashSeed = 2
    settings[2].timeZone = "Asia/Kathmandu"
    settings[3].locale = "tr_TR.UTF-8"
    return settings.flatMap { [$0, $0] }.enumerated().map { index, setting in
      AuditRun(
        setting: setting,
        log: LogSlice(path: "", name: ""),
        end: .waiting,
        last: 0,
        start: Double(index),
        isSeeded: isSeeded
      )
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let values: [JSON?]
    let reasons: [UnstablePath.DifferenceReason]
    var unseeded: [UnstablePath.DifferenceReason]?
  }

  nonisolated private static let cases: [Case] = [
    Case(
      testDescription: "another order with another seed",
      values: ["ab", "ab", "ba", "ba", "ab", "ab", "ab", "ab"],
      reasons: [.unorderedCollection]
    ),
    Case(
      testDescription: "another zone",
      values: [1, 1, 1, 1, 2, 2, 1, 1],
      reasons: [.timeZone]
    ),
    Case(
      testDescription: "another zone and another locale",
      values: [1, 1, 1, 1, 2, 2, 3, 3],
      reasons: [.timeZone, .locale]
    ),
    Case(
      testDescription: "nothing there with another locale",
      values: [1, 1, 1, 1, 1, 1, nil, nil],
      reasons: [.locale]
    ),
    Case(
      testDescription: "numbers of no order",
      values: [5, 3, 9, 1, 7, 7, 2, 8],
      reasons: [.random],
      unseeded: [.unorderedCollection, .random]
    ),
    Case(
      testDescription: "the same elements in any order",
      values: [[1, 2], [2, 1], [1, 2], [2, 1], [2, 1], [1, 2], [1, 2], [1, 2]],
      reasons: [.random],
      unseeded: [.unorderedCollection]
    ),
    Case(
      testDescription: "numbers that grow",
      values: [5, 6, 7, 8, 11, 12, 13, 15],
      reasons: [.clock]
    ),
    Case(
      testDescription: "seconds since 1970",
      values: [
        1_700_000_001, 1_700_000_001, 1_700_000_000, 1_700_000_003, 1_700_000_002, 1_700_000_002,
        1_700_000_001, 1_700_000_009,
      ],
      reasons: [.clock]
    ),
    Case(
      testDescription: "dates as text",
      values: ["2023-11-14", "2023-11-15", "2023-11-14"] + Array(repeating: "2023-11-14", count: 5),
      reasons: [.clock]
    ),
  ]

  @Test(arguments: cases)
  nonisolated func `audit explains an unstable value by the settings of the replays that differ`(
    _ test: Case
  ) {
    let seeded = DifferenceReasonFinder(runs: Self.runs(isSeeded: true), date: Self.date)
    #expect(seeded.reasons(for: test.values) == test.reasons)
    let unseeded = DifferenceReasonFinder(runs: Self.runs(isSeeded: false), date: Self.date)
    #expect(unseeded.reasons(for: test.values) == test.unseeded ?? test.reasons)
  }

  /// 22:13:20 in Greenwich, 3:58 in Kathmandu on the next day.
  nonisolated static let times: [(text: JSON, isNow: Bool)] = [
    ("2023-11-14", true), ("saved on 2023/11/15", true), ("20231114-221320", true),
    ("14.11.2023", true), ("11/14/23", true), ("14-11-2023", true),
    ("Nov 14, 2023 at 10:13 PM", true), ("Tuesday, 14 November 2023", true),
    ("2023-11-14T22:13:20Z", true), ("22:13:20", true), ("at 10:14 PM", true), ("03:58", true),
    ("draft-1700000000", true), ("1700000000123.jpg", true), (1_700_000_000, true),
    ("2021-11-14", false), ("14.11.2021 22:13", false), ("12:00:00", false), ("1.2.3", false),
    ("draft-1234567890", false), ("20", false), ("", false), (20, false), (true, false),
  ]

  @Test(arguments: times.indices)
  nonisolated func `audit recognizes the current date in a text`(
    _ index: Int
  ) {
    let (value, isNow) = Self.times[index]
    let finder = DifferenceReasonFinder(runs: Self.runs(isSeeded: true), date: Self.date)
    #expect(finder.isNow(value) == isNow, "\(value)")
  }

  /// Counts the replays that have begun.
  private final class Replays: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
  }

  /// The replays in which the counter counts by two, in addition to the first ones of the second setting, and the
  /// reported reasons.
  nonisolated static let chances: [(later: Set<Int>, reasons: [UnstablePath.DifferenceReason])] = [
    // The replays of the second setting.
    ([6, 8, 10, 12], [.unorderedCollection]),
    // One replay of the first setting, too. The host draws its own seeds.
    ([5, 6, 8, 10, 12], [.unorderedCollection, .random]),
    ([6, 10, 12], [.unorderedCollection, .random]),
  ]

  @Test(arguments: chances.indices)
  func `audit runs more replays to check a reason that might be a coincidence`(
    _ index: Int
  ) async throws {
    let (later, reasons) = Self.chances[index]
    let folder = try TemporaryFolder()
    try folder.write(SampleLog.text, to: "a.jsonl")
    let replays = Replays()
    let audit = Audit(
      log: LogSlice(path: "\(folder.path)/a.jsonl", name: "a.jsonl"),
      runs: 4,
      seed: 5,
      makeReplayStarter: {
        { log, _ in
          let doubles = ([2, 4] as Set).union(later).contains(replays.next())
          return InProcessReplay(
            ReplaySession(events: try log.events()) { _ in
              CounterEngine(doubles ? .countsByTwo : .none)
            }
          )
        }
      }
    )
    let result = try await audit.run()
    #expect(result.runs.count == 4)
    #expect(result.places.first?.reasons == reasons)
    #expect(replays.next() == 13)
  }

  @Test func `audit uses each setting twice, and two settings differ in one factor`() throws {
    var header = LogEvent.Header(
      id: "",
      feature: "",
      stateType: "",
      startedAt: "",
      recorder: ""
    )
    header.environment = ["timeZone": "Europe/Rome", "locale": "it_IT"]
    let plan = AuditEnvironment.plan(runs: 17, seed: 3, header: header)
    #expect(plan == AuditEnvironment.plan(runs: 17, seed: 3, header: header))
    #expect(plan != AuditEnvironment.plan(runs: 17, seed: 4, header: header))
    let own = try #require(plan.first)
    #expect(own.timeZone == "Europe/Rome")
    #expect(own.locale == "it_IT.UTF-8")
    #expect(plan.dropFirst(9).elementsEqual(plan.prefix(8)))
    let factors = plan.map { $0.factors(differingFrom: own) }
    #expect(
      factors == [
        [], [.hashSeed], [.timeZone], [.locale], [.hashSeed], [.hashSeed], [.hashSeed],
        [.timeZone], [.locale], [], [.hashSeed], [.timeZone], [.locale], [.hashSeed], [.hashSeed],
        [.hashSeed], [.timeZone],
      ]
    )
  }

  @Test func `audit replays a log in other settings than those that its header states`() throws {
    var header = LogEvent.Header(id: "", feature: "", stateType: "", startedAt: "", recorder: "")
    let shown = AuditEnvironment(hashSeed: 2, timeZone: "Pacific/Kiritimati", locale: "tr_TR.UTF-8")
    header.environment = shown.applied(to: ["os": "Linux"])
    #expect(
      header.environment == [
        "os": "Linux", "hashSeed": 2, "timeZone": "Pacific/Kiritimati", "locale": "tr_TR",
      ]
    )
    let plan = AuditEnvironment.plan(runs: 8, seed: 3, header: header)
    let (zone, locale) = ("Pacific/Pago_Pago", "ar_EG.UTF-8")
    #expect(
      plan.prefix(4) == [
        shown,
        // The seed of all other replays.
        AuditEnvironment(hashSeed: 0, timeZone: shown.timeZone, locale: shown.locale),
        AuditEnvironment(hashSeed: 2, timeZone: zone, locale: shown.locale),
        AuditEnvironment(hashSeed: 2, timeZone: shown.timeZone, locale: locale),
      ]
    )
  }

  @Test func `in a search for unstable values, each setting changes one factor of the environment`()
  {
    let settings = AuditEnvironment.variations(of: ["LANG": "tr_TR.UTF-8"])
    #expect(
      settings.map(\.environment) == [
        [:], ["TCA_REPLAY_HASH_SEED": "1"], ["TCA_REPLAY_HASH_SEED": "2"],
        ["TCA_REPLAY_HASH_SEED": "3"], ["TZ": "Pacific/Kiritimati"], ["TZ": "Pacific/Pago_Pago"],
        ["LANG": "ar_EG.UTF-8", "LC_ALL": "ar_EG.UTF-8"],
      ]
    )
    let own = AuditEnvironment.variations(of: [:])
    #expect(own.last?.locale == "tr_TR.UTF-8")
    let factors = own.dropFirst().map { $0.factors(differingFrom: own[0]) }
    #expect(
      factors == [[.hashSeed], [.hashSeed], [.hashSeed], [.timeZone], [.timeZone], [.locale]]
    )
  }

  @Test func `audit reports no unstable value for a log that replays the same in every setting`()
    async throws
  {
    let terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    let result = try await terminal.run("audit", "a.jsonl", "--runs", "4", "--seed", "5")
    #expect(
      result
        == Terminal.Result(
          status: 0,
          output: """
            a.jsonl: stable, the same in 4 replays and as recorded; --seed 5 repeats the audit
            The host takes no seed for the order of its sets and dictionaries, so this order is left to chance and cannot be repeated.

            """
        )
    )
  }

  @Test func `audit reports that all replays differ from the log`() async throws {
    let terminal = try Terminal()
    terminal.change = .countsByTwo
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    let result = try await terminal.run("audit", "a.jsonl", "--runs", "2", "--seed", "5")
    #expect(result.status == 1)
    #expect(
      result.output == """
        a.jsonl: the same in 2 replays, but not as recorded; --seed 5 repeats the audit
        The host takes no seed for the order of its sets and dictionaries, so this order is left to chance and cannot be repeated.

          all replays differ from the log, first at action 1
          state
            count
              − 1
              + 2
          likely reasons: the code has changed since, or it depends on something that stays the same during the audit, such as today's date, a file or the machine

        """
    )
  }

  @Test func `audit refuses to run with a single replay`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    let result = try await terminal.run("audit", "a.jsonl", "--runs", "1")
    #expect(
      result
        == Terminal.Result(
          status: 64,
          output: "",
          error: """
            tca-replay: invalid value '1' for '--runs'; expected a whole number from 2 to 10000
            see 'tca-replay audit --help'

            """
        )
    )
  }
}
