import Foundation
import ReplayEngine
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

/// A feature that attaches a recorder to a part of itself.
@Reducer
private struct Diary: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var pages = 0
    var words = 0
  }

  enum Action: Sendable {
    case turn
    case write(Int)
  }

  let inner: String

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .turn = action { state.pages += 1 }
      return .none
    }
    Reduce { state, action in
      if case .write(let words) = action { state.words += words }
      return .none
    }
    .recorded(to: .file(inner))
  }
}

/// A replay records nothing.
@MainActor
@Suite struct RecorderInReplayTests {
  @Test func `a recorder inside a feature writes nothing during a replay`() throws {
    let folder = try TemporaryFolder()
    let (outer, inner) = (folder.path + "/outer.jsonl", folder.path + "/inner.jsonl")
    do {
      let store = Store(initialState: Diary.State()) {
        Diary(inner: inner).recorded(to: .file(outer))
      }
      for words in 1...3 {
        store.send(.write(words))
        store.send(.turn)
      }
    }
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(before == ["inner.jsonl", "outer.jsonl"])
    let replayed = folder.path + "/replayed.jsonl"
    let feature = ReplayFeature("Diary") {
      Diary(inner: replayed)
    } initialState: {
      Diary.State()
    }
    let verdicts = try Verdict.ofReplay(logAt: outer) { _ in try feature.entry.makeEngine() }
    #expect(verdicts == [.identical])
    let after = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(after == before)
  }
}
