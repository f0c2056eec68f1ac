import TCACore
import Testing

/// The tasks of sends, and the lifetimes of stores.
@MainActor
@Suite struct StoreTaskTests {
  private struct Chain {
    enum Action {
      case start
      case next
      case last
    }
    let gate = Gate()
    let started = Gate()

    @MainActor func store() -> Store<[String], Action> {
      Store(initialState: [String]()) {
        Reduce<[String], Action> { state, action in
          switch action {
          case .start:
            state.append("start")
            return .run { send in await send(.next) }
          case .next:
            state.append("next")
            return .run { send in
              started.open()
              await gate.wait()
              await send(.last)
            }
          case .last:
            state.append("last")
            return .none
          }
        }
      }
    }
  }

  @Test func `finish waits for effects that other effects have started`() async {
    let chain = Chain()
    let store = chain.store()
    let task = store.send(.start)
    chain.gate.open()
    await task.finish()
    #expect(store.state == ["start", "next", "last"])
    #expect(store.isIdle)
  }

  @Test func `canceling a store task also cancels the effects that its effects have started`()
    async
  {
    let chain = Chain()
    let store = chain.store()
    let task = store.send(.start)
    await chain.started.wait()
    #expect(!task.isCancelled)
    task.cancel()
    #expect(task.isCancelled)
    await task.finish()
    #expect(store.state == ["start", "next"])
    #expect(store.isIdle)
  }

  @Test(arguments: [true, false])
  func `the task of an action covers the effects of reentrant actions`(isCancelled: Bool) async {
    let (gate, started) = (Gate(), Gate())
    let reentrant = LockIsolated<Store<[String], String>?>(nil)
    let store = Store(initialState: [String]()) {
      Reduce<[String], String> { state, action in
        state.append(action)
        switch action {
        case "tap":
          let task = reentrant.value?.send("reentrant")
          #expect(task?.isCancelled == true)
          return .none
        case "reentrant":
          return .run { send in
            started.open()
            await gate.wait()
            await send("last")
          }
        default: return .none
        }
      }
    }
    reentrant.setValue(store)
    var task: StoreTask?
    let issues = recordingIssues { task = store.send("tap") }
    #expect(issues.count == 1, "\(issues)")
    reentrant.setValue(nil)
    await started.wait()
    #expect(task?.isCancelled == false)
    if isCancelled { task?.cancel() }
    gate.open()
    await task?.finish()
    #expect(store.state == ["tap", "reentrant"] + (isCancelled ? [] : ["last"]))
    #expect(store.isIdle)
  }

  @Test func `the task of an action without effects is finished`() async {
    let store = Store(initialState: 0) { Reduce<Int, Void> { _, _ in .none } }
    let task = store.send(())
    #expect(task.isCancelled)
    await task.finish()
  }

  @Test func `canceling a task that waits for finish cancels the effects`() async {
    let chain = Chain()
    let store = chain.store()
    let waiting = Task { await store.send(.start).finish() }
    await chain.started.wait()
    waiting.cancel()
    await waiting.value
    #expect(store.state == ["start", "next"])
    #expect(store.isIdle)
  }

  @Test func `releasing a root store cancels its effects`() async {
    let started = Gate()
    let wasCancelled = LockIsolated(false)
    let ended = Gate()
    var store: Store<Int, Void>? = Store(initialState: 0) {
      Reduce<Int, Void> { _, _ in
        .run { _ in
          started.open()
          await Gate().wait()
          wasCancelled.setValue(Task.isCancelled)
          ended.open()
        }
      }
    }
    weak let weakStore = store
    store?.send(())
    await started.wait()
    store = nil
    #expect(weakStore == nil)
    await ended.wait()
    #expect(wasCancelled.value)
  }

  @Test func `a child store keeps running effects after the root store is released`() async {
    struct Parent { var child = 0 }
    let gate = Gate()
    var store: Store<Parent, Int>? = Store(initialState: Parent()) {
      Scope(\Parent.child, action: \Case<Int>.self) {
        Reduce<Int, Int> { state, action in
          state += action
          guard action == 1 else { return .none }
          return .run { send in
            await gate.wait()
            await send(10)
          }
        }
      }
    }
    let child = store?.scope(\.child, action: \.self)
    weak let weakStore = store
    store = nil
    #expect(weakStore == nil)
    let task = child?.send(1)
    gate.open()
    await task?.finish()
    #expect(child?.state == 11)
  }
}
