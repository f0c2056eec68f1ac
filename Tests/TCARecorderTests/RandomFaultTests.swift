import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import Testing

@testable import TCARecorder
@testable import TCAReplay

/// With and without a recorder the sample features behave alike, whatever happens to the log.
@MainActor
@Suite("Random runs in faults")
struct RandomFaultTests {
  enum Fault: String, CaseIterable, Sendable {
    case none, create, write, sync, noRoom, comesAndGoes, ring, masked
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let fault: Fault
    let seed: UInt64
    var testDescription: String { "\(fault), seed \(seed)" }
  }

  nonisolated static let cases = Fault.allCases.flatMap { fault in
    (1...3 as ClosedRange<UInt64>).map { Case(fault: fault, seed: $0) }
  }

  private func configuration(
    _ fault: Fault,
    _ path: String,
    _ calls: FaultyCalls
  )
    -> RecorderConfiguration
  {
    var configuration = RecorderConfiguration(.file(path))
    switch fault {
    case .none, .comesAndGoes: break
    case .create: calls.fail("create", EACCES)
    case .write: calls.fail("write", EIO)
    case .sync:
      calls.fail("sync", EIO)
      configuration.durability = .powerLoss
    case .noRoom: calls.limit(to: 3000)
    case .ring: configuration.destination = .ring(path, bytes: 4000, segments: 4)
    case .masked: configuration.masks = LogMasks(state: ["/**"], action: ["/**"], read: ["/**"])
    }
    configuration.calls = calls.calls
    return configuration
  }

  /// The states after each step.
  private func run<R: Reducer>(
    _ reducer: R,
    _ state: R.State,
    _ steps: [Step<R.Action>],
    fault: (Int) -> Void = { _ in }
  ) async -> [String] {
    let clock = TestClock()
    let store = Store(initialState: state) {
      reducer
    } withDependencies: {
      $0.continuousClock = clock
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSinceReferenceDate: 800_000_000))
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(Numbers(state: 9))
    }
    var states: [String] = []
    for (index, step) in steps.enumerated() {
      fault(index)
      switch step {
      case .send(let action): store.send(action)
      case .advance(let duration): await clock.advance(by: duration)
      }
      states.append(JSON(logging: store.withState { $0 }).description)
    }
    return states
  }

  enum Step<Action: Sendable>: Sendable {
    case send(Action)
    case advance(Duration)
  }

  /// SplitMix64.
  struct Numbers: RandomNumberGenerator, Sendable {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private func compare<R: Reducer>(
    _ reducer: @escaping @Sendable () -> R,
    _ state: @escaping @Sendable () -> R.State,
    _ actions: [R.Action],
    _ test: Case
  ) async throws where R.Action: Sendable {
    var random = Numbers(state: test.seed)
    let steps = (0..<50).map { _ -> Step<R.Action> in
      Int.random(in: 0..<4, using: &random) == 0
        ? .advance(.milliseconds(Int.random(in: 0...1500, using: &random)))
        : .send(actions[Int.random(in: 0..<actions.count, using: &random)])
    }
    let folder = try TemporaryFolder()
    let calls = FaultyCalls()
    let recorder = Recorder(configuration(test.fault, folder.path + "/log.jsonl", calls))
    let plain = await run(reducer(), state(), steps)
    let recorded = await run(reducer().recorded(to: recorder), state(), steps) { index in
      if test.fault == .comesAndGoes { calls.fail("write", index / 7 % 2 == 0 ? nil : ENOSPC) }
    }
    #expect(plain == recorded, "\(R.self), \(test.testDescription)")
    // Whatever is there is sound.
    for name in folder.files {
      let path = folder.path + "/" + name
      #expect(throws: Never.self, "\(name)") { _ = try kinds(folder.text(name)) }
      guard try !folder.text(name).isEmpty else { continue }
      if [.none, .comesAndGoes, .ring].contains(test.fault) {
        let verdicts = try Verdict.ofReplay(logAt: path) { _ in
          ReducerEngine(reducer: reducer, initialState: state)
        }
        #expect(verdicts.allSatisfy { $0.isSame }, "\(name): \(verdicts)")
      }
    }
  }

  @Test("a counter", arguments: cases)
  func counter(test: Case) async throws {
    try await compare(
      { Counter() },
      { Counter.State() },
      [
        .incrementButtonTapped, .decrementButtonTapped, .timerButtonTapped, .dieButtonTapped,
        .resetButtonTapped,
      ],
      test
    )
  }

  @Test("a list of things to do", arguments: cases)
  func todos(test: Case) async throws {
    try await compare(
      { Todos() },
      { Todos.State() },
      [
        .addButtonTapped, .addButtonTapped, .deleted(at: 0), .clearCompletedButtonTapped,
        .filterPicked(.all),
      ],
      test
    )
  }

  @Test("a search", arguments: cases)
  func search(test: Case) async throws {
    try await compare(
      { Search() },
      { Search.State() },
      [.queryChanged("Os"), .queryChanged("Lima"), .queryChanged(""), .clearButtonTapped],
      test
    )
  }
}
