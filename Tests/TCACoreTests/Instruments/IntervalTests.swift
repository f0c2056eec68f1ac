import Synchronization
import TCACore
import Testing

@MainActor
@Suite("Intervals of actions and effects")
struct IntervalTests {
  @Test func `InstrumentedReducer reports the intervals of actions and of their effects`() async {
    let intervals = Intervals()
    let store = Store(initialState: 0) {
      InstrumentedReducer(Timed(), prefix: "app", observer: intervals)
    }
    await store.send(.start).finish()
    #expect(
      intervals.events == [
        "begin 1 action [app] Timed.Action.start", "end 1 action ",
        "begin 2 effect [app] load, from Timed.Action.start",
        "event 2 effect [app] sent Timed.Action.loaded(…)",
        "begin 3 action [app] Timed.Action.loaded(…)", "end 3 action ",
        "end 2 effect finished",
      ]
    )
    #expect(store.state == 7)
  }

  @Test func `InstrumentedReducer marks the ends of canceled and failed effects`() async {
    let intervals = Intervals()
    let store = Store(initialState: 0) {
      InstrumentedReducer(Timed(), prefix: "", observer: intervals)
    }
    let task = store.send(.wait)
    await intervals.waitFor("begin 2 effect from Timed.Action.wait")
    task.cancel()
    await task.finish()
    await store.send(.fail).finish()
    #expect(
      intervals.events == [
        "begin 1 action Timed.Action.wait", "end 1 action ",
        "begin 2 effect from Timed.Action.wait", "end 2 effect cancelled",
        "begin 3 action Timed.Action.fail", "end 3 action ",
        "begin 4 effect from Timed.Action.fail", "end 4 effect failed",
      ]
    )
  }

  @Test func `InstrumentedReducer reports nothing while its observer is disabled`() async {
    let intervals = Intervals(isEnabled: false)
    let store = Store(initialState: 0) {
      InstrumentedReducer(Timed(), prefix: "", observer: intervals)
    }
    await store.send(.start).finish()
    #expect(intervals.events == [])
  }

  @Test func `signpost leaves a reducer's state and effects unchanged`() async {
    let store = Store(initialState: 0) { Timed().signpost("app") }
    await store.send(.start).finish()
    #expect(store.state == 7)
  }
}

private struct Timed: Reducer {
  enum Action {
    case start
    case loaded(Int)
    case wait
    case fail
  }

  struct Failure: Error {}

  var body: some Reducer<Int, Action> {
    Reduce { state, action in
      switch action {
      case .start:
        return .run(name: "load") { send in await send(.loaded(7)) }
      case .loaded(let number):
        state = number
        return .none
      case .wait:
        return .run { _ in try await Task.never() }
      case .fail:
        return .run { _ in
          throw Failure()
        } catch: { _, _ in
        }
      }
    }
  }
}

private final class Intervals: InstrumentationObserver {
  private struct Contents {
    var events: [String] = []
    var last: UInt64 = 0
    var waiting: [(String, CheckedContinuation<Void, Never>)] = []

    mutating func note(_ event: String) {
      events.append(event)
      for (name, continuation) in waiting where name == event { continuation.resume() }
      waiting.removeAll { $0.0 == event }
    }
  }

  private let contents = Mutex(Contents())
  let isEnabled: Bool

  init(isEnabled: Bool = true) {
    self.isEnabled = isEnabled
  }

  var events: [String] { contents.withLock { $0.events } }

  func begin(_ kind: IntervalKind, _ text: String) -> UInt64 {
    contents.withLock { contents in
      contents.last += 1
      contents.note("begin \(contents.last) \(kind) \(text)")
      return contents.last
    }
  }

  func event(_ id: UInt64, _ kind: IntervalKind, _ text: String) {
    contents.withLock { $0.note("event \(id) \(kind) \(text)") }
  }

  func end(_ id: UInt64, _ kind: IntervalKind, _ text: String) {
    contents.withLock { $0.note("end \(id) \(kind) \(text)") }
  }

  func waitFor(_ event: String) async {
    await withCheckedContinuation { continuation in
      contents.withLock { contents in
        if contents.events.contains(event) {
          continuation.resume()
        } else {
          contents.waiting.append((event, continuation))
        }
      }
    }
  }
}
