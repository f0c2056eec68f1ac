import TCACore
import Testing

/// A presented feature that dismisses itself.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct DismissTests {
  private let gate = Gate()

  @Test func `dismiss removes a presented child and cancels its other effects`() async {
    let store = Store(initialState: Desk.State()) { Desk() }
    let tasks = [
      store.send(.set(Job.State())),
      store.send(.job(.presented(.work(gate, as: "a")))),
      store.send(.job(.presented(.closeWhenOpen(gate)))),
      store.send(.job(.presented(.close))),
    ]
    for task in tasks { await task.finish() }
    #expect(store.job == nil)
    #expect(store.origins == ["effect [] dismiss"])
    #expect(await store.becomesIdle())
  }

  @Test func `dismiss ends the child's effect and drops its later sends`() async {
    let store = Store(initialState: Desk.State(job: Job.State())) { Desk() }
    let task = store.send(.job(.presented(.closeWhenOpen(gate))))
    gate.open()
    await task.finish()
    // The starting action and the dismissal, without an issue about a missing state.
    #expect(store.seen.count == 2)
  }

  @Test func `a child of the initial state can dismiss itself in its first action`() async {
    let store = Store(initialState: Desk.State(job: Job.State())) { Desk() }
    await store.send(.job(.presented(.close))).finish()
    #expect(store.job == nil)
    #expect(await store.becomesIdle())
  }

  @Test(arguments: [Desk.Action.setAfter(Job.State()), .setBefore(Job.State())])
  func `a child that another reducer has presented can dismiss itself`(present: Desk.Action) async {
    let store = Store(initialState: Desk.State()) { Desk() }
    store.send(present)
    store.send(.job(.presented(.closeWhenOpen(gate))))
    await store.send(.job(.presented(.close))).finish()
    #expect(store.job == nil)
    store.send(.cancel)
    #expect(await store.becomesIdle())
  }

  @Test(arguments: ["animation", "transaction"])
  func `dismiss with an animation or a transaction also removes the child`(by way: String) async {
    let store = Store(initialState: Desk.State(job: Job.State())) { Desk() }
    await store.send(.job(.presented(.closeAnimated(way)))).finish()
    #expect(store.job == nil)
    #expect(store.origins == ["effect [] dismiss"])
    #expect(await store.becomesIdle())
  }

  @Test
  func `a DismissEffect that is created from a closure calls it, with and without an animation`()
    async
  {
    let count = LockIsolated(0)
    let dismiss = DismissEffect { count.withValue { $0 += 1 } }
    await dismiss()
    await dismiss(animation: .default)
    await dismiss(transaction: Transaction(animation: nil))
    #expect(count.value == 3)
  }

  @Test func `children that are presented one after another can each dismiss themselves`() async {
    let store = Store(initialState: Desk.State()) { Desk() }
    for _ in 1...3 {
      let task = store.send(.set(Job.State()))
      store.send(.job(.presented(.close)))
      await task.finish()
      #expect(store.job == nil)
    }
    #expect(store.origins.count == 3)
    #expect(await store.becomesIdle())
  }

  @Test func `dismiss removes only the innermost presentation`() async {
    let store = Store(initialState: Desk.State(desk: Desk.State(job: Job.State()))) { Desk() }
    await store.send(.desk(.presented(.job(.presented(.close))))).finish()
    #expect(store.desk != nil)
    #expect(store.desk?.job == nil)
    #expect(store.desk?.origins == ["effect [] dismiss"])
    #expect(store.origins == [])
  }

  @Test
  func `dismissing a parent sends no separate dismissal for a presentation within the parent`()
    async
  {
    let store = Store(initialState: Desk.State()) { Desk() }
    let tasks = [
      store.send(.setDesk(Desk.State())),
      store.send(.desk(.presented(.set(Job.State())))),
      store.send(.desk(.presented(.job(.presented(.work(gate, as: "a")))))),
      store.send(.desk(.dismiss)),
    ]
    for task in tasks { await task.finish() }
    #expect(store.origins == ["view"])
    #expect(await store.becomesIdle())
  }

  @Test func `the origin of a dismiss action is the effect that called dismiss`() async {
    let observer = Observer()
    let store = Store(initialState: Desk.State(job: Job.State())) {
      Marked(base: Desk(), observer: observer)
    }
    await store.send(.job(.presented(.close))).finish()
    #expect(store.origins == ["effect [1.0] dismiss"])
  }

  @Test func `dismiss reports an issue in a feature that is not presented`() async {
    let store = Store(initialState: Job.State()) { Job() }
    let issues = await recordingIssues { await store.send(.close).finish() }
    #expect(
      issues == [
        """
        A feature asked to be dismissed, but no parent presents it. Nothing happened. Ask "isPresented" \
        first, or present the feature with "ifLet" and "PresentationState" or in a "StackState".
        """
      ]
    )
    #expect(store.state == Job.State())
  }

  @Test func `isPresented tells whether a feature is presented`() {
    let root = Store(initialState: Job.State()) { Job() }
    root.send(.look)
    #expect(root.done == ["not presented"])
    let store = Store(initialState: Desk.State(job: Job.State())) { Desk() }
    store.send(.job(.presented(.look)))
    #expect(store.job?.done == ["presented"])
  }

  private final class Observer: EffectObserver {
    func effect(_ id: EffectID, didChange event: EffectLifecycleEvent) {}
  }

  /// Marks the feature's own effects, as a recorder does.
  private struct Marked: Reducer {
    let base: Desk
    let observer: Observer

    func reduce(into state: inout Desk.State, action: Desk.Action) -> Effect<Desk.Action> {
      let seq = DependencyValues._current.storeContext?.current?.number ?? 0
      var index = 0
      return base._reduce(into: &state, action: action).mapLeaves { leaf in
        guard !leaf.isInternal else { return }
        leaf.tags.append(
          EffectObserverTag(observer: observer, id: EffectID(seq: seq, index: index))
        )
        index += 1
      }
    }
  }
}
