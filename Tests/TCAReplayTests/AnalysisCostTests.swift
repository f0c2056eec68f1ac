import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayTestSupport
import SampleFeatures
import TCAReplay
import Testing

@testable import ReplayAnalyses
@testable import ReplayEngine
@testable import ReplayHosts
@testable import TCAReplaying

/// The costs of the analyses on a sample feature with a race, compared with simple methods.
///
/// The article cites the output.
@Suite struct AnalysisCostTests {
  private static let invariant = "$.state.savedRevision >= $.before.savedRevision"
  private static let broken = "$.state.savedRevision < $.before.savedRevision"

  private static let log = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("SampleLogs/draft.jsonl")

  private static let feature = ReplayFeature("Draft") {
    Draft()
  } initialState: {
    Draft.State()
  }

  private static let hosts = HostPool {
    { log, _ in
      InProcessReplay(
        ReplaySession(events: try log.events()) { _ in try feature.entry.makeEngine() }
      )
    }
  }

  private func explorer() throws -> Explorer {
    let log = LogSlice(path: Self.log.path, name: "draft.jsonl")
    let condition = Condition(try JSONPath.Expression(parsing: Self.invariant))
    return Explorer(
      log: try ThreadedLog(try log.events()),
      replayer: EventReplayer(hosts: Self.hosts),
      judge: SearchJudge([SearchJudge.Rule(condition: condition)], countsFaults: false),
      memory: InMemorySearchClient(
        makeHost: InProcessSearchHost.maker([Self.feature.entry]),
        options: ReplayOptions(),
        log: log
      )
    )
  }

  @Test func `explore finds a race with a tenth of the transitions that a random search needs`()
    throws
  {
    var explorer = try explorer()
    var systematic: [Int] = []
    for seed in 0..<5 {
      explorer.seed = UInt64(seed)
      let result = try explorer.explore()
      #expect(result.obstacle == nil)
      #expect(result.violation != nil, "seed \(seed)")
      systematic.append(result.transitions)
    }
    explorer.strategy = .random
    explorer.seed = 0
    explorer.mostTransitions = 15_000
    let random = try explorer.explore()
    print("explore draft.jsonl: \(systematic) transitions by seed; at random: \(Self.text(random))")
    #expect(systematic.allSatisfy { $0 * 10 < random.transitions })
  }

  private static func text(_ result: Explorer.Result) -> String {
    result.violation == nil ? "not in \(result.transitions)" : "in \(result.transitions)"
  }

  @Test
  func `minimize needs fewer replays if it removes actions along causes instead of along lines`()
    throws
  {
    let violation = try #require(try explorer().explore().violation)
    let events = violation.events
    let property = PreservedProperty.condition(
      Condition(try JSONPath.Expression(parsing: Self.broken))
    )
    var rest = events[...]
    let replayer = SubsetReplayer(log: try CausalLog { rest.popFirst() }, hosts: Self.hosts)
    let result = try Minimizer(replayer: replayer, property: property).minimize()

    // The simple method may remove any line except the first two. A log that cannot be read or replayed does not
    // reproduce the fault.
    let counter = Counter()
    let lines = DeltaDebugging<Int>(
      removing: { removed, kept in kept.subtracting(removed) },
      holds: { kept in
        counter.add()
        let remaining = events.indices.filter { $0 < 2 || kept.contains($0) }.map { events[$0] }
        guard let outcome = try? EventReplayer(hosts: Self.hosts).replay(remaining),
          outcome.findings.isEmpty
        else { return false }
        let whole = CausalLog.Subset(units: [])
        return (try? property.sighting(in: outcome, of: whole)) == .condition
      },
      isStopped: { false }
    )
    let plain = lines.minimize(Set(events.indices.dropFirst(2)), by: <)
    let left = plain.kept.count { if case .action = events[$0] { true } else { false } }
    print(
      "minimize: \(result.subset.units.count) actions after \(result.replays) replays;"
        + " along lines: \(left) actions after \(counter.count) replays"
    )
    #expect(result.isMinimal)
    #expect(result.subset.units.count == 4)
    #expect(result.replays < counter.count)
    #expect(left >= result.subset.units.count)
  }

  private final class Counter: Sendable {
    private let value = LockIsolated(0)
    var count: Int { value.value }
    func add() { value.withValue { $0 += 1 } }
  }
}
