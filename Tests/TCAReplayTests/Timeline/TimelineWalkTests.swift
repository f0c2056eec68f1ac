import ActionLog
import Foundation
import SampleFeatures
import Synchronization
import TCAReplay
import TestSupport
import Testing

@testable import ReplayEngine
@testable import TCAReplaying

/// Random walks of timelines on the logs of the sample features.
@MainActor
@Suite(.serialized)
struct TimelineWalkTests {
  private typealias NextAction<Action> = (JSON, inout SplitMix64) -> Action?

  /// The number of moves of a walk.
  private static let moves = Thoroughness.count(120, thorough: 10_000)

  /// Walks over a log.
  ///
  /// Each position has the same state as in a replay, and observers are notified of changes. No reducer runs in the
  /// past, and branches replay as recorded.
  private func walk<R: Reducer & Sendable, Live: Reducer<R.State, R.Action> & SendableMetatype>(
    _ name: String,
    seed: UInt64,
    _ reducer: R,
    initialState: @escaping @Sendable () -> R.State,
    live: @escaping @Sendable () -> Live,
    action: NextAction<R.Action>? = nil
  ) async throws where R.State: Sendable & LogValue, R.Action: Sendable {
    let path = SampleHost.folder + "/\(name).jsonl"
    var random = SplitMix64(seed: seed)
    let run = try RecordedRun(path)
    let reductions = ReductionCount()
    let timeline = try await runInOwnStorage {
      try StoreTimeline(replaying: .file(path)) {
        CountedReducer(base: WithoutOperations(base: live()), count: reductions)
      } initialState: {
        initialState()
      } withDependencies: {
        run.answers(after: 0).answer(&$0)
      }
    }
    var walk = Walk(timeline, states: try run.states())
    for move in 0..<Self.moves {
      let place: Comment = "\(name), seed \(seed), move \(move)"
      walk.begin()
      let (wasInPast, reduced) = (timeline.isInPast, reductions.value.load(ordering: .relaxed))
      let positions = timeline.positions
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8:
        let (low, high) = (positions.lowerBound - 1, positions.upperBound + 1)
        timeline.position = Int.random(in: low...high, using: &random)
      case 8..<13: timeline.step(by: Bool.random(using: &random) ? 1 : -1)
      case 13..<16: timeline.step(by: Int.random(in: -9...9, using: &random))
      case 16:
        timeline.play(speed: .infinity)
        let end = min(timeline.position + 3, positions.upperBound)
        while timeline.isPlaying, timeline.position < end { await Task.yield() }
        timeline.pause()
      case 17 where wasInPast:
        try timeline.continueFromHere()
        walk.didGoOn()
      case 18 where !wasInPast:
        if let action = action?(timeline.loggedState, &random) { timeline.store.send(action) }
        walk.note()
      default: timeline.returnToPresent()
      }
      if wasInPast, timeline.isInPast {
        #expect(reductions.value.load(ordering: .relaxed) == reduced, place)
      }
      let problems = walk.problems()
      guard problems.isEmpty else {
        Issue.record("\(place): \(problems)")
        return
      }
    }
    try checkBranches(of: timeline, name, reducer, initialState: initialState)
  }

  /// Replays the branches that a walk has recorded.
  private func checkBranches<R: Reducer & Sendable>(
    of timeline: StoreTimeline<R.State, R.Action>,
    _ name: String,
    _ reducer: R,
    initialState: @escaping @Sendable () -> R.State
  ) throws where R.State: Sendable, R.Action: Sendable {
    let folder = try TemporaryFolder()
    let path = folder.path + "/branches.jsonl"
    try timeline.recorder.export(to: URL(filePath: path))
    guard !timeline.recorder.all.isEmpty else { return }
    for log in try LogSlice.slices(of: path, name: path) {
      let verdict = try ReplayCheck(log: log).run { _ in
        ReducerEngine(reducer: { reducer }, initialState: initialState)
      }.verdict
      #expect(verdict.isSame, "\(name), \(log.name): \(verdict)")
    }
  }

  private nonisolated static let seeds = Thoroughness.seeds(2, thorough: 3)

  @Test(arguments: seeds)
  func `random walks of a timeline show the recorded states of small features`(
    seed: UInt64
  ) async throws {
    try await walk(
      "counter",
      seed: seed,
      Counter(),
      initialState: { Counter.State() },
      live: { Counter() }
    )
    try await walk("todos", seed: seed, Todos(), initialState: { Todos.State() }, live: { Todos() })
    try await walk(
      "search",
      seed: seed,
      Search(),
      initialState: { Search.State() },
      live: { Search() }
    )
    try await walk("draft", seed: seed, Draft(), initialState: { Draft.State() }, live: { Draft() })
    try await walk(
      "exchange",
      seed: seed,
      Exchange(),
      initialState: { Exchange.State() },
      live: { Exchange() }
    )
  }

  @Test(arguments: seeds)
  func `random walks of a timeline show the recorded states of a login flow`(
    seed: UInt64
  ) async throws {
    try await walk(
      "account",
      seed: seed,
      Account(),
      initialState: { Account.State() },
      live: { Account().dependency(\.account, .liveValue) },
      action: AccountUser.action
    )
  }

  @Test(arguments: seeds)
  func `random walks of a timeline show the recorded states of an app with several screens`(
    seed: UInt64
  ) async throws {
    try await walk(
      "inspections",
      seed: seed,
      Inspections(),
      initialState: { inOwnStorage { Inspections.State() } },
      live: { Inspections().dependency(\.office, .liveValue) },
      action: InspectionsUser.action
    )
  }

  @Test(arguments: seeds)
  func `random walks of a timeline show the recorded states of a sign-up with a shared draft`(
    seed: UInt64
  ) async throws {
    try await walk(
      "signup",
      seed: seed,
      GregorianSignUp(),
      initialState: { SignUp.State() },
      live: { GregorianSignUp().dependency(\.signUp, .liveValue) },
      action: SignUpUser.action
    )
  }

  @Test(arguments: seeds)
  func `random walks of a timeline show the recorded states of memos and a board`(
    seed: UInt64
  ) async throws {
    try await walk(
      "memos",
      seed: seed,
      Memos(),
      initialState: { Memos.State() },
      live: {
        Memos()
          .dependency(\.audioPlayer, .liveValue)
          .dependency(\.audioRecorder, .liveValue)
          .dependency(\.permissions, .liveValue)
      },
      action: MemosUser.action
    )
    try await walk(
      "board",
      seed: seed,
      Board(),
      initialState: { Board.State() },
      live: { Board().dependency(\.board, .liveValue) },
      action: BoardUser.action
    )
  }
}

/// A walk of a timeline, and the known states on its way.
@MainActor
private struct Walk<State: LogValue, Action> {
  private let timeline: StoreTimeline<State, Action>
  private var states: [Int: JSON]
  private let observers: Observers<State>
  private var before: [String: JSON] = [:]

  init(_ timeline: StoreTimeline<State, Action>, states: [Int: JSON]) {
    self.timeline = timeline
    self.states = states
    let store = timeline.store
    let names = JSON(logging: store.withState { $0 }).object?.keys ?? []
    @MainActor func reads<Members: LogMembers>(_: Members.Type) -> [(String, () -> Any)] {
      Members._$logMembers.filter { names.contains($0.name) }.map { member in
        (
          member.name,
          {
            guard let state = store.state as? Members else { return 0 }
            return DeepRead.count(state[keyPath: member.keyPath])
          }
        )
      }
    }
    let members = (State.self as? any LogMembers.Type).map { reads($0) } ?? []
    observers = Observers(members + [("", { DeepRead.count(store.state) })])
  }

  private var members: [String: JSON] {
    let state = timeline.loggedState
    var members: [String: JSON] = ["": state]
    for (name, value) in state.object ?? [:] { members[name] = value }
    return members
  }

  /// Stores the situation before a move.
  mutating func begin() {
    before = members
    _ = observers.take()
  }

  /// Stores the current state.
  mutating func note() { states[timeline.position] = timeline.loggedState }

  /// Removes states that are no longer part of the timeline.
  mutating func didGoOn() {
    let position = timeline.position
    states = states.filter { $0.key <= position }
  }

  /// Returns the problems after a move.
  func problems() -> [String] {
    var problems: [String] = []
    if let problem = timeline.problem { problems.append(problem) }
    let position = timeline.position
    let after = members
    if let state = states[position], state != after[""] {
      let patch = JSON.Patch(from: state, to: after[""] ?? .null)
      problems.append("another state at \(position): \(patch.json)")
    }
    let told = observers.take()
    for (name, value) in after where before[name] != value && !told.contains(name) {
      guard before[name] != nil else { continue }
      problems.append("nobody was told of '\(name)' at \(position)")
    }
    return problems
  }
}

/// Reads all parts of a value as views do, so that their observers are registered.
private enum DeepRead {
  static func count(_ value: Any) -> Int {
    func open<Members: LogMembers>(_ value: Members) -> Int {
      Members._$logMembers.reduce(1) { $0 + count(value[keyPath: $1.keyPath]) }
    }
    if let value = value as? any LogMembers { return open(value) }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional, .enum, .collection, .dictionary, .set, .tuple:
      return mirror.children.reduce(1) { $0 + count($1.value) }
    default:
      guard let elements = value as? any Collection, !(value is String) else { return 1 }
      return elements.reduce(1) { $0 + count($1) }
    }
  }
}

/// The number of reducer runs.
private final class ReductionCount: Sendable {
  let value = Atomic(0)
}

/// Counts the runs of a reducer.
private struct CountedReducer<Base: Reducer & SendableMetatype>: Reducer {
  let base: Base
  let count: ReductionCount

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    count.value.wrappingAdd(1, ordering: .relaxed)
    return base._reduce(into: &state, action: action)
  }
}
