import Dispatch
import Foundation
import TCACore
import Testing

@MainActor
@Suite("Effects that wait by schedulers and by clocks of any type")
struct SchedulerEffectTests {
  /// Answers the typed text with one of the operators of older code.
  struct Search: Reducer {
    typealias Kind = @Sendable (Effect<Action>, DependencyValues) -> Effect<Action>

    struct State: Equatable { var answers: [Int] = [] }
    enum Action: Equatable {
      case typed(Int)
      case answer(Int)
      case stop
    }
    enum ID { case search }

    let kind: Kind

    @Dependency(\.self) var dependencies

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .typed(let number): return kind(.send(.answer(number)), dependencies)
      case .answer(let number):
        state.answers.append(number)
        return .none
      case .stop: return .cancel(id: ID.search)
      }
    }
  }

  private static func store(
    _ scheduler: TestSchedulerOf<DispatchQueue>,
    _ kind: @escaping Search.Kind
  ) -> TestStoreOf<Search> {
    TestStore(initialState: .init()) {
      Search(kind: kind)
    } withDependencies: {
      $0.mainQueue = scheduler.eraseToAnyScheduler()
    }
  }

  @Test func `debounce on a scheduler sends an action after a quiet interval`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let scheduler = DispatchQueue.test
        let store = SchedulerEffectTests.store(scheduler) {
          $0.debounce(id: Search.ID.search, for: .milliseconds(300), scheduler: $1.mainQueue)
        }
        await store.send(.typed(1))
        await scheduler.advance(by: .milliseconds(299))
        await store.send(.typed(2))
        await scheduler.advance(by: .milliseconds(299))
        await scheduler.advance(by: .milliseconds(1))
        await store.receive(.answer(2)) { $0.answers = [2] }
        await store.send(.typed(3))
        await store.send(.stop)
        await scheduler.run()
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test(arguments: [(true, 4), (false, 2)])
  func `throttle on a scheduler sends the first action and one per interval`(
    latest: Bool,
    kept: Int
  ) async throws {
    struct Code: OldCode {
      var latest = true
      var kept = 0

      @available(*, deprecated)
      func run() async throws {
        let scheduler = DispatchQueue.test
        let latest = latest
        let store = SchedulerEffectTests.store(scheduler) {
          $0.throttle(id: Search.ID.search, for: 1, scheduler: $1.mainQueue, latest: latest)
        }
        // The first one arrives as soon as the scheduler runs.
        await store.send(.typed(1))
        await store.send(.typed(1))
        await scheduler.advance()
        await store.receive(.answer(1)) { $0.answers = [1] }
        for number in 2...4 {
          await store.send(.typed(number))
          await scheduler.advance(by: .milliseconds(250))
        }
        await scheduler.advance(by: .milliseconds(249))
        let kept = kept
        await scheduler.advance(by: .milliseconds(1))
        await store.receive(.answer(kept)) { $0.answers = [1, kept] }
        await scheduler.advance(by: 1)
        await store.send(.typed(5))
        await scheduler.advance()
        await store.receive(.answer(5)) { $0.answers = [1, kept, 5] }
      }
    }
    try await LegacyTests.run(Code(latest: latest, kept: kept))
  }

  @Test func `deferred and delayed effects wait for an interval on a scheduler`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let kinds: [Search.Kind] = [
          { $0.deferred(for: 1, scheduler: $1.mainQueue) },
          { $0.delay(for: .seconds(1), scheduler: $1.mainQueue).eraseToEffect() },
        ]
        for kind in kinds {
          let scheduler = DispatchQueue.test
          let store = SchedulerEffectTests.store(scheduler, kind)
          await store.send(.typed(1))
          await scheduler.advance(by: .milliseconds(999))
          await store.send(.typed(2))
          await scheduler.advance(by: .milliseconds(1))
          await store.receive(.answer(1)) { $0.answers = [1] }
          await scheduler.advance(by: .milliseconds(999))
          await store.receive(.answer(2)) { $0.answers = [1, 2] }
        }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `delay on a scheduler delays each action of an effect separately`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let scheduler = DispatchQueue.test
        let store = SchedulerEffectTests.store(scheduler) { _, dependencies in
          let mainQueue = dependencies.mainQueue
          return Effect.run { send in
            await send(.answer(1))
            try await mainQueue.sleep(for: .milliseconds(500))
            await send(.answer(2))
          }
          .delay(for: 2, scheduler: mainQueue)
        }
        await store.send(.typed(0))
        await scheduler.advance(by: 2)
        await store.receive(.answer(1)) { $0.answers = [1] }
        await scheduler.advance(by: .milliseconds(499))
        await scheduler.advance(by: .milliseconds(1))
        await store.receive(.answer(2)) { $0.answers = [1, 2] }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `receive on a scheduler delivers the actions of an effect in order`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let scheduler = DispatchQueue.test
        let store = SchedulerEffectTests.store(scheduler) { effect, dependencies in
          Effect.merge(effect, .run { await $0(.answer(7)) })
            .receive(on: dependencies.mainQueue)
        }
        await store.send(.typed(1))
        await scheduler.advance()
        await store.receive(.answer(1)) { $0.answers = [1] }
        await store.receive(.answer(7)) { $0.answers = [1, 7] }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a timer effect on a scheduler sends ticks until it is canceled`() async throws {
    struct Code: OldCode {
      private enum TypeID {}

      @available(*, deprecated)
      func run() async throws {
        let kinds: [Search.Kind] = [
          {
            Effect.timer(id: Search.ID.search, every: 1, on: $1.mainQueue).map { _ in .answer(1) }
          },
          {
            Effect.merge(
              Effect.timer(id: TypeID.self, every: 1, on: $1.mainQueue).map { _ in .answer(1) },
              .none
            )
            .cancellable(id: Search.ID.search)
          },
        ]
        for kind in kinds {
          let scheduler = DispatchQueue.test
          let store = SchedulerEffectTests.store(scheduler, kind)
          await store.send(.typed(1))
          await scheduler.advance(by: 2)
          await store.receive(.answer(1)) { $0.answers = [1] }
          await store.receive(.answer(1)) { $0.answers = [1, 1] }
          await store.send(.stop)
          await scheduler.advance(by: 5)
        }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `debounce, delay, receive and throttle send at once on an immediate scheduler`()
    async throws
  {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let kinds: [Search.Kind] = [
          { $0.debounce(id: Search.ID.search, for: 60, scheduler: $1.mainQueue) },
          { $0.delay(for: 60, scheduler: $1.mainQueue) },
          { $0.receive(on: $1.mainQueue) },
          { $0.debounce(id: Search.self, for: 60, scheduler: $1.mainQueue) },
          { $0.throttle(id: Search.self, for: 60, scheduler: $1.mainQueue, latest: true) },
        ]
        for kind in kinds {
          let store = TestStore(initialState: .init()) {
            Search(kind: kind)
          } withDependencies: {
            $0.mainQueue = .immediate
          }
          await store.send(.typed(1))
          await store.receive(.answer(1)) { $0.answers = [1] }
        }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `debounce, deferred and throttle accept a clock of any type`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let kinds: [Search.Kind] = [
          { $0.debounce(id: Search.ID.search, for: .seconds(1), clock: $1.continuousClock) },
          { $0.deferred(for: .seconds(1), clock: $1.continuousClock) },
          {
            // No value arrived before the first one, so the second one waits.
            Effect.concatenate(.send(.answer(0)), $0)
              .throttle(
                id: Search.ID.search,
                for: .seconds(1),
                clock: $1.continuousClock,
                latest: true
              )
          },
        ]
        for (index, kind) in kinds.enumerated() {
          let clock = TestClock()
          let store = TestStore(initialState: .init()) {
            Search(kind: kind)
          } withDependencies: {
            $0.continuousClock = clock
          }
          await store.send(.typed(1))
          if index == 2 { await store.receive(.answer(0)) { $0.answers = [0] } }
          await clock.advance(by: .milliseconds(999))
          await clock.advance(by: .milliseconds(1))
          await store.receive(.answer(1)) { $0.answers.append(1) }
        }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `debounce of an empty effect sends nothing`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = SchedulerEffectTests.store(DispatchQueue.test) { _, dependencies in
          Effect.none.debounce(id: "none", for: 1, scheduler: dependencies.mainQueue)
        }
        await store.send(.typed(1))
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `an environment can provide a scheduler that a test replaces`() async throws {
    struct Code: OldCode {
      struct Environment {
        var fact: @Sendable (Int) -> Effect<String>
        var mainQueue: AnySchedulerOf<DispatchQueue>
      }
      enum Action: Equatable {
        case tapped(Int)
        case answered(String)
      }

      @available(*, deprecated)
      func run() async throws {
        let facts = AnyReducer<[String], Action, Environment> { state, action, environment in
          switch action {
          case .tapped(let number):
            return environment.fact(number)
              .receive(on: environment.mainQueue)
              .map { .answered($0) }
              .eraseToEffect()
          case .answered(let fact):
            state.append(fact)
            return .none
          }
        }
        let scheduler = DispatchQueue.test
        let store = TestStore(
          initialState: [],
          reducer: facts,
          environment: Environment(
            fact: { Effect(value: "\($0) is a number") },
            mainQueue: scheduler.eraseToAnyScheduler()
          )
        )
        await store.assert(
          .send(.tapped(1)),
          .do { await scheduler.advance() },
          .receive(.answered("1 is a number")) { $0 = ["1 is a number"] },
          .environment { (environment: inout Environment) in environment.mainQueue = .immediate },
          .send(.tapped(2)),
          .receive(.answered("2 is a number")) { $0.append("2 is a number") }
        )
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `unimplemented effects and schedulers report each use as an issue`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let kinds: [Search.Kind] = [
          { _, _ in .unimplemented("search") },
          { _, _ in .failing("search") },
          { effect, _ in effect.receive(on: AnySchedulerOf<DispatchQueue>.failing) },
          { effect, _ in effect.receive(on: DispatchQueue.failing) },
        ]
        for kind in kinds {
          let issues = await recordingIssues {
            let store = Store(initialState: Search.State()) { Search(kind: kind) }
            await store.send(.typed(1)).finish()
          }
          #expect(!issues.isEmpty)
        }
        #expect(DispatchQueue.testScheduler.now == DispatchQueue.test.now)
      }
    }
    try await LegacyTests.run(Code.self)
  }
}
