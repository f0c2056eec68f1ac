import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Testing

/// A feature as it was before anyone thought of logs.
@Reducer
private struct Unmarked {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var name = "a"
  }

  enum Action { case incremented }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.count += 1
      return .none
    }
  }
}

@Suite("A feature without the attribute")
@MainActor
struct UnmarkedFeatureTests {
  @Test("Its states are shown, but not replayed")
  func shown() async throws {
    let folder = try LogFolder()
    let url = folder.log("log.jsonl")
    let recorder = Recorder(to: .file(url))
    let store = Store(initialState: Unmarked.State()) { Unmarked().recorded(to: recorder) }
    store.send(.incremented)
    recorder.flush()
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(
      text.contains(#""state":{"$opaque":"Unmarked.State","shown":"(_count: 0, _name: \"a\""#)
    )
    #expect(text.contains(#""action":{"$opaque":"Unmarked.Action","shown":".incremented"}"#))
    let logs = try ReplayedLog.check(
      logsAt: url.path,
      of: ReplayFeature("Unmarked") {
        Unmarked()
      } initialState: {
        Unmarked.State()
      }.entry
    )
    let replay = try #require(logs.first)
    guard case .notReplayable = replay.verdict else {
      Issue.record("\(replay.text)")
      return
    }
    #expect(!replay.isSame)
  }
}
