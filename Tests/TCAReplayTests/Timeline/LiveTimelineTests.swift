import ActionLog
import Foundation
import TCAReplay
import TestSupport
import Testing

@testable import ReplayEngine
@testable import TCAReplaying

/// Timelines of a running session.
@MainActor
struct LiveTimelineTests {
  private let gates = Gates()

  private func timeline(
    _ configuration: TimelineConfiguration = TimelineConfiguration(),
    storage: UserDefaults = .inMemory,
    load: (@Sendable (String) async -> Void)? = nil,
    restarting restart: (@MainActor (RestoredEffect) -> EffectRestart<Planner.Action>?)? = nil
  ) -> StoreTimeline<Planner.State, Planner.Action> {
    StoreTimeline(initialState: Planner.State(), configuration: configuration) {
      Planner()
    } withDependencies: { [gates] in
      $0.defaultAppStorage = storage
      $0.planner.load = load ?? { await gates.wait($0) }
    } restarting: {
      restart?($0)
    }
  }

  private func waitForEffects(_ count: Int) async {
    while gates.count < count { await Task.yield() }
  }

  /// Returns whether each log of an export replays identically up to its end.
  private func areSame(_ data: Data) throws -> [Bool] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/export.jsonl"
    try data.write(to: URL(filePath: path))
    return try LogSlice.slices(of: path, name: path).map { log in
      try ReplayCheck(log: log).run { _ in
        ReducerEngine(reducer: { Planner() }, initialState: { Planner.State() })
      }.verdict.isSame
    }
  }

  @Test func `a live timeline shows each past state and returns to the present`() throws {
    let timeline = timeline()
    let store = timeline.store
    var states = [timeline.loggedState]
    for action in [Planner.Action.increment, .add, .open, .raise, .push(1), .increment] {
      store.send(action)
      states.append(timeline.loggedState)
    }
    #expect(timeline.positions == 0...6)
    #expect(timeline.position == 6)
    #expect(!timeline.isInPast)
    let present = store.withState { $0 }
    for position in [5, 0, 3, 1, 4] {
      timeline.position = position
      #expect(timeline.isInPast)
      #expect(timeline.position == position)
      #expect(timeline.loggedState == states[position], "position \(position)")
    }
    timeline.returnToPresent()
    #expect(!timeline.isInPast)
    #expect(timeline.position == 6)
    #expect(store.withState { $0 } == present)
    #expect(timeline.loggedState == states[6])
    store.send(.increment)
    #expect(store.count == 3)
    timeline.step(by: -1)
    #expect(timeline.position == 6)
    #expect(timeline.loggedState == states[6])
    timeline.step(by: 1)
    #expect(!timeline.isInPast)
  }

  @Test func `returning to the present notifies only the observers of values that differ`() throws {
    let timeline = timeline()
    let store = timeline.store
    for action in [Planner.Action.add, .add, .open, .increment] { store.send(action) }
    timeline.position = 3
    let observers = Observers<Planner.State>([
      ("count", { store.count }), ("rows", { store.rows.ids }),
      ("row", { store.rows[id: 1]?.title as Any }), ("detail", { store.detail?.text as Any }),
      ("total", { store.total }),
    ])
    _ = observers.take()
    timeline.returnToPresent()
    #expect(observers.take() == ["count"])
  }

  @Test func `a live timeline in the past drops actions of views and reports what to do instead`() {
    let issues = TimelineIssues()
    let timeline = timeline()
    timeline.store.send(.increment)
    timeline.store.send(.open)
    timeline.position = 1
    let task = withIssueReporters([issues]) {
      timeline.store.send(.add)
      return timeline.store.send(.load("a"))
    }
    #expect(task.isCancelled)
    #expect(timeline.store.rows.isEmpty)
    #expect(timeline.store.refusedActions == 2)
    #expect(
      issues.messages == [
        """
        An action was sent while the store shows a state of the past: …

            Planner.Action.add

        It was dropped, and so are others until the store is live again. Call "returnToPresent()" or \
        "continueFromHere()" of the timeline first.
        """
      ]
    )
    timeline.returnToPresent()
    #expect(timeline.store.rows.isEmpty)
    timeline.store.send(.add)
    #expect(timeline.store.rows.count == 1)
  }

  @Test
  func `a live timeline in the past holds actions of effects and delivers them in the present`()
    async throws
  {
    let timeline = timeline()
    let store = timeline.store
    for name in ["a", "b", "c"] { store.send(.load(name)) }
    await waitForEffects(3)
    timeline.position = 1
    for (index, name) in ["c", "a", "b"].enumerated() {
      #expect(gates.open(name))
      while timeline.heldActionCount <= index { await Task.yield() }
      #expect(store.events == [])
    }
    timeline.position = 2
    #expect(store.events == [])
    #expect(timeline.positions == 0...3)
    timeline.returnToPresent()
    #expect(store.events == ["c", "a", "b"])
    #expect(timeline.heldActionCount == 0)
    #expect(timeline.positions == 0...6)
    while !store.isIdle { await Task.yield() }
    timeline.position = 5
    #expect(store.events == ["c", "a"])
    #expect(try areSame(timeline.export()) == [true])
  }

  @Test func `a view whose task is canceled in the past cancels no effect of the live store`()
    async throws
  {
    let timeline = timeline()
    let task = timeline.store.send(.load("a"))
    await waitForEffects(1)
    timeline.position = 0
    task.cancel()
    timeline.returnToPresent()
    #expect(gates.open("a"))
    await task.finish()
    #expect(timeline.store.events == ["a"])
  }

  @Test func `a timeline returns to the present at the limit of held actions`() async throws {
    var configuration = TimelineConfiguration()
    configuration.heldActions = 2
    let timeline = timeline(configuration)
    for name in ["a", "b", "c"] { timeline.store.send(.load(name)) }
    await waitForEffects(3)
    timeline.position = 0
    for name in ["a", "b"] { #expect(gates.open(name)) }
    while timeline.isInPast { await Task.yield() }
    #expect(Set(timeline.store.events) == ["a", "b"])
    #expect(timeline.position == 5)
  }

  @Test func `a timeline that continues from the past records a new branch`() async throws {
    var asked: [RestoredEffect] = []
    let timeline = timeline(restarting: {
      asked.append($0)
      return nil
    })
    let store = timeline.store
    store.send(.increment)
    store.send(.load("alive"))
    store.send(.add)
    store.send(.load("later"))
    store.send(.open)
    await waitForEffects(2)
    timeline.position = 3
    #expect(gates.open("later"))
    while timeline.heldActionCount < 1 { await Task.yield() }
    let place = try #require(try timeline.continueFromHere())
    #expect(place.seq == 3)
    #expect(place.effects.map(\.id) == [EffectID(seq: 2, index: 0)])
    #expect(place.effects.map(\.outcome) == [.declined])
    #expect(asked.count == 1)
    #expect(!timeline.isInPast)
    #expect(timeline.position == 3)
    #expect(store.events == [])
    #expect(store.detail == nil)
    #expect(gates.open("alive"))
    while !store.isIdle { await Task.yield() }
    #expect(store.events == [])
    store.send(.add)
    store.send(.open)
    #expect(store.rows.count == 2)
    #expect(timeline.positions == 0...5)
    timeline.position = 2
    #expect(store.count == 1)
    #expect(store.rows.isEmpty)
    timeline.position = 4
    #expect(store.rows.count == 2)
    #expect(store.detail == nil)
    timeline.returnToPresent()
    #expect(store.detail != nil)
    let data = try timeline.export()
    #expect(try areSame(data) == [true, true])
    var reader = LogReader(bytes: [UInt8](data))
    var headers: [LogEvent.Header] = []
    while let event = try reader.next()?.event {
      if case .header(let header) = event { headers.append(header) }
    }
    #expect(headers.count == 2)
    #expect(headers.last?.continues?.log == headers.first?.id)
    #expect(headers.last?.continues?.seq == 3)
  }

  @Test
  func `an effect that a new branch restarts runs and can be canceled like the original effect`()
    async throws
  {
    let timeline = timeline(restarting: { effect in
      .effect(.run { send in await send(.finished("again \(effect.id)")) })
    })
    timeline.store.send(.load("a"))
    timeline.store.send(.stop)
    await waitForEffects(1)
    timeline.position = 1
    let place = try timeline.continueFromHere()
    #expect(place?.effects.map(\.outcome) == [.runs])
    #expect(gates.open("a"))
    while timeline.store.events.isEmpty { await Task.yield() }
    #expect(timeline.store.events == ["again 1.0"])
    timeline.position = 1
    try timeline.continueFromHere()
    timeline.store.send(.stop)
    while !timeline.store.isIdle { await Task.yield() }
    #expect(timeline.store.events == [])
    #expect(try areSame(timeline.export()) == [true, true, true])
  }

  @Test func `a feature presented in a past state can be dismissed after continuing from there`()
    async throws
  {
    let timeline = timeline()
    let store = timeline.store
    for action in [Planner.Action.open, .detail(.presented(.hit)), .detail(.dismiss)] {
      store.send(action)
    }
    timeline.position = 2
    #expect(store.detail?.hits == 1)
    try timeline.continueFromHere()
    await store.send(.detail(.presented(.close))).finish()
    #expect(store.detail == nil)
    #expect(try areSame(timeline.export()) == [true, true])
  }

  @Test func `shared values follow the position of a timeline, but are saved only in the present`()
    async throws
  {
    let storage = UserDefaults.inMemory
    let total = withDependencies {
      $0.defaultAppStorage = storage
    } operation: {
      Shared(wrappedValue: 0, .appStorage("total"))
    }
    let timeline = timeline(storage: storage) { [gates] name in
      await gates.wait(name)
      total.withLock { $0 += 100 }
    }
    for _ in 0..<3 { timeline.store.send(.raise) }
    timeline.store.send(.load("a"))
    await waitForEffects(1)
    #expect(storage.integer(forKey: "total") == 3)
    timeline.position = 1
    #expect(timeline.store.total == 1)
    #expect(storage.integer(forKey: "total") == 3)
    let issues = TimelineIssues()
    withIssueReporters([issues]) { timeline.store.$total.withLock { $0 = 50 } }
    #expect(timeline.store.total == 1)
    #expect(
      issues.messages == [
        """
        The shared value "appStorage(total)" was to be changed while the store shows a state of the past. It was not \
        changed. Call "returnToPresent()" or "continueFromHere()" of the timeline first.
        """
      ]
    )
    #expect(gates.open("a"))
    while timeline.heldActionCount < 1 { await Task.yield() }
    #expect(timeline.store.total == 1)
    #expect(storage.integer(forKey: "total") == 3)
    timeline.returnToPresent()
    #expect(timeline.store.total == 103)
    #expect(storage.integer(forKey: "total") == 103)
    timeline.position = 2
    #expect(timeline.store.total == 2)
    try timeline.continueFromHere()
    #expect(timeline.store.total == 2)
    #expect(storage.integer(forKey: "total") == 2)
  }

  @Test func `the recording of a timeline is bounded, masked and filtered`() throws {
    var configuration = TimelineConfiguration()
    configuration.megabytes = 0.05
    configuration.masks.state = ["/title"]
    configuration.actions.exclude = ["/add"]
    let timeline = timeline(configuration)
    let title = timeline.store.title
    for _ in 0..<150 {
      timeline.store.send(.increment)
      timeline.store.send(.add)
    }
    let positions = timeline.positions
    #expect(positions.lowerBound > 0)
    #expect(positions.upperBound == 300)
    timeline.position = positions.lowerBound + 1
    #expect(timeline.position == positions.lowerBound + 1)
    #expect(timeline.store.title != title)
    timeline.position = 0
    #expect(timeline.position == positions.lowerBound)
    timeline.position = 299
    #expect(timeline.store.rows.count == 149)
    timeline.returnToPresent()
    #expect(timeline.store.title.hasPrefix(title))
    let export = try timeline.export()
    #expect(export.count < 200_000)
    #expect(!String(decoding: export, as: UTF8.self).contains(#"{"add":"#))
  }

  @Test func `moving a timeline many times neither loses nor repeats an action of an effect`()
    async throws
  {
    let timeline = timeline()
    let store = timeline.store
    var random = SplitMix64(seed: 53)
    var expected: [String] = []
    var names: [String] = []
    for round in 0..<Thoroughness.count(60, thorough: 1_000) {
      while names.count < 50 {
        names.append("\(round).\(names.count)")
        store.send(.load(names[names.count - 1]))
        await waitForEffects(names.count)
      }
      timeline.position = Int.random(in: 0..<store.events.count + 1, using: &random)
      #expect(timeline.isInPast)
      for held in 1...Int.random(in: 1...3, using: &random) {
        let name = names.remove(at: Int.random(in: names.indices, using: &random))
        #expect(gates.open(name))
        while timeline.heldActionCount < held { await Task.yield() }
        expected.append(name)
      }
      timeline.returnToPresent()
      #expect(store.events.count == expected.count)
    }
    #expect(store.events == expected)
  }
}
