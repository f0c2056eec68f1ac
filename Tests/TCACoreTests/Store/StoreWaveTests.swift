import Observation
import TCACore
import Testing

/// The order in which a store handles actions, and the state that it shows in the meantime.
@MainActor
@Suite struct StoreWaveTests {
  @Test func `actions sent by effects are handled first in, first out`() {
    let store = Store(initialState: [String]()) {
      Reduce<[String], String> { state, action in
        state.append(action)
        switch action {
        case "tap": return .merge(.send("n1"), .send("n2"))
        case "n1": return .send("end")
        default: return .none
        }
      }
    }
    store.send("tap")
    #expect(store.state == ["tap", "n1", "n2", "end"])
  }

  @Test
  func `a store publishes its state once for an action and the actions it sends synchronously`() {
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state = action
        return action == 0 ? .merge(.send(1), .send(2), .send(3)) : .none
      }
    }
    // Notified before each change and observing again, it would see a published intermediate state.
    let seen = LockIsolated([Int]())
    @Sendable func observe() {
      MainActor.assumeIsolated {
        withObservationTracking {
          seen.withValue { $0.append(store.state) }
        } onChange: {
          observe()
        }
      }
    }
    observe()
    store.send(0)
    #expect(store.state == 3)
    #expect(seen.value == [0, 0])
  }

  @Test func `a chain of 100,000 actions does not overflow the stack`() {
    let store = Store(initialState: 0) {
      Reduce<Int, Void> { state, _ in
        state += 1
        return state < 100_000 ? .send(()) : .none
      }
    }
    store.send(())
    #expect(store.state == 100_000)
  }

  @Test func `an action sent inside a reducer is handled after the current one and reported`() {
    let box = LockIsolated<Store<[String], String>?>(nil)
    let store = Store(initialState: [String]()) {
      Reduce<[String], String> { state, action in
        if action == "outer" {
          MainActor.assumeIsolated { _ = box.value?.send("inner") }
        }
        state.append("\(action) after \(state.count)")
        return .none
      }
    }
    box.setValue(store)
    let issues = recordingIssues { store.send("outer") }
    #expect(store.state == ["outer after 0", "inner after 1"])
    #expect(issues.count == 1)
    #expect(issues.first?.contains("was sent while the store was busy") == true)
    box.setValue(nil)
  }

  @Test
  func `an action sent by an observer is reduced with the new state and reported as an issue`() {
    let seen = LockIsolated([Int]())
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        let before = state
        seen.withValue { $0.append(before) }
        state += action
        return .none
      }
    }
    let issues = recordingIssues {
      withObservationTracking {
        _ = store.state
      } onChange: {
        MainActor.assumeIsolated { _ = store.send(10) }
      }
      store.send(1)
    }
    #expect(seen.value == [0, 1])
    #expect(store.state == 11)
    #expect(issues.count == 1)
  }

  @Test func `an action of an effect that arrives during a reducer is queued without an issue`()
    async
  {
    struct State {
      var isOn = false
      var seen: Bool?
    }
    enum Action {
      case start
      case feed
      case fed
    }
    let feed = LockIsolated<(@MainActor @Sendable () -> Void)?>(nil)
    let ready = Gate()
    let done = Gate()
    let store = Store(initialState: State()) {
      Reduce<State, Action> { state, action in
        switch action {
        case .start:
          return .run { send in
            feed.setValue { send(.fed) }
            ready.open()
            await done.wait()
          }
        case .feed:
          state.isOn = true
          MainActor.assumeIsolated { feed.value?() }
          state.isOn = false
          return .none
        case .fed:
          state.seen = state.isOn
          return .none
        }
      }
    }
    let task = store.send(.start)
    await ready.wait()
    let issues = recordingIssues { store.send(.feed) }
    #expect(store.seen == false)
    #expect(issues == [])
    done.open()
    await task.finish()
  }

  @Test func `a scoped store is made once and shares its state with the root store`() {
    struct Parent { var child = 0 }
    let store = Store(initialState: Parent()) {
      Scope(\Parent.child, action: \Case<Int>.self) {
        Reduce<Int, Int> { state, action in
          state += action
          return .none
        }
      }
    }
    let child = store.scope(\.child, action: \.self)
    #expect(child === store.scope(\.child, action: \.self))
    let changes = LockIsolated(0)
    withObservationTracking {
      _ = child.state
    } onChange: {
      changes.withValue { $0 += 1 }
    }
    child.send(2)
    #expect(child.state == 2)
    #expect(store.child == 2)
    #expect(changes.value == 1)
  }
}
