import ActionLog
import ReplayEngine
import Synchronization
import TestSupport
import Testing

@testable import TCAReplay
@testable import TCAReplaying

@Reducer
private struct Waiting: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var count = 0
    @Presents var child: Child.State?
  }

  enum Action: Sendable {
    case child(PresentationAction<Child.Action>)
    case presentTapped
    case startTapped(Int)
  }

  @Reducer
  struct Child: Sendable {
    @ObservableState
    struct State: Equatable, Sendable {}
    enum Action: Sendable { case tapped }

    var body: some ReducerOf<Self> { Reduce { _, _ in .none } }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .child: return .none
      case .presentTapped:
        state.child = Child.State()
        return .none
      case .startTapped(let number):
        return .run(name: "wait \(number)") { _ in try await Task.never() }
      }
    }
    .ifLet(\.$child, action: \.child) { Child() }
  }
}

/// The waits of a recording, and its end.
@MainActor @Suite("Live recording") struct LiveRecordingTests {
  /// The recipients of notifications about waits.
  private final class Told: Sendable {
    let waits = Mutex<[RecordRequest.Waiting]>([])
  }

  private func record(
    _ steps: [RecordRequest.Step],
    timeout: Double? = nil,
    telling told: Told
  ) async throws -> RecordSummary {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var request = RecordRequest(
      feature: "Waiting",
      steps: steps,
      path: folder.path + "/log.jsonl",
      timeout: timeout
    )
    request.didWait = { waiting in told.waits.withLock { $0.append(waiting) } }
    return try await LiveRecording(request, reportDelay: .zero).run(
      reducer: { Waiting() },
      initialState: { Waiting.State() }
    )
  }

  @Test("A recording from steps does not wait for a presented child without effects")
  func child() async throws {
    let told = Told()
    let summary = try await record([.send(["presentTapped": [:]]), .finish], telling: told)
    #expect(summary.actions == 1)
    #expect(told.waits.withLock { $0 } == [])
  }

  @Test("A recording that waits long for effects reports their names and actions once, then throws")
  func longWait() async throws {
    let told = Told()
    let error = await #expect(throws: RecordRequest.TimeoutError.self) {
      try await record(
        [
          .send(["startTapped": ["_0": 1]]), .send(["presentTapped": [:]]),
          .send(["startTapped": ["_0": 2]]), .finish, .send(["presentTapped": [:]]),
        ],
        timeout: 0.05,
        telling: told
      )
    }
    let waits = told.waits.withLock { $0 }
    #expect(waits.count == 1)
    let waiting = try #require(waits.first)
    #expect(waiting.index == 3)
    #expect(waiting.effects.map(\.id.description) == ["1.0", "3.0"])
    #expect(waiting.effects.map(\.name) == ["wait 1", "wait 2"])
    #expect(
      waiting.effects.map(\.action) == [["startTapped": ["_0": 1]], ["startTapped": ["_0": 2]]]
    )
    #expect(waiting.effects.allSatisfy { $0.source?.contains("LiveRecordingTests.swift:") == true })
    #expect(error?.waiting == waiting)
    #expect(error?.seconds == 0.05)
    #expect(error?.summary.actions == 3)
  }

  /// The number of opened steps and of reduced actions.
  private final class Counts: Sendable {
    let passes = Mutex(0)
    let reduced = Mutex(0)
  }

  @Test("Record reads its steps once to check them, and then each step after the actions before it")
  func readsOneByOne() async throws {
    let folder = try TemporaryFolder()
    let counts = Counts()
    let steps = RecordRequest.Steps {
      let pass = counts.passes.withLock { passes in
        passes += 1
        return passes
      }
      var number = 0
      return {
        guard number < 100 else { return nil }
        #expect(counts.reduced.withLock { $0 } == (pass == 1 ? 0 : number))
        number += 1
        return .send("tap")
      }
    }
    let request = RecordRequest(
      feature: "Counting",
      steps: steps,
      path: folder.path + "/log.jsonl"
    )
    let summary = try await LiveRecording(request).run(
      reducer: {
        Reduce<Int, String> { state, _ in
          state += 1
          counts.reduced.withLock { $0 += 1 }
          return .none
        }
      },
      initialState: { 0 }
    )
    #expect(summary.actions == 100)
    #expect(counts.passes.withLock { $0 } == 2)
  }
}
