import ActionLog
import ReplayTestSupport
import Testing

@testable import ReplayEngine

/// An engine that repeats steps instead of restoring snapshots.
@Suite struct RestartingEngineTests {
  /// Counts the engines that were created, and the steps that were taken.
  private final class Counts {
    var engines = 0
    var steps = 0
  }

  /// A sum whose copies share their value.
  private struct SumEngine: FeatureEngine {
    private final class Box { var sum = 0 }
    private struct BadInput: Error {}

    private let box = Box()
    let counts: Counts

    init(_ counts: Counts) {
      self.counts = counts
      counts.engines += 1
    }

    func load(_ checkpoint: LogEvent.Checkpoint, header: LogEvent.Header) throws -> LoadedState {
      box.sum = checkpoint.state.int ?? 0
      return LoadedState()
    }

    func step(_ input: StepInput) throws -> StepOutcome {
      counts.steps += 1
      guard case .recorded(let json) = input.action, let number = json.int else {
        box.sum += 100
        throw BadInput()
      }
      box.sum += number
      return StepOutcome()
    }

    func forgetActions(of sends: [EffectID]) { box.sum += 1000 * sends.count }

    var loggedState: JSONText { JSONText(.number(JSON.Number(box.sum))) }
  }

  private func engine(_ counts: Counts) throws -> RestartingEngine {
    let header = try LogEvent(
      json: JSON(
        parsing:
          #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L","feature":"F","stateType":"S"}"#
      )
    )
    let checkpoint = try LogEvent(
      json: JSON(parsing: #"{"kind":"checkpoint","seq":0,"state":5,"effects":[]}"#)
    )
    guard case .header(let header) = header, case .checkpoint(let checkpoint) = checkpoint else {
      throw CancellationError()
    }
    return try RestartingEngine(at: checkpoint, of: header) { SumEngine(counts) }
  }

  private func add(_ number: JSON, to engine: inout RestartingEngine) throws {
    _ = try engine.step(StepInput(seq: 1, action: .recorded(number)))
  }

  @Test func `a restarting engine returns to states before and after the current one`() throws {
    let counts = Counts()
    var engine = try engine(counts)
    let start = engine.snapshot()
    try add(1, to: &engine)
    let one = engine.snapshot()
    // A step that throws has changed the engine, too.
    #expect(throws: (any Error).self) { try add("no number", to: &engine) }
    engine.forgetActions(of: [EffectID(seq: 1, index: 0)])
    try add(10, to: &engine)
    let last = engine.snapshot()
    let states = [(start, 5), (last, 1116), (one, 6), (start, 5), (one, 6), (last, 1116)]
    for (snapshot, sum) in states {
      engine.restore(snapshot)
      #expect(engine.loggedState.json == .number(JSON.Number(sum)))
    }
    #expect(engine.snapshotObstacle == nil)
    #expect(counts.engines == 1 + states.count)
  }

  @Test func `a restarting engine does nothing to return to its current state`() throws {
    let counts = Counts()
    var engine = try engine(counts)
    try add(1, to: &engine)
    engine.restore(engine.snapshot())
    #expect(engine.loggedState.json == 6)
    #expect(counts.engines == 1)
    #expect(counts.steps == 1)
  }

  @Test func `a restarting engine drops a long list of steps`() throws {
    var engine = try engine(Counts())
    for _ in 0..<200_000 { try add(1, to: &engine) }
    #expect(engine.loggedState.json == 200_005)
  }
}
