import Synchronization
import TCACore
import Testing

/// Stores its events in the words of a log.
private final class Watcher: EffectObserver, StoreObserver {
  private let storage = Mutex<[String]>([])
  var events: [String] { storage.withLock { $0 } }

  func note(_ event: String) {
    storage.withLock { $0.append(event) }
  }

  func effect(_ id: EffectID, didChange event: EffectLifecycleEvent) {
    switch event {
    case .started: note("\(id) started")
    case .finished(let sent): note("\(id) finished, sent \(sent)")
    case .cancelled(.action(let stamp), _): note("\(id) cancelled by action \(stamp.number)")
    case .cancelled(.effect(let tags), let dropping):
      let dropped = dropping > 0 ? ", dropping \(dropping)" : ""
      note("\(id) cancelled by effect \(tags.map(\.id))\(dropped)")
    case .cancelled(.task, _): note("\(id) cancelled by task")
    case .cancelled(.store, _): note("\(id) cancelled by store")
    case .cancelled(.other, _): note("\(id) cancelled")
    case .failed: note("\(id) failed")
    }
  }

  func storeDidFallIdle() {}
  func storeDidClose() { note("closed") }
}

/// Acts as a recorder: stores each action and tags the leaves of its effect.
private struct Watching<Base: Reducer>: Reducer where Base.Action == String {
  let base: Base
  let watcher: Watcher

  func reduce(into state: inout Base.State, action: String) -> Effect<String> {
    let stamp = DependencyValues._current.storeContext?.current
    let number = stamp?.number ?? 0
    switch stamp?.origin {
    case .view: watcher.note("\(number) \(action) from view")
    case .effect(let tags, _): watcher.note("\(number) \(action) from \(tags.map(\.id))")
    case .reentrant(let outer): watcher.note("\(number) \(action) from inside \(outer)")
    case nil: watcher.note("no stamp")
    }
    var index = 0
    return base._reduce(into: &state, action: action).mapLeaves { leaf in
      leaf.tags.append(
        EffectObserverTag(observer: watcher, id: EffectID(seq: number, index: index))
      )
      index += 1
    }
  }
}

/// The events of actions and effects for observers.
@MainActor
@Suite struct StoreHooksTests {
  private struct ID: Hashable {}
  private let watcher = Watcher()

  private func store(_ effect: @escaping (String) -> Effect<String>) -> Store<Int, String> {
    Store(initialState: 0) {
      Watching(base: Reduce<Int, String> { _, action in effect(action) }, watcher: watcher)
    }
  }

  @Test func `a store's observers receive the origin of each action`() async {
    let store = store { action in
      switch action {
      case "tap": .merge(.send("sync"), .run { send in await send("async") })
      default: .none
      }
    }
    await store.send("tap").finish()
    #expect(
      watcher.events == [
        "1 tap from view", "2 sync from [1.0]", "3 async from [1.1]", "1.1 finished, sent 1",
      ]
    )
  }

  @Test func `a store's observers receive a cancellation between its actions`() async {
    let gate = Gate()
    let store = store { action in
      switch action {
      case "start": .run { _ in await gate.wait() }.cancellable(id: ID())
      case "cancel": .merge(.cancel(id: ID()), .send("next"))
      default: .none
      }
    }
    let task = store.send("start")
    store.send("cancel")
    #expect(
      watcher.events == [
        "1 start from view", "2 cancel from view", "1.0 cancelled by action 2", "3 next from [2.0]",
      ]
    )
    await task.finish()
    #expect(watcher.events.last == "1.0 finished, sent 0")
  }

  @Test func `a store's observers receive a task's cancellation before the next action`() async {
    let store = store { action in
      action == "start" ? .run { _ in await Gate().wait() } : .none
    }
    let task = store.send("start")
    task.cancel()
    store.send("next")
    #expect(
      watcher.events == ["1 start from view", "1.0 cancelled by task", "2 next from view"]
    )
    await task.finish()
  }

  @Test func `a store's observers receive the effect that canceled another`() async {
    let store = store { action in
      switch action {
      case "start": .run { _ in await Gate().wait() }.cancellable(id: ID())
      case "stop":
        .run { send in
          Task.cancel(id: ID())
          await send("stopped")
        }
      default: .none
      }
    }
    let task = store.send("start")
    await store.send("stop").finish()
    await task.finish()
    let events = watcher.events
    let cancelled = events.firstIndex(of: "1.0 cancelled by effect [2.0]")
    let stopped = events.firstIndex(of: "3 stopped from [2.0]")
    #expect(cancelled != nil && stopped != nil)
    if let cancelled, let stopped { #expect(cancelled < stopped) }
  }

  /// The calls that cancel effects under an id.
  private nonisolated static let calls: [(name: String, call: @Sendable () async -> Void)] = [
    ("Task.cancel", { Task.cancel(id: ID()) }),
    ("withTaskCancellation", { await withTaskCancellation(id: ID(), cancelInFlight: true) {} }),
  ]

  @Test(arguments: calls.indices)
  func `a store's observers receive the parts that a call drops`(index: Int) async {
    let gate = Gate()
    let store = store { action in
      switch action {
      case "start":
        .concatenate(
          .run { _ in await gate.waitUncancellably() },
          .concatenate(.run { _ in }.cancellable(id: "other"), .send("dropped"))
        )
        .cancellable(id: ID())
      case "stop": .run { _ in await Self.calls[index].call() }
      default: .none
      }
    }
    let task = store.send("start")
    await store.send("stop").finish()
    gate.open()
    await task.finish()
    #expect(
      watcher.events == [
        "1 start from view", "2 stop from view", "1.0 cancelled by effect [2.0], dropping 1",
        "2.0 finished, sent 0", "1.0 finished, sent 0",
      ],
      "\(Self.calls[index].name)"
    )
  }

  @Test func `a store's observers receive the start and end of concatenated parts`() async {
    struct Failure: Error {}
    let store = store { action in
      guard action == "start" else { return .none }
      return .concatenate(
        .run { _ in },
        .send("middle"),
        .run { _ in
          throw Failure()
        } catch: { _, _ in
        }
      )
    }
    await store.send("start").finish()
    #expect(
      watcher.events == [
        "1 start from view", "1.0 finished, sent 0", "1.1 started", "1.2 started",
        "2 middle from [1.1]", "1.2 failed",
      ]
    )
  }

  @Test func `a store's observers receive its canceled effects and its end`() async {
    var store: Store<Int, String>? = store { _ in
      DependencyValues._current.storeContext?.observe(watcher)
      return .run { _ in await Gate().wait() }
    }
    let task = store?.send("start")
    store = nil
    #expect(watcher.events == ["1 start from view", "1.0 cancelled by store", "closed"])
    await task?.finish()
    #expect(watcher.events.last == "1.0 finished, sent 0")
  }

  @Test func `StoreContext creates one attachment per key`() {
    let context = StoreContext()
    let key = StoreAttachmentKey(fileID: "A/B.swift", line: 1, column: 2, path: [])
    let other = StoreAttachmentKey(fileID: "A/B.swift", line: 2, column: 2, path: [])
    let first = context.attachment(for: key) { Watcher() }
    #expect(context.attachment(for: key) { Watcher() } === first)
    #expect(context.attachment(for: other) { Watcher() } !== first)
  }
}
