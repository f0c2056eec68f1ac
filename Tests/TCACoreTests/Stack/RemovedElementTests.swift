import TCACore
import Testing

/// Effects of elements are canceled by any reducer and any method that removes the elements.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct RemovedElementTests {
  private let gates = [Gate(), Gate(), Gate()]

  /// Starts the effects of three elements.
  private func startAll(
    from first: Int = 0,
    at gates: [Gate]? = nil,
    _ send: (Walk.Action) -> StoreTask
  ) -> [StoreTask] {
    (gates ?? self.gates).enumerated().map { index, gate in
      send(.path(.element(id: StackElementID(first + index), action: .work(gate, as: "\(index)"))))
    }
  }

  private func finish(_ tasks: [StoreTask]) async {
    for gate in gates { gate.open() }
    for task in tasks { await task.finish() }
  }

  private func walk() -> (StoreOf<Walk>, [StoreTask]) {
    let store = Store(initialState: Walk.State()) { Walk() }
    return (store, startAll { store.send($0) })
  }

  private func tour() -> (StoreOf<Tour>, [StoreTask]) {
    let store = Store(initialState: Tour.State()) { Tour() }
    return (store, startAll { store.send(.left($0)) })
  }

  @Test(arguments: Removal.all)
  func `a reducer before forEach that removes elements cancels their effects in the same send`(
    removal: Removal
  ) async {
    let (store, tasks) = walk()
    let issues = await recordingIssues {
      store.send(.removeBefore(removal))
      await finish(tasks)
    }
    #expect(store.arrived == removal.rest)
    #expect(issues == [])
  }

  @Test(arguments: Removal.all)
  func `the reducer that forEach wraps cancels removed elements' effects in the same send`(
    removal: Removal
  ) async {
    let (store, tasks) = walk()
    let issues = await recordingIssues {
      store.send(.removeWithin(removal))
      await finish(tasks)
    }
    #expect(store.arrived == removal.rest)
    #expect(issues == [])
  }

  @Test(arguments: Removal.all)
  func `a reducer after forEach that removes elements cancels their effects with the next action`(
    removal: Removal
  ) async {
    let (store, tasks) = walk()
    let issues = await recordingIssues {
      store.send(.removeAfter(removal))
      store.send(.look)
      await finish(tasks)
    }
    #expect(store.arrived == removal.rest)
    #expect(issues == [])
  }

  @Test(arguments: Removal.all)
  func `an outer reducer that removes elements cancels their effects with the next action`(
    removal: Removal
  ) async {
    let (store, tasks) = tour()
    let issues = await recordingIssues {
      store.send(.remove(removal))
      store.send(.left(.look))
      await finish(tasks)
    }
    #expect(store.left.arrived == removal.rest)
    #expect(issues == [])
  }

  @Test(arguments: [Tour.Action.replaceLeft, .replaceAll])
  func `replacing the parent's state cancels the effects of its stack elements`(
    replace: Tour.Action
  ) async {
    let (store, tasks) = tour()
    let issues = await recordingIssues {
      store.send(replace)
      store.send(.left(.look))
      await finish(tasks)
    }
    #expect(store.left.arrived == [])
    #expect(issues == [])
  }

  @Test func `an action of a sibling scope cancels no effects of stack elements`() async {
    let (store, tasks) = tour()
    store.send(.right(.look))
    let otherGates = [Gate(), Gate(), Gate()]
    let others = startAll(from: 3, at: otherGates) { store.send(.right($0)) }
    store.send(.left(.look))
    store.send(.right(.look))
    for gate in otherGates { gate.open() }
    await finish(tasks + others)
    #expect(store.left.arrived == [0, 1, 2])
    #expect(store.right.arrived == [3, 4, 5])
  }

  @Test func `restoring an earlier copy of a stack cancels the effects of later elements`() async {
    let store = Store(initialState: Walk.State()) { Walk() }
    store.send(.removeWithin(Removal("removeLast(_:)") { $0.removeLast(2) }))
    store.send(.look)
    let earlier = store.path
    store.send(.removeWithin(Removal("append(_:)") { $0.append(Job.State(id: 3)) }))
    let task = store.send(.path(.element(id: 3, action: .work(gates[0], as: "a"))))
    store.send(.removeBefore(Removal("undo") { $0 = earlier }))
    await finish([task])
    #expect(store.arrived == [])
  }

  @Test func `child reducers that a parent calls directly do not cancel each other's effects`()
    async
  {
    let store = Store(initialState: Tour.State()) { HandmadeTour() }
    let tasks = startAll { store.send(.left($0)) }
    store.send(.right(.look))
    store.send(.left(.look))
    await finish(tasks)
    #expect(store.left.arrived == [0, 1, 2])
  }

  @Test func `stack elements in a state copied from another store can pop themselves`() async {
    let (first, tasks) = walk()
    await finish(tasks)
    let second = Store(initialState: first.state) { Walk() }
    await second.send(.path(.element(id: 1, action: .close))).finish()
    #expect(Array(second.path.ids) == [0])
  }

  @Test func `a store is idle after its removed stack elements' effects have ended`() async {
    let (store, tasks) = walk()
    store.send(.removeBefore(Removal.all[3]))
    await finish(tasks)
    #expect(await store.becomesIdle())
  }
}
