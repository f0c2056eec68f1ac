import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import Synchronization
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCACore
@testable import TCARecorder

/// The sample features behave equally with and without a recorder, even if the log fails.
@MainActor
@Suite("Random runs in faults", .serialized)
struct RandomFaultTests {
  enum Fault: String, CaseIterable, Sendable {
    case none, create, write, sync, noRoom, comesAndGoes, deleted, ring, masked, filtered
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let fault: Fault
    let seed: UInt64
    var testDescription: String { "\(fault), seed \(seed)" }
  }

  nonisolated static let cases = Fault.allCases.flatMap { fault in
    Thoroughness.seeds(1, thorough: 4).map { Case(fault: fault, seed: $0) }
  }

  /// The states without a recorder, which are the same for all faults.
  private static var plain: [String: [JSON]] = [:]

  private func configuration(
    _ fault: Fault,
    _ path: String,
    _ calls: FailingCalls
  ) -> RecorderConfiguration {
    var configuration = RecorderConfiguration(.file(path))
    switch fault {
    case .none, .comesAndGoes, .deleted: break
    case .create: calls.fail("create", EACCES)
    case .write: calls.fail("write", EIO)
    case .sync:
      calls.fail("sync", EIO)
      configuration.durability = .powerLoss
    case .noRoom: calls.limit(to: 3000)
    case .ring: configuration.destination = .ring(path, bytes: 4000, segments: 4)
    case .masked: configuration.masks = LogMasks(state: ["/**"], action: ["/**"], read: ["/**"])
    case .filtered:
      configuration.actions = ActionFilter(
        exclude: [
          "/incrementButtonTapped", "/doneToggled", "/queryChanged", "/**/ticked", "/**/binding",
        ]
      )
    }
    configuration.systemCalls = calls.calls
    return configuration
  }

  /// Returns the states after each step.
  ///
  /// Before the next step, and before the next sleeper wakes, all work that does not sleep on the clock has ended. The
  /// result does not depend on the speed of tasks.
  private func run<R: Reducer>(
    _ reducer: R,
    _ state: R.State,
    seed: UInt64,
    _ action: (JSON, inout SplitMix64) -> R.Action?,
    before: (Int) -> Void = { _ in }
  ) async throws -> [JSON] {
    let clock = TestClock()
    let store = Store(initialState: state) {
      reducer
    } withDependencies: {
      $0.continuousClock = clock
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSinceReferenceDate: 800_000_000))
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(SplitMix64(seed: 9))
    }
    let effects = try #require(store.core as? RootCore<R>).effects.registry
    var random = SplitMix64(seed: seed)
    var states: [JSON] = []
    for index in 0..<60 {
      before(index)
      if Int.random(in: 0..<4, using: &random) == 0 {
        let end = clock.now.advanced(by: .milliseconds(Int.random(in: 0...1500, using: &random)))
        while clock.wakeFirst(until: end) {
          while effects.operationCount > clock.sleeperCount { await Task.yield() }
        }
      } else if let action = action(states.last ?? JSON(logging: state), &random) {
        store.send(action)
      }
      while effects.operationCount > clock.sleeperCount { await Task.yield() }
      states.append(JSON(logging: store.withState { $0 }))
    }
    return states
  }

  private func compare<R: Reducer, Replayed: Reducer<R.State, R.Action> & Sendable>(
    _ reducer: R,
    replayed: Replayed,
    initialState state: @escaping @Sendable () -> R.State,
    _ test: Case,
    action: (JSON, inout SplitMix64) -> R.Action?
  ) async throws where R.State: Sendable, R.Action: Sendable {
    let folder = try TemporaryFolder()
    let calls = FailingCalls()
    let path = folder.path + "/log.jsonl"
    let recorder = Recorder(configuration(test.fault, path, calls))
    let name = "\(R.self), seed \(test.seed)"
    let plain: [JSON]
    if let states = Self.plain[name] {
      plain = states
    } else {
      plain = try await runInOwnStorage {
        try await run(reducer, state(), seed: test.seed, action)
      }
      Self.plain[name] = plain
    }
    let recorded = try await runInOwnStorage {
      try await run(reducer.recorded(to: recorder), state(), seed: test.seed, action) { index in
        switch test.fault {
        case .comesAndGoes: calls.fail("write", index / 7 % 2 == 0 ? nil : ENOSPC)
        case .deleted where index % 20 == 19: try? FileManager.default.removeItem(atPath: path)
        default: break
        }
      }
    }
    for (step, states) in zip(plain, recorded).enumerated() where states.0 != states.1 {
      let difference = diff(states.0, states.1) ?? ""
      Issue.record("\(R.self), \(test.testDescription), step \(step):\n\(difference)")
      break
    }
    // Each existing log is valid and replays.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let file = folder.path + "/" + name
      let text = try String(contentsOfFile: file, encoding: .utf8)
      guard !text.isEmpty, test.fault != .masked else { continue }
      let found = try verdict(of: file, replayedWith: replayed, initialState: state)
      #expect(found.isSame, "\(R.self), \(test.testDescription), \(name): \(found)")
    }
  }

  @Test(
    "A recorder whose file fails does not change a counter, and its log replays",
    arguments: cases
  )
  func counter(test: Case) async throws {
    let actions: [Counter.Action] = [
      .incrementButtonTapped, .decrementButtonTapped, .timerButtonTapped, .dieButtonTapped,
      .resetButtonTapped,
    ]
    try await compare(
      Counter(),
      replayed: Counter(),
      initialState: { Counter.State() },
      test,
      action: { _, random in
        actions.randomElement(using: &random)
      }
    )
  }

  @Test(
    "A recorder whose file fails does not change a to-do list, and its log replays",
    arguments: cases
  )
  func todos(test: Case) async throws {
    try await compare(
      Todos(),
      replayed: Todos(),
      initialState: { Todos.State() },
      test,
      action: { state, random in
        let ids = (state["todos"]?.array ?? []).compactMap {
          $0["id"]?.string.flatMap { UUID(uuidString: $0) }
        }
        guard let id = ids.randomElement(using: &random) else { return .addButtonTapped }
        let actions: [Todos.Action] = [
          .addButtonTapped, .titleChanged(id: id, "Milk"), .titleChanged(id: id, ""),
          .doneToggled(id: id), .deleted(at: 0), .clearCompletedButtonTapped, .filterPicked(.all),
        ]
        return actions.randomElement(using: &random)
      }
    )
  }

  @Test(
    "A recorder whose file fails does not change a search, and its log replays",
    arguments: cases
  )
  func search(test: Case) async throws {
    let actions: [Search.Action] = [
      .queryChanged("Os"), .queryChanged("Lima"), .queryChanged(""), .clearButtonTapped,
    ]
    try await compare(
      Search(),
      replayed: Search(),
      initialState: { Search.State() },
      test,
      action: { _, random in
        actions.randomElement(using: &random)
      }
    )
  }

  @Test(
    "A recorder whose file fails does not change a draft, and its log replays",
    arguments: cases
  )
  func draft(test: Case) async throws {
    let actions: [Draft.Action] = [
      .editButtonTapped, .typed("H"), .typed("é"), .saveButtonTapped, .doneButtonTapped,
    ]
    try await compare(
      Draft(),
      replayed: Draft(),
      initialState: { Draft.State() },
      test,
      action: { _, random in
        actions.randomElement(using: &random)
      }
    )
  }

  /// Only the actions that depend on neither the time nor random numbers, because other runs never agree.
  @Test(
    "A recorder whose file fails does not change a receipt, and its log replays",
    arguments: cases
  )
  func receipt(test: Case) async throws {
    let actions: [Receipt.Action] = [
      .scanned(name: "Milk", shelf: "A"), .scanned(name: "", shelf: "B"), .bookButtonTapped,
      .footButtonTapped,
    ]
    try await compare(
      Receipt(),
      replayed: Receipt(),
      initialState: { Receipt.State() },
      test,
      action: { _, random in
        actions.randomElement(using: &random)
      }
    )
  }

  @Test(
    "A recorder whose file fails does not change a login flow, and its log replays",
    arguments: cases
  )
  func account(test: Case) async throws {
    try await compare(
      Account().dependency(\.account, .liveValue),
      replayed: Account(),
      initialState: { Account.State() },
      test,
      action: AccountUser.action
    )
  }

  @Test(
    "A recorder whose file fails does not change an app with several screens, and its log replays",
    arguments: cases
  )
  func inspections(test: Case) async throws {
    try await compare(
      Inspections().dependency(\.office, .liveValue),
      replayed: Inspections(),
      initialState: { inOwnStorage { Inspections.State() } },
      test,
      action: InspectionsUser.action
    )
  }

  @Test(
    "A recorder whose file fails does not change a sign-up, and its log replays",
    arguments: cases
  )
  func signUp(test: Case) async throws {
    try await compare(
      GregorianSignUp().dependency(\.signUp, .liveValue),
      replayed: GregorianSignUp(),
      initialState: { SignUp.State() },
      test,
      action: SignUpUser.action
    )
  }

  @Test(
    "A recorder whose file fails does not change a memo recorder, and its log replays",
    arguments: cases
  )
  func memos(test: Case) async throws {
    try await compare(
      Memos()
        .dependency(\.audioPlayer, .liveValue)
        .dependency(\.audioRecorder, .liveValue)
        .dependency(\.permissions, .liveValue),
      replayed: Memos(),
      initialState: { Memos.State() },
      test,
      action: MemosUser.action
    )
  }

  @Test(
    "A recorder whose file fails does not change a board, and its log replays",
    arguments: cases
  )
  func board(test: Case) async throws {
    try await compare(
      Board().dependency(\.board, .liveValue),
      replayed: Board(),
      initialState: { Board.State() },
      test,
      action: BoardUser.action
    )
  }
}
