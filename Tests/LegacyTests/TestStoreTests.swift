import TCACore
import Testing

@MainActor
@Suite("Test stores of older features", .serialized)
struct TestStoreTests {
  @Test func `a test store can test a reducer with an environment`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = TestStore(
          initialState: OldAppState(),
          reducer: oldApp,
          environment: OldAppEnvironment(fact: FactClient { "\($0)!" })
        )
        await store.send(.counter(.increment)) {
          $0.counter.count = 1
          $0.log = ["old 1"]
        }
        await store.send(.counter(.factButtonTapped)) { $0.log = ["old 1", "old 1"] }
        await store.receive(.counter(.factResponse(.success("1!")))) {
          $0.counter.fact = "1!"
          $0.log = ["old 1", "old 1", "old 1"]
        }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a test store runs a list of steps and reports a failed step`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let done = LockIsolated(0)
        let store = TestStore(
          initialState: OldAppState(),
          reducer: oldApp,
          environment: OldAppEnvironment(fact: FactClient { "\($0)!" })
        )
        await store.assert(
          .send(.counter(.increment)) {
            $0.counter.count = 1
            $0.log = ["old 1"]
          },
          .sequence(
            .do { done.withValue { $0 += 1 } },
            .environment { (environment: inout OldAppEnvironment) in
              environment = OldAppEnvironment(fact: FactClient { "\($0)?" })
            }
          ),
          .send(.counter(.factButtonTapped)) { $0.log = ["old 1", "old 1"] },
          .receive(.counter(.factResponse(.success("1?")))) {
            $0.counter.fact = "1?"
            $0.log = ["old 1", "old 1", "old 1"]
          }
        )
        #expect(done.value == 1)
        struct Failure: Error {}
        let issues = await recordingIssues {
          await store.assert(.do { throw Failure() }, .environment { (_: inout Int) in })
        }
        #expect(issues.count == 2)
        #expect(
          issues.last == """
            An environment of type "Int" was to be changed, but the test store has none of that type. Make the store with \
            "TestStore(initialState:reducer:environment:)" and that type.
            """
        )
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a test store takes a reducer as a value`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = TestStore(initialState: MigratedCounter.State(), reducer: MigratedCounter()) {
          $0.fact = FactDependency { "\($0)?" }
        }
        await store.send(.factButtonTapped)
        await store.receive(.factResponse(.success("0?"))) { $0.fact = "0?" }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `XCTModify accepts an unchanged value in a non-exhaustive test`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = TestStore(initialState: MigratedCounter.State(count: 0, fact: "a")) {
          MigratedCounter()
        }
        store.exhaustivity = .off
        await store.send(.incrementButtonTapped) { XCTModify(&$0.fact) { $0 = "a" } }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a test store receives actions by case paths and nanosecond timeouts`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = TestStore(initialState: .init()) {
          MigratedCounter()
        } withDependencies: {
          $0.fact = FactDependency { "\($0)?" }
        }
        await store.send(.factButtonTapped)
        await store.receive(/MigratedCounter.Action.factResponse) { $0.fact = "0?" }
        await store.send(.factButtonTapped)
        await store.receive(.factResponse(.success("0?")), timeout: 1_000_000_000 as UInt64)
        let task = await store.send(.factButtonTapped)
        await task.finish(timeout: 1_000_000_000 as UInt64)
        await store.receive(/MigratedCounter.Action.factResponse, timeout: 1_000_000_000 as UInt64)
        await store.finish(timeout: 1_000_000_000 as UInt64)
        await store.send(.factButtonTapped)
        let issues = await recordingIssues {
          await store.receive(/MigratedCounter.Action.incrementButtonTapped)
        }
        #expect(issues.count == 1)
      }
    }
    try await LegacyTests.run(Code.self)
  }
}
