import ActionLog
import Foundation
import ReplayEngine
import Synchronization
import TestSupport
import Testing

@testable import TCAReplay
@testable import TCAReplaying

/// A player with a timer, whose screens have effects of their own.
@Reducer
private struct Player: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var seconds = 0
    @Presents var sheet: Sheet.State?
    var path = StackState<Sheet.State>()
  }

  enum Action: Sendable {
    case start
    case stop
    case tick
    case open
    case close
    case push
    case later(String)
    case restartLater
    case said(String)
    case sheet(PresentationAction<Sheet.Action>)
    case path(StackActionOf<Sheet>)
  }

  private enum CancelID { case timer }

  @Dependency(\.continuousClock) private var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start:
        return .run(name: "timer") { send in
          while true {
            try await clock.sleep(for: .seconds(1))
            await send(.tick)
          }
        }
        .cancellable(id: CancelID.timer, cancelInFlight: true)
      case .stop: return .cancel(id: CancelID.timer)
      case .tick:
        state.seconds += 1
        return .none
      case .open:
        state.sheet = Sheet.State()
        return .none
      case .close:
        state.sheet = nil
        return .none
      case .push:
        state.path.append(Sheet.State())
        return .none
      case .later(let text):
        return .concatenate(
          .run(name: "wait", input: text) { _ in try await clock.sleep(for: .seconds(5)) },
          .send(.said(text))
        )
      case .restartLater:
        return .concatenate(
          .run(name: "wait") { _ in try await clock.sleep(for: .seconds(5)) },
          .run(name: "other") { _ in try await clock.sleep(for: .seconds(5)) }
            .cancellable(id: CancelID.timer, cancelInFlight: true)
        )
      case .said, .sheet, .path: return .none
      }
    }
    .ifLet(\.$sheet, action: \.sheet) { Sheet() }
    .forEach(\.path, action: \.path) { Sheet() }
  }
}

@Reducer
private struct Sheet: Sendable {
  @ObservableState
  struct State: Equatable, Sendable { var loaded = 0 }

  enum Action: Sendable {
    case load
    case loaded
  }

  @Dependency(\.continuousClock) private var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .load:
        return .run(name: "load") { send in
          try await clock.sleep(for: .seconds(3))
          await send(.loaded)
        }
      case .loaded:
        state.loaded += 1
        return .none
      }
    }
  }
}

/// The effects that were alive at the point where a store continues from a log.
@MainActor
@Suite("Effects of live stores", .serialized)
struct LiveEffectTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/log.jsonl" }
  private var new: String { folder.path + "/new.jsonl" }

  init() throws { folder = try TemporaryFolder() }

  private func recordPlayer(_ actions: Player.Action...) async {
    await record(
      Player(),
      initialState: Player.State(),
      steps: actions.map { .send($0) },
      to: path
    )
  }

  private func open(
    through seq: Int? = nil,
    clock: TestClock<Duration> = TestClock(),
    restarting restart: (@MainActor (RestoredEffect) -> EffectRestart<Player.Action>?)? = nil
  ) throws -> Store<Player.State, Player.Action> {
    try Store(replaying: .file(path), through: seq) { [new] in
      Player().recorded(to: .file(new))
    } withDependencies: {
      $0.continuousClock = clock
    } restarting: {
      restart?($0)
    }
  }

  private func expectIdentical(_ location: SourceLocation = #_sourceLocation) throws {
    let found = try verdict(of: new, replayedWith: Player()) { Player.State() }
    #expect(found == .identical, "\(found)", sourceLocation: location)
  }

  /// Returns an effect that runs the timer instead of the recorded one.
  private func timer(
    _ clock: TestClock<Duration>
  ) -> @MainActor (RestoredEffect) -> EffectRestart<Player.Action>? {
    { effect in
      guard effect.name == "timer" else { return nil }
      return .effect(
        .run { send in
          while true {
            try await clock.sleep(for: .seconds(1))
            await send(.tick)
          }
        }
      )
    }
  }

  private func advance(_ clock: TestClock<Duration>, _ seconds: Int) async {
    for _ in 0..<seconds {
      while clock.sleeperCount < 1 { await Task.yield() }
      await clock.advance(by: .seconds(1))
    }
  }

  @Test("A restored store lists effects with the action that started them and does not run them")
  func listed() async throws {
    await recordPlayer(.start, .open, .sheet(.presented(.load)), .later("done"), .stop)
    let store = try Store(replaying: .file(path), through: 4) {
      Player()
    } withDependencies: {
      $0.continuousClock = TestClock()
    }
    let position = try #require(store.restoredPosition)
    #expect(position.seq == 4)
    let header = try RecordedRun(path).header
    #expect(position.log == header.id)
    let lines = position.effects.map { effect in
      "\(effect)".replacing(/LiveEffectTests.swift:\d+/, with: "LiveEffectTests.swift:N")
    }
    #expect(
      lines == [
        "effect 1.0 'timer' at TCAReplayTests/LiveEffectTests.swift:N, started by action 1 .start: not restarted, nothing says how",
        "effect 3.0 'load' at TCAReplayTests/LiveEffectTests.swift:N, started by action 3 .sheet.load: not restarted, nothing says how",
        "effect 4.0 'wait' at TCAReplayTests/LiveEffectTests.swift:N, started by action 4 .later(\"done\"): not restarted, nothing says how",
        "effect 4.1 at TCAReplayTests/LiveEffectTests.swift:N, started by action 4 .later(\"done\"): not restarted, nothing says how",
      ]
    )
    #expect(try position.effects[2].input(as: String.self) == "done")
    guard case .said("done") = try position.effects[3].sentAction(as: Player.Action.self) else {
      Issue.record("the effect sends an action")
      return
    }
    #expect(position.effects.map(\.isWaiting) == [false, false, false, true])
    #expect(position.effects[0].cancelID?.type == "Player.CancelID")
    #expect(store.unfinishedEffects == [])
  }

  @Test("Restarted effects send with their recorded ids, and the new log replays as identical")
  func restarted() async throws {
    await recordPlayer(.start, .open)
    let clock = TestClock()
    var store: Store? = try open(clock: clock, restarting: timer(clock))
    #expect(store?.restoredPosition?.effects.map(\.outcome) == [.runs])
    await advance(clock, 2)
    #expect(store?.state.seconds == 2)
    store?.send(.stop)
    await clock.advance(by: .seconds(5))
    #expect(store?.state.seconds == 2)
    #expect(store?.unfinishedEffects == [])
    store = nil
    let run = try RecordedRun(new)
    #expect(
      run.actions(after: 2).map(\.origin)
        == [
          .effect(EffectID(seq: 1, index: 0), via: nil),
          .effect(EffectID(seq: 1, index: 0), via: nil), .view,
        ]
    )
    guard case .checkpoint(let checkpoint) = run.events[1] else {
      Issue.record("the log begins with a checkpoint")
      return
    }
    #expect(checkpoint.seq == 2)
    #expect(checkpoint.effects.map(\.name) == ["timer"])
    #expect(checkpoint.effects.first?.cancelID?.type == "Player.CancelID")
    let ends = run.events.compactMap { event -> LogEvent.Effect? in
      if case .effect(let effect) = event { effect } else { nil }
    }
    #expect(ends.first?.event == .cancelled(by: .action(seq: 5)))
    try expectIdentical()
  }

  @Test("A restarted effect of a child is canceled when the child is removed")
  func child() async throws {
    await recordPlayer(
      .push,
      .open,
      .sheet(.presented(.load)),
      .path(.element(id: 0, action: .load))
    )
    let clock = TestClock()
    var store: Store? = try open(clock: clock) { _ in
      .effect(.run { _ in try await Task.never() })
    }
    #expect(store?.unfinishedEffects.map(\.description) == ["3.0", "4.0"])
    store?.send(.close)
    while store?.unfinishedEffects.count == 2 { await Task.yield() }
    #expect(store?.unfinishedEffects.map(\.description) == ["4.0"])
    store?.send(.push)
    #expect(store?.state.path.ids.map(\.description) == ["#0", "#1"])
    store?.send(.path(.popFrom(id: 0)))
    while store?.unfinishedEffects.isEmpty == false { await Task.yield() }
    store = nil
    try expectIdentical()
  }

  @Test("An action that restarts an effect is the first action of the new log")
  func actions() async throws {
    await recordPlayer(.start, .open, .sheet(.presented(.load)))
    let clock = TestClock()
    var store: Store? = try open(clock: clock) { effect in
      effect.name == "timer" ? .action(.start) : nil
    }
    #expect(store?.restoredPosition?.effects.map(\.outcome) == [.actionSent, .declined])
    await advance(clock, 3)
    #expect(store?.state.seconds == 3)
    store = nil
    #expect(try RecordedRun(new).actions(after: 3).first?.action == ["start": [:]])
    try expectIdentical()
  }

  @Test("A restarted concatenation runs its effects in order, including those that had not started")
  func concatenation() async throws {
    await recordPlayer(.later("done"))
    let clock = TestClock()
    var store: Store? = try open(clock: clock) { effect in
      if let action = try? effect.sentAction(as: Player.Action.self) {
        return .effect(.send(action))
      }
      return .effect(.run { _ in try await clock.sleep(for: .seconds(5)) })
    }
    while clock.sleeperCount < 1 { await Task.yield() }
    await clock.advance(by: .seconds(5))
    while store?.unfinishedEffects.isEmpty == false { await Task.yield() }
    store = nil
    let actions = try RecordedRun(new).actions(after: 1)
    #expect(actions.map(\.action) == [["said": ["_0": "done"]]])
    #expect(actions.first?.origin == .effect(EffectID(seq: 1, index: 1), via: nil))
    try expectIdentical()
  }

  @Test func `a restarted effect that waits cancels the effects in flight when it starts`()
    async throws
  {
    await recordPlayer(.start, .restartLater)
    let gates = Gates()
    var store: Store? = try open { effect in
      let name = effect.name ?? ""
      return .effect(
        .run { _ in if name == "timer" { try await Task.never() } else { await gates.wait(name) } }
      )
    }
    while gates.count < 1 { await Task.yield() }
    // The new log begins with the first action.
    store?.send(.tick)
    #expect(gates.open("wait"))
    while gates.count < 1 { await Task.yield() }
    #expect(store?.unfinishedEffects.map(\.description).contains("2.1") == true)
    store = nil
    #expect(gates.open("other"))
    let log = try folder.read("new.jsonl")
    #expect(
      log.contains(#"{"kind":"effect","id":"1.0","event":"cancelled","by":{"action":2},"#),
      "\(log)"
    )
    try expectIdentical()
  }

  @Test("A restarted effect with several operations gets an id for each of them")
  func several() async throws {
    await recordPlayer(.start, .push)
    var store: Store? = try open { _ in
      .effect(.merge(.send(.tick), .send(.tick), .run { _ in try await Task.never() }))
    }
    #expect(store?.state.seconds == 2)
    #expect(store?.unfinishedEffects.map(\.description) == ["1.2"])
    store?.send(.stop)
    while store?.unfinishedEffects.isEmpty == false { await Task.yield() }
    store = nil
    #expect(
      try RecordedRun(new).actions(after: 2).map(\.origin.json)
        == [["effect": "1.0"], ["effect": "1.1"], "view"]
    )
    try expectIdentical()
  }

  @Test("A host restarts effects as its feature specifies and reports those it left out")
  func host() async throws {
    await recordPlayer(.start, .open, .sheet(.presented(.load)))
    var request = RecordRequest(feature: "Player", steps: [.send(["tick": [:]])], path: new)
    request.start = RecordRequest.Start(.file(path), through: 3)
    let found = Mutex<RecordRequest.Resumed?>(nil)
    request.didResume = { resumed in found.withLock { $0 = resumed } }
    let summary = try await LiveRecording(request).run(
      reducer: { Player() },
      initialState: { Player.State() },
      restarting: { effect in
        effect.name == "timer" ? .effect(.run { _ in try await Task.never() }) : nil
      }
    )
    #expect(summary == RecordSummary(path: new, actions: 1))
    let resumed = try #require(found.withLock { $0 })
    #expect(resumed.seq == 3)
    #expect(resumed.restarted.map(\.name) == ["timer"])
    #expect(resumed.left.map(\.name) == ["load"])
    #expect(resumed.left.first?.action == ["sheet": ["_0": ["presented": ["_0": ["load": [:]]]]]])
    try expectIdentical()
  }

  @Test("A restarted effect without operations is reported because there is nothing to run")
  func nothing() async throws {
    await recordPlayer(.start)
    let store = try open { _ in .effect(.none) }
    #expect(store.restoredPosition?.effects.map(\.outcome) == [.nothingToRun])
    #expect(store.unfinishedEffects == [])
  }

  @Test("A store with an initial state has no restored position")
  func anew() {
    let store = Store(initialState: Player.State()) {
      Player()
    } withDependencies: {
      $0.continuousClock = TestClock()
    }
    #expect(store.restoredPosition == nil)
  }
}
