import ComposableArchitecture
import ComposableReplay
import SampleApp
import Synchronization
import Testing

/// The tests in `Generated`, which `test --style store` writes from `steps.jsonl`.
@Suite @MainActor
struct StoreStepsTests {
  private func issues(of test: @MainActor () async throws -> Void) async throws -> [String] {
    let issues = CollectedIssues()
    // The tests run at the same time, and shared values in memory are those of the process otherwise.
    try await withDependencies {
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      try await withIssueReporters([issues]) { try await test() }
    }
    return issues.all
  }

  @Test func `the generated steps pass with the recorded feature`() async throws {
    let issues = try await issues(of: meetingsSteps)
    #expect(issues == [])
  }

  @Test func `the generated steps name what a changed feature does differently`() async throws {
    let issues = try await issues(of: changedMeetingsSteps)
    #expect(
      issues == [
        #"expected the effect "tip" to be running, found none"#,
        "Expected to receive an action.",
        "Expected the shared value 1, found 2.",
      ]
    )
  }

  @Test func `stubbed effects name the running effects if another one is meant`() async throws {
    let effects = StubbedEffects<Meetings.Action>()
    let issues = try await issues {
      let store = TestStore(initialState: Meetings.State()) {
        Meetings().stubbingEffects(by: effects)
      }
      await store.send(.tipRequested)
      await store.send(.tipRequested)
      await effects.finish("advice")
      await effects.finish("tip")
      await effects.send(.rollTapped, from: "tip", at: 2)
      await effects.finish("tip", at: 0)
      await effects.finish("tip")
      await store.finish()
    }
    #expect(
      issues == [
        #"expected the effect "advice" to be running, found "tip", "tip""#,
        #"expected the effect "tip" to be running, found "tip", "tip"; say which one with 'at:'"#,
        #"expected the effect "tip" at position 2 to be running, found "tip", "tip""#,
      ]
    )
  }

  @Test func `stubbed reads report answers that the feature does not use or cannot read`()
    async throws
  {
    let issues = try await issues {
      let reads = StubbedReads()
      let store = TestStore(initialState: Tally.State()) { Tally().answeringReads(from: reads) }
      reads.answer("random", with: "1")
      reads.answer("uuid", with: "2")
      await store.send(.limitChanged(1)) { $0.limit = 1 }
    }
    #expect(issues == ["expected the feature to read random, uuid"])
  }

  @Test func `the steps of publishers are those that they send at once`() async throws {
    let effects = StubbedEffects<Relay.Action>()
    let issues = try await issues {
      let store = TestStore(initialState: Relay.State()) {
        Relay().stubbingEffects(by: effects)
      }
      await store.send(.twoTapped)
      await store.receive(\.got, 2) { $0.got = [2] }
      await store.receive(\.got, 3) { $0.got = [2, 3] }
      await store.send(.besideTapped)
      await store.receive(\.got, 4) { $0.got = [2, 3, 4] }
      await store.finish()
    }
    #expect(issues == [])
  }
}

/// Meetings without tips, and with twice the time.
struct ChangedMeetings: Reducer {
  func reduce(
    into state: inout Meetings.State,
    action: Meetings.Action
  ) -> Effect<Meetings.Action> {
    let effect = Meetings()._reduce(into: &state, action: action)
    switch action {
    case .tipRequested: return .none
    case .path(.element(id: _, action: .detail(.delegate(.ended(let seconds))))):
      state.$held.withLock { $0 += seconds }
      return effect
    default: return effect
    }
  }
}

/// The messages of reported issues.
private final class CollectedIssues: IssueReporter {
  private let messages = Mutex<[String]>([])

  var all: [String] { messages.withLock { $0 } }

  func reportIssue(
    _ message: @autoclosure () -> String?,
    severity: IssueSeverity,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let message = message() ?? ""
    messages.withLock { $0.append(message) }
  }
}
