import TCACore
import Testing

/// A stack of features and their parent.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct StackTests {
  private let store = Store(
    initialState: Trip.State(path: StackState([Job.State(), Job.State(), Job.State()]))
  ) { Trip() }
  private let gates = [Gate(), Gate(), Gate()]

  /// Starts the effects of all three elements.
  private func startAll() -> [StoreTask] {
    gates.enumerated().map { index, gate in
      store.send(.path(.element(id: StackElementID(index), action: .work(gate, as: "\(index)"))))
    }
  }

  private func finish(_ tasks: [StoreTask]) async {
    for gate in gates { gate.open() }
    for task in tasks { await task.finish() }
  }

  private var ids: [StackElementID] { Array(store.path.ids) }

  @Test func `forEach on a stack runs the element's reducer before the parent's`() {
    let issues = recordingIssues {
      _ = store.send(.path(.element(id: 1, action: .done("a"))))
    }
    #expect(issues == [])
    #expect(store.path[id: 1]?.done == ["a"])
    #expect(store.seen == [[0, 1, 2]])
    #expect(store.seenDone == [["a"]])
  }

  @Test(arguments: [
    StackAction<Job.State, Job.Action>.element(id: 7, action: .cancel), .popFrom(id: 7),
    .push(id: 1, state: Job.State()),
  ])
  func `a stack action that does not match the stack reports an issue and the parent runs`(
    action: StackAction<Job.State, Job.Action>
  ) {
    let issues = recordingIssues { _ = store.send(.path(action)) }
    #expect(issues.count == 1)
    #expect(store.seen.count == 1)
    #expect(ids == [0, 1, 2])
  }

  @Test func `a pushed element is in the stack when the parent runs`() {
    store.send(.path(.push(id: 3, state: Job.State())))
    #expect(store.seen == [[0, 1, 2, 3]])
    store.send(.path(.popFrom(id: 3)))
    store.send(.append(Job.State()))
    #expect(ids == [0, 1, 2, 4])
  }

  @Test
  func `a push with an id beyond the next one reports an issue in tests and adds the element`() {
    let issues = recordingIssues { _ = store.send(.path(.push(id: 9, state: Job.State()))) }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("#9, while the next one of the store is #3") == true)
    #expect(ids == [0, 1, 2, 9])
  }

  @Test func `when elements are popped, the parent sees them before their effects are canceled`()
    async
  {
    let tasks = startAll()
    store.send(.path(.popFrom(id: 1)))
    #expect(store.seen.last == [0, 1, 2])
    #expect(ids == [0])
    await finish(tasks)
    #expect(store.path.map(\.done) == [["0"]])
  }

  @Test func `removing one stack element cancels only its effects`() async {
    let tasks = startAll()
    store.send(.remove(1))
    await finish(tasks)
    #expect(ids == [0, 2])
    #expect(store.path.map(\.done) == [["0"], ["2"]])
  }

  @Test func `removing an element before forEach cancels effects in the same send`() async {
    let tasks = startAll()
    store.send(.removeBefore(1))
    await tasks[1].finish()
    await finish(tasks)
    #expect(store.path.map(\.done) == [["0"], ["2"]])
  }

  @Test func `removing an element after forEach cancels effects at the next action`() async {
    let tasks = startAll()
    store.send(.removeBehind(1))
    store.send(.append(Job.State()))
    await tasks[1].finish()
    await finish(tasks)
    #expect(store.path.map(\.done) == [["0"], ["2"], []])
  }

  @Test func `a stack element that dismisses itself is popped with all elements above it`() async {
    let tasks = startAll()
    await store.send(.path(.element(id: 1, action: .close))).finish()
    await finish(tasks)
    #expect(ids == [0])
    #expect(store.path.map(\.done) == [["0"]])
    #expect(store.origins == ["effect [] dismiss"])
  }

  @Test func `a cancellation reaches descendants, but no siblings or parents`() async {
    let own = Gate()
    var tasks = startAll() + [store.send(.work(own))]
    store.send(.path(.element(id: 0, action: .cancel)))
    own.open()
    await finish(tasks)
    #expect(store.path.map(\.done) == [[], ["1"], ["2"]])
    #expect(store.done == ["parent"])
    tasks = startAll()
    store.send(.cancel)
    for task in tasks { await task.finish() }
    #expect(store.path.map(\.done) == [[], ["1"], ["2"]])
  }

  @Test func `the task of a send does not wait for the removal of initial stack elements`() async {
    let task = store.send(.cancel)
    #expect(task.isCancelled)
    task.cancel()
    await store.send(.path(.element(id: 2, action: .work(openGate, as: "a")))).finish()
    #expect(store.path[id: 2]?.done == ["a"])
    await store.send(.path(.element(id: 1, action: .close))).finish()
    #expect(ids == [0])
  }

  @Test func `the task of a send that pushes an element ends when the element is popped`() async {
    let task = store.send(.path(.push(id: 3, state: Job.State())))
    #expect(!task.isCancelled)
    store.send(.path(.popFrom(id: 3)))
    await task.finish()
    #expect(ids == [0, 1, 2])
  }

  private var openGate: Gate {
    let gate = Gate()
    gate.open()
    return gate
  }

  @Test func `a store is idle after all stack elements are popped`() async {
    let tasks = [
      store.send(.path(.element(id: 2, action: .work(Gate(), as: "a")))),
      store.send(.path(.popFrom(id: 0))),
    ]
    for task in tasks { await task.finish() }
    #expect(await store.becomesIdle())
  }
}
