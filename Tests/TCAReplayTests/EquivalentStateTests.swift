import ActionLog
import ReplayEngine
import ReplayTestSupport
import TCAReplay
import TestSupport
import Testing

@testable import TCAReplaying

/// A search treats two states as equivalent only if no later events can differ.
@Suite("Equivalent states") struct EquivalentStateTests {
  @LogValue struct State: Equatable, Sendable {
    @LogIgnored var isReversed = false
    @Shared(.inMemory("equivalent.shelf")) var books = 0
    @Shared(value: 0) var first: Int
    @Shared(value: 0) var second: Int
  }

  enum Step: String, Codable, Sendable {
    case reverse
    case add
    case remove
    case other
    case back
    case join
    case part
    case wait
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let ways: ([Step], [Step])
    let isEquivalent: Bool
    var testDescription: String { "\(ways.0) and \(ways.1)" }
  }

  @Test(
    "Two states are equivalent only if every later action leads to the same state",
    arguments: [
      Case(ways: ([], []), isEquivalent: true),
      Case(ways: ([.add, .remove], []), isEquivalent: true),
      Case(ways: ([.add, .reverse, .reverse], [.add]), isEquivalent: true),
      // Values that a log omits.
      Case(ways: ([.reverse], []), isEquivalent: false),
      // Currently equal values of two keys.
      Case(ways: ([.other], [.other, .back]), isEquivalent: false),
      Case(ways: ([.other, .back], [.other, .back]), isEquivalent: true),
      Case(ways: ([.other], []), isEquivalent: false),
      // One value at two paths, or two values.
      Case(ways: ([.join], []), isEquivalent: false),
      Case(ways: ([.join, .part], []), isEquivalent: true),
    ]
  )
  func sameFuture(test: Case) throws {
    let engine = try Self.engine()
    var seq = 0
    func run(_ way: [Step]) throws {
      for step in way {
        seq += 1
        _ = try engine.step(StepInput(seq: seq, action: .recorded(JSON(logging: step))))
      }
    }
    try engine.withContext {
      let start = engine.snapshot()
      try run(test.ways.0)
      let (first, text) = (engine.snapshot(), engine.loggedState)
      engine.restore(start)
      try run(test.ways.1)
      #expect(engine.loggedState == text)
      #expect(engine.isEquivalent(to: first) == test.isEquivalent)
    }
  }

  @Test(
    "Two states become equivalent if differing effects that still run are known never to send an action"
  )
  func forgottenActions() throws {
    let engine = try Self.engine()
    try engine.withContext {
      let start = engine.snapshot()
      _ = try engine.step(StepInput(seq: 1, action: .recorded(JSON(logging: Step.wait))))
      #expect(!engine.isEquivalent(to: start))
      engine.forgetActions(of: [EffectID(seq: 1, index: 0)])
      #expect(!engine.isEquivalent(to: start))
      engine.forgetActions(of: [EffectID(seq: 1, index: 1)])
      #expect(engine.isEquivalent(to: start))
      engine.restore(start)
      #expect(engine.isEquivalent(to: start))
    }
  }

  /// Returns an engine with the initial state.
  private static func engine() throws -> ReducerEngine<Reduce<State, Step>> {
    let engine = ReducerEngine(
      reducer: { Reduce<State, Step> { state, step in Self.reduce(&state, step) } },
      initialState: { State() }
    )
    guard case .header(let header)? = try SampleLog.events(SampleLog.lines)() else {
      throw CancellationError()
    }
    let checkpoint = LogEvent.Checkpoint(seq: 0, state: JSON(logging: State()))
    _ = try engine.load(checkpoint, header: header)
    return engine
  }

  private static func reduce(_ state: inout State, _ step: Step) -> Effect<Step> {
    switch step {
    case .wait: return .concatenate(.run { _ in }, .send(.reverse))
    case .reverse: state.isReversed.toggle()
    case .add: state.$books.withLock { $0 += 1 }
    case .remove: state.$books.withLock { $0 -= 1 }
    case .other: state.$books = Shared(wrappedValue: 0, .inMemory("equivalent.other"))
    case .back: state.$books = Shared(wrappedValue: 0, .inMemory("equivalent.shelf"))
    case .join: state.$second = state.$first
    case .part: state.$second = Shared(value: 0)
    }
    return .none
  }
}
