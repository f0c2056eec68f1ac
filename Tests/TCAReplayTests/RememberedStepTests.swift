import ActionLog
import ReplayEngine
import TCAReplay
import Testing

@testable import ReplayAnalyses

/// A search that makes no step twice in the same state sees what one sees that makes all of them.
@Suite("Remembered steps") struct RememberedStepTests {
  /// Two worlds of the same log that a search walks through at once.
  private final class Pair: SearchWorld {
    final class Place {
      let first: MemoryWorld.Place
      let second: MemoryWorld.Place

      init(_ first: MemoryWorld.Place, _ second: MemoryWorld.Place) {
        (self.first, self.second) = (first, second)
      }
    }

    private let worlds: (first: MemoryWorld, second: MemoryWorld)
    /// The ways to places where the worlds differ.
    private(set) var differences: [[Int]] = []

    init(_ first: MemoryWorld, _ second: MemoryWorld) { worlds = (first, second) }

    func start() -> SearchVisit<Place, Digest> { join(worlds.first.start(), worlds.second.start()) }

    func visit(
      _ step: Int,
      from place: Place,
      delaying delayed: Set<ThreadedLog.Thread>
    ) -> SearchVisit<Place, Digest> {
      join(
        worlds.first.visit(step, from: place.first, delaying: delayed),
        worlds.second.visit(step, from: place.second, delaying: delayed)
      )
    }

    private func join(
      _ first: MemoryWorld.Visit,
      _ second: MemoryWorld.Visit
    ) -> SearchVisit<Place, Digest> {
      if first.key != second.key || first.enabled != second.enabled
        || first.verdict != second.verdict || worlds.first.state != worlds.second.state
      {
        differences.append(worlds.first.steps(to: first.place))
      }
      return SearchVisit(
        place: Place(first.place, second.place),
        key: first.key,
        enabled: first.enabled,
        verdict: first.verdict
      )
    }

    func keep(_ place: Place) {
      worlds.first.keep(place.first)
      worlds.second.keep(place.second)
    }

    func steps(to place: Place) -> [Int] { worlds.first.steps(to: place.first) }

    var isFull: Bool { worlds.first.isFull || worlds.second.isFull }
  }

  @Test(
    "lead where they lead when they are made",
    arguments: SampleHost.samples,
    // The second one soon remembers no more.
    [256 << 20, 200_000]
  )
  func search(sample: SampleHost.Sample, memory: Int) throws {
    let log = try ThreadedLog(try sample.slice.events())
    guard log.head.count == 2, case .header(let header) = log.head[0],
      case .checkpoint(let checkpoint) = log.head[1]
    else { return }
    func engine() throws -> any FeatureEngine {
      var engine = try sample.entry.makeEngine()
      _ = try engine.load(checkpoint, header: header)
      return engine
    }
    func world(_ engine: any FeatureEngine, _ memory: Int) -> MemoryWorld {
      MemoryWorld(
        log,
        engine,
        at: checkpoint,
        judge: SearchJudge([], countsFaults: false),
        memory: MemoryWorld.Memory(steps: memory)
      )
    }
    let (remembering, forgetful) = (try engine(), try engine())
    // The other one enters its context for each step.
    try remembering.withContext {
      let pair = Pair(world(remembering, memory), world(forgetful, 0))
      let limits = SearchLimits(mostTransitions: 1500)
      var search = StateSearch(pair, log, seed: 0, limits: limits)
      try search.run()
      #expect(pair.differences.isEmpty)
    }
  }
}
