import TCACore
import Testing

/// The effects that a cancellation reaches.
@MainActor
@Suite struct CancellationTests {
  private struct EmptyID: Hashable {}
  private struct OtherEmptyID: Hashable {}

  /// Waits until it is canceled or the gate opens, and sends its name unless it was canceled.
  private nonisolated static func work(_ name: String, _ gate: Gate) -> Effect<String> {
    .run { send in
      await gate.wait()
      await send(name)
    }
  }

  private func store(
    _ effect: @escaping @Sendable (String) -> Effect<String>
  ) -> Store<[String], String> {
    Store(initialState: [String]()) {
      Reduce<[String], String> { state, action in
        state.append(action)
        return effect(action)
      }
    }
  }

  @Test func `cancellation ids of different types are different`() async {
    let (a, b) = (Gate(), Gate())
    let store = store { action in
      switch action {
      case "start":
        .merge(
          Self.work("a", a).cancellable(id: EmptyID()),
          Self.work("b", b).cancellable(id: OtherEmptyID())
        )
      case "cancel": .cancel(id: EmptyID())
      default: .none
      }
    }
    let task = store.send("start")
    store.send("cancel")
    a.open()
    b.open()
    await task.finish()
    #expect(store.state == ["start", "cancel", "b"])
    #expect(store.isIdle)
  }

  @Test func `stores of the same feature do not cancel each other's effects`() async {
    let (first, second) = (Gate(), Gate())
    func feature(_ gate: Gate) -> Store<[String], String> {
      store { action in
        switch action {
        case "start": Self.work("done", gate).cancellable(id: EmptyID())
        case "cancel": .cancel(id: EmptyID())
        default: .none
        }
      }
    }
    let (a, b) = (feature(first), feature(second))
    let (taskA, taskB) = (a.send("start"), b.send("start"))
    a.send("cancel")
    first.open()
    second.open()
    await taskA.finish()
    await taskB.finish()
    #expect(a.state == ["start", "cancel"])
    #expect(b.state == ["start", "done"])
  }

  @Test func `an effect of one scope can be canceled by a sibling scope with the same id`() async {
    struct State {
      var left: [String] = []
      var right: [String] = []
    }
    let gate = Gate()
    let child = Reduce<[String], String> { state, action in
      state.append(action)
      switch action {
      case "start": return Self.work("done", gate).cancellable(id: EmptyID())
      case "cancel": return .cancel(id: EmptyID())
      default: return .none
      }
    }
    let left = Store(initialState: State()) {
      Scope(\State.left, action: \Side.Cases.left) { child }
      Scope(\State.right, action: \Side.Cases.right) { child }
    }
    let task = left.send(.left("start"))
    left.send(.right("cancel"))
    gate.open()
    await task.finish()
    #expect(left.left == ["start"])
  }

  @Test func `cancelInFlight cancels when its effect starts, not when it is made`() async {
    let (a, b) = (Gate(), Gate())
    let unused = LockIsolated<Effect<String>?>(nil)
    let store = store { action in
      switch action {
      case "a":
        return Self.work("a done", a).cancellable(id: EmptyID(), cancelInFlight: true)
      case "b":
        // Created but not returned: it cancels no effect.
        unused.setValue(Self.work("b done", b).cancellable(id: EmptyID(), cancelInFlight: true))
        return .none
      case "c":
        return unused.value ?? .none
      default:
        return .none
      }
    }
    let taskA = store.send("a")
    store.send("b")
    #expect(!store.isIdle)
    let taskC = store.send("c")
    await taskA.finish()
    b.open()
    await taskC.finish()
    #expect(store.state == ["a", "b", "c", "b done"])
  }

  @Test
  func `cancelInFlight on a later part of a concatenation cancels only when that part starts`()
    async
  {
    let (a, first, b) = (Gate(), Gate(), Gate())
    let store = store { action in
      switch action {
      case "a": Self.work("a done", a).cancellable(id: EmptyID())
      case "b":
        .concatenate(
          Self.work("first done", first),
          Self.work("b done", b).cancellable(id: EmptyID(), cancelInFlight: true)
        )
      default: .none
      }
    }
    let before = store.send("a")
    let task = store.send("b")
    a.open()
    await before.finish()
    #expect(store.state == ["a", "b", "a done"])
    let cancelled = store.send("a")
    first.open()
    await cancelled.finish()
    b.open()
    await task.finish()
    #expect(store.state == ["a", "b", "a done", "a", "first done", "b done"])
  }

  @Test func `cancelInFlight applied twice to an effect does not cancel that effect`() async {
    let gate = Gate()
    gate.open()
    let store = store { action in
      guard action == "start" else { return .none }
      return Self.work("done", gate)
        .cancellable(id: EmptyID(), cancelInFlight: true)
        .cancellable(id: EmptyID(), cancelInFlight: true)
    }
    await store.send("start").finish()
    #expect(store.state == ["start", "done"])
  }

  @Test func `canceling one part of a concatenation starts the next part`() async {
    let (a, b) = (Gate(), Gate())
    b.open()
    let store = store { action in
      switch action {
      case "start":
        .concatenate(
          Self.work("a", a).cancellable(id: EmptyID()),
          Self.work("b", b),
          .send("c")
        )
      case "cancel": .cancel(id: EmptyID())
      default: .none
      }
    }
    let task = store.send("start")
    store.send("cancel")
    await task.finish()
    #expect(store.state == ["start", "cancel", "b", "c"])
    #expect(store.isIdle)
  }

  @Test func `canceling an entire concatenation drops its remaining parts`() async {
    let (a, b) = (Gate(), Gate())
    b.open()
    let store = store { action in
      switch action {
      case "start":
        .concatenate(Self.work("a", a), Self.work("b", b), .send("c"))
          .cancellable(id: EmptyID())
      case "cancel": .cancel(id: EmptyID())
      default: .none
      }
    }
    let task = store.send("start")
    store.send("cancel")
    await task.finish()
    #expect(store.state == ["start", "cancel"])
    #expect(store.isIdle)
  }

  @Test func `an effect cancels another effect by its id`() async {
    let a = Gate()
    let store = store { action in
      switch action {
      case "start": Self.work("a", a).cancellable(id: EmptyID())
      case "stop":
        .run { send in
          Task.cancel(id: EmptyID())
          await send("stopped")
        }
      default: .none
      }
    }
    let task = store.send("start")
    await store.send("stop").finish()
    a.open()
    await task.finish()
    #expect(store.state == ["start", "stop", "stopped"])
    #expect(store.isIdle)
  }

  @Test func `withTaskCancellation cancels a part of an effect by its own id`() async {
    let started = Gate()
    let store = store { action in
      switch action {
      case "start":
        .run { send in
          let wasCancelled = await withTaskCancellation(id: EmptyID(), cancelInFlight: true) {
            started.open()
            await Gate().wait()
            return Task.isCancelled
          }
          await send("part cancelled: \(wasCancelled)")
        }
      case "cancel": .cancel(id: EmptyID())
      default: .none
      }
    }
    let task = store.send("start")
    await started.wait()
    store.send("cancel")
    await task.finish()
    #expect(store.state == ["start", "cancel", "part cancelled: true"])
    #expect(store.isIdle)
  }
}

private enum Side: CasePathable {
  case left(String)
  case right(String)

  struct AllCasePaths {
    var left: AnyCasePath<Side, String> {
      AnyCasePath(
        embed: Side.left,
        extract: { if case .left(let action) = $0 { action } else { nil } }
      )
    }
    var right: AnyCasePath<Side, String> {
      AnyCasePath(
        embed: Side.right,
        extract: { if case .right(let action) = $0 { action } else { nil } }
      )
    }
  }
  static var allCasePaths: AllCasePaths { AllCasePaths() }
}
