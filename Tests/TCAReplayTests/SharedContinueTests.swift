import ActionLog
import TestSupport
import Testing

@testable import ReplayEngine
@testable import TCAReplay
@testable import TCAReplaying

/// A replay that continues from the recorded state after a difference in a shared value.
///
/// The states before and after an action have a single copy of this value.
@Suite @MainActor struct SharedContinueTests {
  @Reducer struct Tally {
    @ObservableState
    struct State {
      @Shared(.inMemory("total")) var total = 0
      @Shared(.inMemory("extra")) var extra = 0
      var steps = 0
    }

    enum Action {
      case add(Int)
    }

    /// The actions at which a faulty build increments the count.
    var spoiled: Set<Int> = []

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        guard case .add(let count) = action else { return .none }
        state.$total.withLock { $0 += count }
        if spoiled.contains(count) { state.$extra.withLock { $0 += 1 } }
        state.steps += 1
        return .none
      }
    }
  }

  @Test func `a replay that resumes after a divergence starts with the recorded shared values`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    try withDependencies {
      $0.sharedReferences = SharedReferences()
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      let store = Store(initialState: Tally.State()) { Tally().recorded(as: "F", to: .file(path)) }
      for count in 1...5 { store.send(.add(count)) }
      let log = LogSlice(path: path, name: "log.jsonl")
      let result = try ReplayCheck(log: log, isContinuing: true).run { _ in
        ReducerEngine(reducer: { Tally(spoiled: [2, 4]) }, initialState: { Tally.State() })
      }
      #expect(result.verdict.summary == "diverged at 2: state /extra")
      #expect(result.further.map(\.verdict.summary) == ["diverged at 4: state /extra"])
      #expect(result.seq == 5)
    }
  }
}
