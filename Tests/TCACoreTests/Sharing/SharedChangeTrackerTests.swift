import TCACore
import Testing

@Suite struct SharedChangeTrackerTests {
  struct State: Equatable {
    @Shared var count: Int
    @Shared var other: [Int]
    var plain = 0

    init() {
      _count = Shared(value: 0)
      _other = Shared(value: [1, 2])
    }
  }

  let tracker = SharedChangeTracker()

  /// Changes a state as a store with the tracker does.
  func reduce(_ state: inout State, _ change: (inout State) -> Void) {
    withDependencies {
      $0.sharedChangeTracker = tracker
    } operation: {
      change(&state)
    }
  }

  @Test func `an assertion changes the snapshot of the change tracker, but not the shared value`() {
    var state = State()
    let before = state
    reduce(&state) { $0.$count.withLock { $0 = 1 } }
    var expected = before
    tracker.assert {
      #expect(expected.count == 0, "the value before the step")
      expected.$count.withLock { $0 = 1 }
      #expect(expected.count == 1)
    }
    #expect(tracker.compare { expected == state })
    #expect(state.count == 1)
    #expect(tracker.unasserted.isEmpty)
    expected.plain = 1
    #expect(!tracker.compare { expected == state })
  }

  @Test func `a change tracker finds a difference if an assertion is wrong or missing`() {
    var state = State()
    let before = state
    reduce(&state) { $0.$count.withLock { $0 = 1 } }
    #expect(!tracker.compare { before == state }, "missing")
    tracker.assert { before.$count.withLock { $0 = 2 } }
    #expect(!tracker.compare { before == state }, "wrong")
    #expect(tracker.assert { before.count } == 2)
    #expect(SharedChangeTracker.live { tracker.assert { state.count } } == 2)
    #expect(tracker.assert { SharedChangeTracker.live { state.count } } == 1)
    #expect(before.count == 1 && state.count == 1)
    tracker.assert { before.$count.withLock { $0 = 1 } }
    #expect(tracker.compare { before == state })
  }

  @Test func `a change tracker finds a difference if an asserted change did not happen`() {
    let state = State()
    let version = tracker.snapshotVersion
    tracker.assert { state.$count.withLock { $0 = 1 } }
    #expect(tracker.snapshotVersion == version + 1)
    #expect(state.count == 0)
    #expect(!tracker.compare { state == state })
  }

  @Test func `an assertion can cover the shared changes of several actions`() {
    var state = State()
    let before = state
    reduce(&state) { $0.$count.withLock { $0 += 1 } }
    reduce(&state) { $0.$count.withLock { $0 += 1 } }
    tracker.assert {
      #expect(before.count == 0)
      before.$count.withLock { $0 = 2 }
    }
    #expect(tracker.compare { before == state })
  }

  @Test func `a change tracker lists shared values whose changes have not been asserted`() throws {
    var state = State()
    reduce(&state) { state in
      state.$count.withLock { $0 = 1 }
      state.$count.withLock { $0 = 2 }
      state.$other[0].withLock { $0 = 5 }
    }
    let changes = tracker.unasserted
    #expect(changes.map(\.name) == ["Array<Int>", "Int"])
    #expect(changes.map { $0.before as? Int } == [nil, 0])
    #expect(changes.map { $0.after as? Int } == [nil, 2])
    #expect(changes[0].before as? [Int] == [1, 2])
    #expect(changes[0].after as? [Int] == [5, 2])
    reduce(&state) { $0.$count.withLock { $0 = 0 } }
    #expect(tracker.unasserted.map(\.name) == ["Array<Int>"], "what came back is no change")
    tracker.reset()
    #expect(tracker.unasserted.isEmpty)
  }

  @Test func `asserting a member of a shared value does not assert its other changes`() {
    let numbers = Shared(value: [1, 2])
    let first = numbers[0]
    withDependencies {
      $0.sharedChangeTracker = tracker
    } operation: {
      numbers.withLock { $0 = [5, 6] }
    }
    tracker.assert { first.withLock { $0 = 5 } }
    #expect(tracker.compare { first == first })
    #expect(tracker.unasserted.count == 1)
    tracker.assert { numbers[1].withLock { $0 = 6 } }
    #expect(tracker.compare { numbers == numbers })
    #expect(tracker.unasserted.isEmpty)
  }

  @Test func `a difference of two states contains the expected and actual shared values`() {
    var state = State()
    let before = state
    reduce(&state) { state in
      state.plain = 1
      state.$count.withLock { $0 = 1 }
      state.$other.withLock { $0.append(3) }
    }
    tracker.assert { before.$count.withLock { $0 = 2 } }
    #expect(
      tracker.comparing { diff(before, state) } == """
          SharedChangeTrackerTests.State(
        -   count: 2,
        +   count: 1,
            other: [
              … (2 unchanged),
        +     [2]: 3
            ],
        -   plain: 0
        +   plain: 1
          )
        """
    )
    #expect(
      String(customDumping: state) == """
        SharedChangeTrackerTests.State(
          count: 1,
          other: [
            [0]: 1,
            [1]: 2,
            [2]: 3
          ],
          plain: 1
        )
        """
    )
  }

  @Test func `a change tracker ignores changes made outside the store`() {
    let state = State()
    state.$count.withLock { $0 = 1 }
    #expect(tracker.unasserted.isEmpty)
    #expect(tracker.compare { state == state })
    tracker.assert { #expect(state.count == 1) }
  }

  @MainActor @Test func `a change tracker records changes made by effects`() async {
    let store = Store(initialState: EffectSharer.State()) {
      EffectSharer()
    } withDependencies: {
      $0.sharedChangeTracker = tracker
    }
    await store.send(.tap).finish()
    #expect(store.count == 5)
    #expect(tracker.unasserted.map { $0.after as? Int } == [5])
  }

  @Test func `an assertion after a change tracker's reset starts with the current value`() {
    var state = State()
    reduce(&state) { $0.$count.withLock { $0 = 5 } }
    tracker.reset()
    tracker.assert {
      #expect(state.count == 5)
      state.$count.withLock { $0 = 5 }
    }
    #expect(tracker.compare { state == state })
  }
}

@Reducer
struct EffectSharer {
  @ObservableState
  struct State: Equatable {
    @Shared(value: 0) var count: Int
  }

  enum Action { case tap }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      .run { [count = state.$count] _ in count.withLock { $0 = 5 } }
    }
  }
}
