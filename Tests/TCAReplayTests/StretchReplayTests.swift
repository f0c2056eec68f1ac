import ActionLog
import Foundation
import ReplayTestSupport
import SampleFeatures
import TestSupport
import Testing

@testable import ReplayEngine
@testable import TCAReplay
@testable import TCAReplaying

/// Ranges of logs of real features: the combined proofs of ranges equal the result for the undivided log.
@MainActor @Suite("Stretches of logs of features", .serialized)
struct StretchReplayTests {
  /// Replays a log with all possible checkpoints, as one log and in ranges.
  ///
  /// - Returns: The number of proved ranges, and their total number.
  private func replay<R: Reducer & Sendable>(
    _ path: String,
    _ reducer: R,
    _ comment: String,
    initialState: @escaping @Sendable () -> R.State
  ) throws -> (proved: Int, count: Int) where R.State: Sendable, R.Action: Sendable {
    let makeEngine = { (_: LogEvent.Header) -> any FeatureEngine in
      ReducerEngine(reducer: { reducer }, initialState: initialState)
    }
    let recorded = try String(contentsOfFile: path, encoding: .utf8)
    let lines = try LongLog.withCheckpoints(
      recorded.split(separator: "\n").map(String.init),
      makeEngine: makeEngine
    )
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path,
      atomically: false,
      encoding: .utf8
    )
    let log = try #require(try LogSlice.slices(of: path, name: "log").first)
    let serial = try ReplayCheck(log: log).run(makeEngine: makeEngine)
    #expect(serial.verdict == .identical, "\(comment): \(serial.verdict)")
    guard let stretches = LogPartitioner.stretches(of: log, parts: 24, least: 1, for: .replay)
    else {
      return (0, 0)
    }
    let proofs = try stretches.map { try ReplayCheck(log: $0).prove(makeEngine: makeEngine) }
    let proved = proofs.compactMap { $0 }
    if proved.count == proofs.count {
      let result = try ReplayCheck(log: log).conclude(proved, isWhole: false)
      #expect(result == serial, "\(comment)")
    }
    return (proved.count, proofs.count)
  }

  @Test(arguments: Thoroughness.seeds(2, thorough: 4))
  func `replaying random logs in stretches gives the same verdict as replaying them from the start`(
    seed: UInt64
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    func file() -> String {
      try? FileManager.default.removeItem(atPath: path)
      return path
    }
    await record(
      Account().dependency(\.account, .liveValue),
      initialState: Account.State(),
      steps: randomSteps(100, seed: seed, AccountUser.action),
      to: file()
    )
    _ = try replay(path, Account(), "account \(seed)") { Account.State() }
    await record(
      GregorianSignUp().dependency(\.signUp, .liveValue),
      initialState: SignUp.State(),
      steps: randomSteps(100, seed: seed, SignUpUser.action),
      to: file()
    )
    // The steps share a draft.
    let signUp = try replay(path, GregorianSignUp(), "sign-up \(seed)") { SignUp.State() }
    #expect(signUp.proved <= 1)
    await record(
      Board().dependency(\.board, .liveValue),
      initialState: Board.State(),
      steps: randomSteps(100, seed: seed, BoardUser.action),
      to: file()
    )
    _ = try replay(path, Board(), "board \(seed)") { Board.State() }
    await record(
      Counter(),
      initialState: Counter.State(),
      steps: (0..<100).map { _ in .send(.incrementButtonTapped) } + [.send(.dieButtonTapped)],
      to: file()
    )
    let counter = try replay(path, Counter(), "counter") { Counter.State() }
    #expect(counter.count > 10)
    #expect(counter.proved == counter.count)
  }

  // MARK: - What a state keeps from action to action

  @LogValue enum Step: Sendable { case step }

  @LogValue struct Plain: Equatable, Sendable { var count = 0 }

  @LogValue struct Incomparable: Sendable { var count = 0 }

  final class Box: Equatable, Codable, Sendable {
    let count: Int
    init(_ count: Int) { self.count = count }
    static func == (lhs: Box, rhs: Box) -> Bool { lhs.count == rhs.count }
  }

  @LogValue struct Boxed: Equatable, Sendable {
    var count = 0
    var box = Box(1)
  }

  struct Forgetful: Equatable, Codable, Sendable {
    var count = 0
    var hidden = 0
    enum CodingKeys: CodingKey { case count }
  }

  struct Sharing: Equatable, Sendable {
    @Shared(.inMemory("stretches")) var count = 0
  }

  /// Returns whether a replay could begin after a reducer has handled a few steps.
  private func canBegin<State: Sendable>(
    _ initialState: State,
    alter: (inout LogEvent.Checkpoint) -> Void = { _ in },
    _ reduce: @escaping @Sendable (inout State) -> Effect<Step>
  ) throws -> Bool {
    let engine = ReducerEngine(
      reducer: { Reduce<State, Step> { state, _ in reduce(&state) } },
      initialState: { initialState }
    )
    guard case .header(let header)? = try SampleLog.events(SampleLog.lines)() else { return false }
    let start = LogEvent.Checkpoint(seq: 0, state: JSON(logging: initialState))
    _ = try engine.load(start, header: header)
    for seq in 1...3 {
      _ = try engine.step(StepInput(seq: seq, action: .recorded(JSON(logging: Step.step))))
    }
    var checkpoint = LogEvent.Checkpoint(
      seq: 3,
      state: engine.loggedState.json,
      nextStackElement: engine.nextStackElement
    )
    alter(&checkpoint)
    return engine.isEquivalent(to: checkpoint)
  }

  @Test
  func `a stretch begins at a checkpoint only if the log contains everything in the state`()
    throws
  {
    let add: @Sendable (inout Int) -> Effect<Step> = { count in
      count += 1
      return .none
    }
    #expect(try canBegin(Plain()) { add(&$0.count) })
    #expect(try canBegin(Plain()) { _ in .run(name: "a") { _ in }.cancellable(id: "id") })
    // The engine assigns no numbers to ids. A checkpoint lists the used ids, and the numbering starts again.
    #expect(
      try canBegin(Plain()) { _ in .run { _ in }.cancellable(id: ObjectIdentifier(Box.self)) }
    )
    #expect(try !canBegin(Incomparable()) { add(&$0.count) })
    #expect(try !canBegin(Boxed()) { add(&$0.count) })
    #expect(try canBegin(Forgetful()) { add(&$0.count) })
    #expect(try !canBegin(Forgetful()) { add(&$0.hidden) })
    #expect(try !canBegin(Sharing()) { _ in .none })
    let step = { @Sendable (state: inout Plain) -> Effect<Step> in add(&state.count) }
    #expect(try !canBegin(Plain(), alter: { $0.state = ["count": 7] }, step))
    #expect(try !canBegin(Plain(), alter: { $0.state = ["count": 3, "more": 1] }, step))
  }

  @Test
  func `with a stack in the state, a stretch begins only where its next element number is known`()
    throws
  {
    let push = { @Sendable (state: inout StackState<Plain>) -> Effect<Step> in
      state.append(Plain())
      return .none
    }
    #expect(try canBegin(StackState<Plain>(), push))
    #expect(try !canBegin(StackState<Plain>(), alter: { $0.nextStackElement = nil }, push))
    #expect(try !canBegin(StackState<Plain>(), alter: { $0.nextStackElement = 9 }, push))
  }
}
