import TCACore
import Testing

/// A child for one case of the state, in the form that `ifCaseLet` has replaced.
@available(*, deprecated)
private struct OldShift: Reducer {
  typealias State = Shift.State
  typealias Action = Shift.Action
  let seen: LockIsolated<[State]>

  var body: some ReducerOf<Self> {
    Scope(state: \.day, action: \.day) { Job() }
    Scope(state: \.night, action: \.night) { Job() }
    Reduce { state, _ in
      seen.withValue { [state] in $0.append(state) }
      return .none
    }
  }
}

/// Children that always exist.
@MainActor
@Suite struct ScopeReducerTests {
  @Test @available(*, deprecated)
  func `Scope of an enum case runs its child and reports an action for another case`() {
    let seen = LockIsolated<[Shift.State]>([])
    let store = Store(initialState: Shift.State.day(Job.State())) { OldShift(seen: seen) }
    #expect(recordingIssues { _ = store.send(.day(.done("a"))) } == [])
    #expect(store.state == .day(Job.State(done: ["a"])))
    let issues = recordingIssues { _ = store.send(.night(.done("b"))) }
    #expect(
      issues == [
        """
        The reducer at TCACoreTests/ScopeReducerTests.swift:13 received an action while the state stands in another case: …

            Action: Shift.Action.night(.done("b"))
            State: Shift.State.day

        The feature of the action did not run. Send actions of a feature only while its case is \
        there, and change the case after the feature has run.
        """
      ]
    )
    #expect(seen.value.count == 2)
  }
}
