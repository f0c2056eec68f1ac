import TCACore
import Testing

private enum Choice: Equatable {
  case number(Int)
  case text(String)
}

@MainActor
@Suite("Tools of older tests")
struct TestingToolTests {
  @Test func `XCTModify changes an optional in place`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        var number: Int? = 1
        XCTModify(&number) { $0 += 1 }
        #expect(number == 2)
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `XCTModify changes the payload of a case in place`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        var choice = Choice.number(1)
        XCTModify(&choice, case: /Choice.number) { $0 += 1 }
        #expect(choice == .number(2))
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `XCTModify reports a payload of another case`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        var choice = Choice.text("a")
        let issues = recordingIssues { XCTModify(&choice, case: /Choice.number) { $0 += 1 } }
        #expect(
          issues == [
            """
            A value of type "Int" was expected in a "Choice", which is:

                Choice.text("a")
            """
          ]
        )
        #expect(choice == .text("a"))
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `XCTModify reports a closure that changes nothing`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        var number: Int? = 1
        let issues = recordingIssues { XCTModify(&number, "The number.") { _ in } }
        #expect(
          issues == [
            """
            The number.

            A value was expected to change, and did not. Leave the closure out, or change it:

                1
            """
          ]
        )
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `XCTUnwrap returns the payload of a case and throws for another case`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        #expect(try XCTUnwrap(Choice.number(3), case: /Choice.number) == 3)
        let issues = recordingIssues {
          #expect(throws: ExtractionFailed.self) {
            try XCTUnwrap(Choice.text("a"), case: /Choice.number)
          }
        }
        #expect(issues.count == 1)
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `ActorIsolated reads, changes and sets its value`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let isolated = ActorIsolated(1)
        await isolated.withValue { $0 += 1 }
        #expect(await isolated.value == 2)
        await isolated.setValue(5)
        #expect(await isolated.value == 5)
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `XCTAssertNoDifference reports the same issue as expectNoDifference`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        XCTAssertNoDifference([1, 2], [1, 2])
        var numbers = [1]
        XCTAssertDifference(numbers) {
          numbers.append(2)
        } changes: {
          $0 = [1, 2]
        }
        let old = recordingIssues {
          XCTAssertNoDifference(Choice.number(1), .text("a"), "The choice.")
        }
        let new = recordingIssues {
          expectNoDifference(Choice.number(1), .text("a"), "The choice.")
        }
        #expect(old == new)
        #expect(old.count == 1)
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `streamWithContinuation returns a stream and its continuation`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        struct Failure: Error {}
        let (numbers, continuation) = AsyncStream<Int>.streamWithContinuation()
        continuation.yield(1)
        continuation.yield(2)
        continuation.finish()
        var received: [Int] = []
        for await number in numbers { received.append(number) }
        #expect(received == [1, 2])

        let throwing = AsyncThrowingStream.streamWithContinuation(
          Int.self,
          bufferingPolicy: .bufferingNewest(1)
        )
        throwing.continuation.yield(3)
        throwing.continuation.yield(4)
        throwing.continuation.finish(throwing: Failure())
        var last: [Int] = []
        await #expect(throws: Failure.self) {
          for try await number in throwing.stream { last.append(number) }
        }
        #expect(last == [4])
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `code with deprecated names of reducers, effects and case paths compiles and runs`()
    async throws
  {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        struct Feature: ReducerProtocol {
          struct State: Equatable { var count = 0 }
          enum Action { case tap }
          var body: some ReducerProtocol<State, Action> {
            Reduce { state, _ in
              state.count += 1
              return EffectTask<Action>.none
            }
          }
        }
        func feature() -> some ReducerProtocolOf<Feature> { Feature() }
        let store = Store(initialState: Feature.State(), reducer: Feature())
        store.send(.tap)
        #expect(store.state.count == 1)
        let effect: EffectPublisher<Feature.Action, Never> = .none
        var state = Feature.State()
        _ = (effect, feature()._reduce(into: &state, action: .tap))
        let path: CasePath<Choice, Int> = /Choice.number
        #expect(path.extract(from: .number(1)) == 1)
      }
    }
    try await LegacyTests.run(Code.self)
  }
}
