import ActionLog
import ReplayEngine
import TCAReplay
import TestSupport
import Testing

@testable import ReplayAnalyses

/// A search that repeats no step in the same state has the same results as one that repeats all of them.
@Suite("Remembered steps") struct RememberedStepTests {
  /// An engine that enters its context for each call, so that two of them can alternate.
  private struct Entering: FeatureEngine {
    private var engine: any FeatureEngine

    init(_ engine: any FeatureEngine) { self.engine = engine }

    private func inContext<Result>(_ body: () throws -> Result) rethrows -> Result {
      var result: Result?
      try engine.withContext { result = try body() }
      guard let result else { preconditionFailure("the context does not call its function") }
      return result
    }

    func load(
      _ checkpoint: LogEvent.Checkpoint,
      header: LogEvent.Header
    ) -> LoadedState { LoadedState() }

    mutating func step(_ input: StepInput) throws -> StepOutcome { try engine.step(input) }

    var loggedState: JSONText { inContext { engine.loggedState } }
    var nextStackElement: Int? { inContext { engine.nextStackElement } }
    var snapshotObstacle: SnapshotObstacle? { inContext { engine.snapshotObstacle } }
    func snapshot() -> EngineSnapshot { inContext { engine.snapshot() } }
    func restore(_ snapshot: EngineSnapshot) {
      inContext {
        var engine = engine
        engine.restore(snapshot)
      }
    }
    mutating func forgetActions(of sends: [EffectID]) { engine.forgetActions(of: sends) }
    func isEquivalent(to snapshot: EngineSnapshot) -> Bool {
      inContext { engine.isEquivalent(to: snapshot) }
    }
  }

  /// Two worlds of the same log that a search explores together.
  private final class Pair: SearchStateSpace {
    final class Place {
      let first: InMemoryStateSpace.ChoicePoint
      let second: InMemoryStateSpace.ChoicePoint

      init(_ first: InMemoryStateSpace.ChoicePoint, _ second: InMemoryStateSpace.ChoicePoint) {
        (self.first, self.second) = (first, second)
      }
    }

    private let worlds: (first: InMemoryStateSpace, second: InMemoryStateSpace)
    private var last: Place?
    /// The number of times a step was known to be ambiguous.
    private(set) var knownUnclear = 0
    /// The paths to states where the worlds differ.
    private(set) var differences: [[Int]] = []

    init(_ first: InMemoryStateSpace, _ second: InMemoryStateSpace) { worlds = (first, second) }

    func start() -> SearchVisitResult<Place, Digest> {
      join(worlds.first.start(), worlds.second.start())
    }

    func visit(
      _ step: Int,
      from place: Place,
      delaying delayed: DelayedThreads
    ) -> SearchVisitResult<Place, Digest> {
      join(
        worlds.first.visit(step, from: place.first, delaying: delayed),
        worlds.second.visit(step, from: place.second, delaying: delayed)
      )
    }

    private func join(
      _ first: InMemoryStateSpace.Visit,
      _ second: InMemoryStateSpace.Visit
    ) -> SearchVisitResult<Place, Digest> {
      if first.key != second.key || first.enabled != second.enabled
        || first.verdict != second.verdict
        || first.verdict != .unclear && worlds.first.state != worlds.second.state
      {
        differences.append(worlds.first.steps(to: first.place))
      }
      let place = Place(first.place, second.place)
      last = place
      return SearchVisitResult(
        place: place,
        key: first.key,
        enabled: first.enabled,
        verdict: first.verdict
      )
    }

    func isKnownUnclear(_ step: Int) -> Bool {
      guard let last, worlds.first.isKnownUnclear(step) else { return false }
      knownUnclear += 1
      if worlds.second.visit(step, from: last.second, delaying: []).verdict != .unclear {
        differences.append(steps(to: last) + [step])
      }
      return true
    }

    func retain(_ place: Place) {
      worlds.first.retain(place.first)
      worlds.second.retain(place.second)
    }

    func steps(to place: Place) -> [Int] { worlds.first.steps(to: place.first) }

    var isFull: Bool { worlds.first.isFull || worlds.second.isFull }
  }

  @Test(
    "A search that stores steps visits the same states as a search that does not",
    arguments: SampleHost.samples,
    // The second one soon stops storing steps.
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
      return Entering(engine)
    }
    func world(_ engine: any FeatureEngine, _ memory: Int) -> InMemoryStateSpace {
      InMemoryStateSpace(
        log,
        engine,
        at: checkpoint,
        judge: SearchJudge([], countsFaults: false),
        memory: InMemoryStateSpace.MemoryLimits(steps: memory)
      )
    }
    let pair = Pair(world(try engine(), memory), world(try engine(), 0))
    let limits = SearchLimits(mostTransitions: Thoroughness.count(400, thorough: 1500))
    var search = SystematicSearch(pair, log, seed: 0, limits: limits)
    try search.run()
    #expect(search.result.transitions > 0)
    #expect(pair.differences.isEmpty)
    // Their actions for removed elements occur in many states.
    if header.feature == "Inspections" { #expect(pair.knownUnclear > 0 || memory < 1 << 20) }
  }
}
