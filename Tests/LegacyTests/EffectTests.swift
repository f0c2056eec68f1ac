import TCACore
import Testing

@MainActor
@Suite("Effects as they used to be made")
struct EffectTests {
  private enum TimerID {}
  private enum OtherID {}

  @Test func `a task effect sends the action that it returns`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            guard action.text == "start" else { return .none }
            return .task { Step("done") }
          }
        }
        await store.send(Step("start")).finish()
        #expect(store.state == ["start", "done"])
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `task effects catch or report errors, and fireAndForget ignores them`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        struct Failure: Error {}
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            switch action.text {
            case "caught":
              return .task {
                throw Failure()
              } catch: { _ in
                Step("failed")
              }
            case "lost": return .task { throw Failure() }
            case "ignored": return .fireAndForget { throw Failure() }
            default: return .none
            }
          }
        }
        await store.send(Step("caught")).finish()
        #expect(store.state == ["caught", "failed"])
        let issues = await recordingIssues { await store.send(Step("lost")).finish() }
        #expect(issues.count == 1)
        #expect(issues.first?.contains("threw an error that nothing caught: …") == true)
        let none = await recordingIssues { await store.send(Step("ignored")).finish() }
        #expect(none == [])
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a value effect sends its action synchronously`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            return action.text == "start" ? Effect(value: Step("value")).eraseToEffect() : .none
          }
        }
        store.send(Step("start"))
        #expect(store.state == ["start", "value"])
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `catchToEffect sends successes and failures as Result values`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        struct Failure: Error {}
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            switch action.text {
            case "good": return Effect<Int>.task { 7 }.catchToEffect(Step.init(result:))
            case "bad":
              return Effect<Int>.task { throw Failure() }.catchToEffect(Step.init(result:))
            case "now": return Effect<Int>(value: 8).catchToEffect(Step.init(result:))
            case "map":
              return Effect<Int>.task { throw Failure() }.catchToEffect()
                .eraseToEffect(Step.init(result:))
            default: return .none
            }
          }
        }
        for name in ["good", "bad", "now", "map"] { await store.send(Step(name)).finish() }
        #expect(
          store.state == [
            "good", "success 7", "bad", "failure", "now", "success 8", "map", "failure",
          ]
        )
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `fireAndForget runs an effect and drops its actions`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let done = LockIsolated(false)
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            guard action.text == "start" else { return .none }
            return Effect<Int>.run { send in
              await send(1)
              done.setValue(true)
            }
            .fireAndForget()
          }
        }
        await store.send(Step("start")).finish()
        #expect(store.state == ["start"])
        #expect(done.value)
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `effects can be canceled by types as ids`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            switch action.text {
            case "timer": return .run { _ in try await Task.never() }.cancellable(id: TimerID.self)
            case "other": return .run { _ in try await Task.never() }.cancellable(id: OtherID.self)
            case "stop": return .cancel(id: TimerID.self)
            case "stop all": return .cancel(ids: [TimerID.self, OtherID.self])
            case "stop inside": return .fireAndForget { Task.cancel(id: OtherID.self) }
            default: return .none
            }
          }
        }
        let timer = store.send(Step("timer"))
        let other = store.send(Step("other"))
        store.send(Step("stop"))
        await timer.finish()
        #expect(!other.isCancelled)
        await store.send(Step("stop inside")).finish()
        await other.finish()
        let both = [store.send(Step("timer")), store.send(Step("other"))]
        store.send(Step("stop all"))
        for task in both { await task.finish() }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `AnyHashable ids and their wrapped values cancel the same effects`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            switch action.text {
            case "one": return .run { _ in try await Task.never() }.cancellable(id: 1)
            case "two":
              return .run { _ in try await Task.never() }.cancellable(id: AnyHashable("two"))
            case "stop one": return .cancel(id: AnyHashable(1))
            default: return .cancel(ids: ["two", 1])
            }
          }
        }
        let one = store.send(Step("one"))
        store.send(Step("stop one"))
        await one.finish()
        let two = store.send(Step("two"))
        store.send(Step("stop"))
        await two.finish()
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `debounce on a clock sends after the interval without another action`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let clock = TestClock()
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            guard action.text.hasPrefix("type") else { return .none }
            let text = action.text
            return Effect.task { Step("search \(text)") }
              .debounce(id: "search", for: .milliseconds(300), clock: clock)
          }
        }
        let first = store.send(Step("type 1"))
        await waitForSleeper(on: clock)
        await clock.advance(by: .milliseconds(200))
        let last = store.send(Step("type 2"))
        await first.finish()
        await waitForSleeper(on: clock)
        await clock.advance(by: .milliseconds(299))
        #expect(store.state == ["type 1", "type 2"])
        await clock.advance(by: .milliseconds(1))
        await last.finish()
        #expect(store.state == ["type 1", "type 2", "search type 2"])
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `value, error, result and catching effects send their results`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        struct Failure: Error {}
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            switch action.text {
            case "error": return Effect<Int>(error: Failure()).catchToEffect(Step.init(result:))
            case "result":
              return Effect<Int>.result { Result<Int, Failure>.failure(Failure()) }
                .catchToEffect(Step.init(result:))
            case "value":
              return Effect<Int>.result { Result<Int, Failure>.success(1) }
                .catchToEffect(Step.init(result:))
            case "throws":
              return Effect<Int>.catching { throw Failure() }.catchToEffect(Step.init(result:))
            case "returns": return Effect<Int>.catching { 2 }.catchToEffect(Step.init(result:))
            default: return .none
            }
          }
        }
        for name in ["error", "result", "value", "throws", "returns"] {
          await store.send(Step(name)).finish()
        }
        #expect(
          store.state == [
            "error", "failure", "result", "failure", "value", "success 1", "throws", "failure",
            "returns", "success 2",
          ]
        )
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a future effect sends its first result and ends when it is canceled`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        struct Failure: Error {}
        let kept = LockIsolated<[@Sendable (Result<Int, any Error>) -> Void]>([])
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            switch action.text {
            case "twice":
              return Effect<Int>.future { callback in
                callback(.success(1))
                callback(.success(2))
              }
              .catchToEffect(Step.init(result:))
            case "fails":
              return Effect<Int>.future { $0(.failure(Failure())) }
                .catchToEffect(Step.init(result:))
            case "never":
              return Effect<Int>.future { callback in kept.withValue { $0.append(callback) } }
                .catchToEffect(Step.init(result:)).cancellable(id: "never")
            case "stop": return .cancel(id: "never")
            default: return .none
            }
          }
        }
        await store.send(Step("twice")).finish()
        await store.send(Step("fails")).finish()
        let never = store.send(Step("never"))
        store.send(Step("stop"))
        await never.finish()
        for callback in kept.value { callback(.success(3)) }
        #expect(kept.value.count == 1)
        #expect(store.state == ["twice", "success 1", "fails", "failure", "never", "stop"])
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test(arguments: [(true, "3"), (false, "2")])
  func `throttle on a clock sends the first action and one per interval`(
    latest: Bool,
    delayed: String
  ) async throws {
    struct Code: OldCode {
      var latest = true
      var delayed = ""

      @available(*, deprecated)
      func run() async throws {
        let clock = TestClock()
        let latest = latest
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            guard action.text.hasPrefix("type ") else {
              state.append(action.text)
              return .none
            }
            return Effect.send(Step(String(action.text.dropFirst(5))))
              .throttle(id: "search", for: .seconds(1), clock: clock, latest: latest)
          }
        }
        await store.send(Step("type 1")).finish()
        #expect(store.state == ["1"])
        await clock.advance(by: .milliseconds(400))
        let second = store.send(Step("type 2"))
        await waitForSleeper(on: clock)
        await clock.advance(by: .milliseconds(400))
        let third = store.send(Step("type 3"))
        await second.finish()
        await waitForSleeper(on: clock)
        await clock.advance(by: .milliseconds(199))
        #expect(store.state == ["1"])
        await clock.advance(by: .milliseconds(1))
        await third.finish()
        #expect(store.state == ["1", delayed])
        await clock.advance(by: .seconds(1))
        await store.send(Step("type 4")).finish()
        #expect(store.state == ["1", delayed, "4"])
      }
    }
    try await LegacyTests.run(Code(latest: latest, delayed: delayed))
  }

  @Test func `a throttle interval ends when its presented child is dismissed`() async throws {
    struct Code: OldCode {
      struct State {
        @PresentationState var child: [String]?
      }

      enum Action {
        case child(PresentationAction<String>)
        case open
      }

      @MainActor
      private func shows(_ texts: [String], _ store: Store<State, Action>) async -> Bool {
        for _ in 0..<1_000 where store.withState(\.child) != texts { await Task.yield() }
        return store.withState(\.child) == texts
      }

      @available(*, deprecated)
      func run() async throws {
        let clock = TestClock()
        let store = Store(initialState: State(child: [])) {
          Reduce<State, Action> { state, action in
            if case .open = action { state.child = [] }
            return .none
          }
          .ifLet(\.$child, action: /Action.child) {
            Reduce<[String], String> { state, action in
              guard action.hasPrefix("type ") else {
                state.append(action)
                return .none
              }
              return Effect.send(String(action.dropFirst(5)))
                .throttle(id: "search", for: .seconds(1), clock: clock, latest: true)
            }
          }
        }
        store.send(.child(.presented("type 1")))
        #expect(await shows(["1"], store))
        store.send(.child(.dismiss))
        store.send(.open)
        store.send(.child(.presented("type 2")))
        #expect(await shows(["2"], store), "the new child has sent nothing yet")
      }
    }
    try await LegacyTests.run(Code())
  }

  @Test func `a deferred effect starts after its interval on a clock`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let clock = TestClock()
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            guard action.text == "start" else { return .none }
            return Effect.send(Step("later")).deferred(for: .seconds(1), clock: clock)
          }
        }
        let task = store.send(Step("start"))
        await waitForSleeper(on: clock)
        #expect(store.state == ["start"])
        await clock.advance(by: .seconds(1))
        await task.finish()
        #expect(store.state == ["start", "later"])
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a timer effect on a clock sends ticks until it is canceled`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let clock = TestClock()
        let store = Store(initialState: [String]()) {
          Reduce<[String], Step> { state, action in
            state.append(action.text)
            switch action.text {
            case "start":
              return Effect.timer(id: "timer", every: .seconds(1), on: clock).map { Step("\($0)") }
            case "stop": return .cancel(id: "timer")
            default: return .none
            }
          }
        }
        let timer = store.send(Step("start"))
        for _ in 1...2 {
          await waitForSleeper(on: clock)
          await clock.advance(by: .seconds(1))
        }
        // It sleeps again after the tick has been handled.
        await waitForSleeper(on: clock)
        store.send(Step("stop"))
        await timer.finish()
        await clock.advance(by: .seconds(2))
        #expect(store.state == ["start", "1.0 seconds", "2.0 seconds", "stop"])
      }
    }
    try await LegacyTests.run(Code.self)
  }
}

struct Step: Equatable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  init(result: Result<Int, any Error>) {
    switch result {
    case .success(let number): text = "success \(number)"
    case .failure: text = "failure"
    }
  }
}

/// Waits until a task sleeps on a clock.
private func waitForSleeper(on clock: TestClock<Duration>) async {
  while (try? await clock.checkSuspension()) != nil {}
}
