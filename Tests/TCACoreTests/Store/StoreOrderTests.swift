import Foundation
import Observation
import Synchronization
import Testing

@testable import TCACore

/// A page with rows, a sheet and a stack.
///
/// Its reducer lets other threads run.
private struct Page: Reducer {
  @Reducer
  struct Child {
    @ObservableState
    struct State: Equatable, Identifiable {
      var id = 0
      var count = 0
    }

    enum Action { case add(Int) }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .add(let number):
          state.count += number
          return .none
        }
      }
    }
  }

  struct State: Equatable {
    var child = Child.State()
    var rows: IdentifiedArrayOf<Child.State> = [Child.State(id: 1), Child.State(id: 2)]
    @PresentationState var sheet: Child.State?
    var stack = StackState<Child.State>([Child.State(id: 1)])
    var seen: [Int] = []
  }

  @CasePathable
  enum Action {
    case child(Child.Action)
    case rows(IdentifiedActionOf<Child>)
    case sheet(PresentationAction<Child.Action>)
    case stack(StackActionOf<Child>)
    case open
  }

  let turns: Interleavings?

  var body: some Reducer<State, Action> {
    Scope(\State.child, action: \.child) { Child() }
    Reduce { state, action in
      turns?.pause()
      if case .open = action { state.sheet = Child.State() }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Child() }
    .ifLet(\.$sheet, action: \.sheet) { Child() }
    .forEach(\.stack, action: \.stack) { Child() }
    .onChange(of: \.child.count) { _, state in
      state.seen.append(state.child.count)
      return .none
    }
  }
}

/// Stores and reducers with their steps in every order.
@Suite(.timeLimit(.minutes(30))) struct StoreOrderTests {
  // MARK: Reducing on several threads

  /// Returns actions of a scope, a row, a presented child and a pushed child.
  private static func actions(_ element: StackElementID) -> [Page.Action] {
    [
      .child(.add(1)), .rows(.element(id: 2, action: .add(2))), .sheet(.presented(.add(3))),
      .sheet(.dismiss), .open, .stack(.element(id: element, action: .add(4))),
      .stack(.popFrom(id: element)),
    ]
  }

  @Test(arguments: 0..<7)
  func `a reducer gives the same states on concurrent threads as on a single thread`(first: Int) {
    for second in 0..<7 {
      let steps = [first, second]
      let start = Page.State(sheet: Page.Child.State())
      // This thread does not switch.
      let alone = steps.map { Self.reduce(nil, start, $0, in: StoreContext()) }
      Interleavings.count { turns in
        let states = steps.map { _ in LockIsolated(start) }
        let contexts = steps.map { _ in StoreContext() }
        for (index, step) in steps.enumerated() {
          turns.add {
            states[index].setValue(Self.reduce(turns, start, step, in: contexts[index]))
          }
        }
        return {
          for (index, state) in states.enumerated() {
            #expect(state.value == alone[index], "\(first), \(second)")
          }
        }
      }
    }
  }

  private static func reduce(
    _ turns: Interleavings?,
    _ state: Page.State,
    _ number: Int,
    in context: StoreContext
  ) -> Page.State {
    let page = Page(turns: turns)
    let action = actions(state.stack.ids[0])[number]
    return withDependencies {
      $0.storeContext = context
    } operation: {
      var state = state
      _ = page._reduce(into: &state, action: action)
      _ = page._reduce(into: &state, action: .child(.add(1)))
      return state
    }
  }

  // MARK: Effects that end while their store goes

  /// A step on the main actor, in the life of a store with a waiting effect.
  enum Step: CaseIterable, Sendable {
    /// The effect sends and returns.
    case end
    /// The task of the `send` is canceled.
    case cancel
    /// The last reference to the store is released.
    case release
  }

  private static let orders: [[Step]] = Step.allCases.flatMap { first in
    [[first]]
      + Step.allCases.filter { $0 != first }.flatMap { second in
        [[first, second]]
          + Step.allCases.filter { $0 != first && $0 != second }.map { [first, second, $0] }
      }
  }

  private final class Watcher: EffectObserver, StoreObserver {
    private let storage = Mutex<[String]>([])
    var events: [String] { storage.withLock { $0 } }

    func note(_ event: String) { storage.withLock { $0.append(event) } }

    func effect(_ id: EffectID, didChange event: EffectLifecycleEvent) {
      switch event {
      case .started: note("started")
      case .finished(let sent): note("finished, sent \(sent)")
      case .cancelled(let cause, _):
        switch cause {
        case .task: note("cancelled by task")
        case .store: note("cancelled by store")
        default: note("cancelled")
        }
      case .failed: note("failed")
      }
    }

    func storeDidFallIdle() {}
    func storeDidClose() { note("closed") }
  }

  @MainActor
  @Test(arguments: orders)
  func `an effect ends once in any order of its end, its cancellation and its store's release`(
    steps: [Step]
  ) async {
    let watcher = Watcher()
    let gate = Gate()
    let handled = LockIsolated<[String]>([])
    var store: Store<Int, String>? = Store(initialState: 0) {
      Reduce<Int, String> { _, action in
        handled.withValue { $0.append(action) }
        DependencyValues._current.storeContext?.observe(watcher)
        guard action == "start" else { return .none }
        return Effect<String>.run { send in
          await gate.waitUncancellably()
          await send("sent")
        }
        .mapLeaves { leaf in
          leaf.tags.append(EffectObserverTag(observer: watcher, id: EffectID(seq: 1, index: 0)))
        }
      }
    }
    let task = store?.send("start")
    var expected: [String] = []
    var isCancelled = false
    var hasEnded = false
    for step in steps {
      switch step {
      case .end:
        gate.open()
        await task?.finish()
        expected.append("finished, sent \(isCancelled ? 0 : 1)")
        hasEnded = true
      case .cancel:
        task?.cancel()
        if !hasEnded, !isCancelled { expected.append("cancelled by task") }
        isCancelled = true
      case .release:
        weak let weakStore = store
        store = nil
        #expect(weakStore == nil)
        if !hasEnded, !isCancelled { expected.append("cancelled by store") }
        isCancelled = true
      }
    }
    if !hasEnded {
      gate.open()
      await task?.finish()
      expected.append("finished, sent 0")
    }
    let events = watcher.events.filter { $0 != "closed" }
    #expect(events == expected)
    #expect(
      handled.value == (expected.contains("finished, sent 1") ? ["start", "sent"] : ["start"])
    )
    #expect(watcher.events.contains("closed") == steps.contains(.release))
    withExtendedLifetime(store) {}
  }

  @MainActor
  @Test func `a store that is released on another thread cancels its effects`() async {
    let wasCancelled = LockIsolated<Bool?>(nil)
    let (started, gate, ended) = (Gate(), Gate(), Gate())
    let holder = LockIsolated<Store<Int, String>?>(nil)
    do {
      let store = Store(initialState: 0) {
        Reduce<Int, String> { _, _ in
          .run { _ in
            started.open()
            await gate.wait()
            wasCancelled.setValue(Task.isCancelled)
            ended.open()
          }
        }
      }
      store.send("start")
      holder.setValue(store)
    }
    await started.wait()
    await Task.detached { holder.setValue(nil) }.value
    await ended.wait()
    #expect(wasCancelled.value == true)
  }

  // MARK: Observers that send

  /// An observer that sends while a store handles an action.
  enum Sender: CaseIterable, Sendable {
    case state, sharedValue, effect, storeObserver, otherStore
  }

  /// Sends once, at its first event.
  private final class SendingObserver: EffectObserver, StoreObserver {
    let send: LockIsolated<(@MainActor @Sendable () -> Void)?> = LockIsolated(nil)

    func fire() {
      let send = send.withValue { send in
        defer { send = nil }
        return send
      }
      if let send { MainActor.assumeIsolated { send() } }
    }

    func effect(_: EffectID, didChange _: EffectLifecycleEvent) { fire() }
    func storeDidFallIdle() { fire() }
    func storeDidClose() {}
  }

  @MainActor
  @Test(arguments: Sender.allCases)
  func `an action sent by a store's observer is handled once, after the current action`(
    sender: Sender
  ) async {
    let observer = SendingObserver()
    let handled = LockIsolated<[String]>([])
    let shared = Shared(value: 0)
    func makeStore() -> Store<Int, String> {
      Store(initialState: 0) {
        Reduce<Int, String> { state, action in
          let before = state
          handled.withValue { $0.append("\(action) at \(before)") }
          if action == "outer" { shared.withLock { $0 += 1 } }
          state += 1
          switch (action, sender) {
          case ("outer", .effect):
            return Effect<String>.run { _ in }.mapLeaves { leaf in
              leaf.tags.append(
                EffectObserverTag(observer: observer, id: EffectID(seq: 1, index: 0))
              )
            }
          case ("outer", .storeObserver):
            DependencyValues._current.storeContext?.observe(observer)
            return .none
          default: return .none
          }
        }
      }
    }
    let store = makeStore()
    let other = makeStore()
    observer.send.setValue { store.send("inner") }
    let issues = await recordingIssues {
      switch sender {
      case .state, .otherStore:
        withObservationTracking {
          _ = store.state
        } onChange: {
          MainActor.assumeIsolated { if sender == .otherStore { _ = other.send("other") } }
          observer.fire()
        }
      case .sharedValue:
        withObservationTracking {
          _ = shared.wrappedValue
        } onChange: {
          observer.fire()
        }
      case .effect, .storeObserver: break
      }
      await store.send("outer").finish()
    }
    let inner = ["outer at 0", "inner at 1"]
    #expect(
      handled.value == (sender == .otherStore ? ["outer at 0", "other at 0", "inner at 1"] : inner)
    )
    #expect(store.state == 2)
    #expect(store.isIdle)
    // A send is an issue while the store handles an action.
    let isReentrant = [.state, .sharedValue, .otherStore].contains(sender)
    #expect(issues.count == (isReentrant ? 1 : 0), "\(issues)")
  }
}
