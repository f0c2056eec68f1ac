import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Testing

/// A feature without preparations for logs.
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

/// A feature of which only the actions can be read.
@Reducer
private struct HalfMarked {
  @ObservableState
  struct State: Equatable { var count = 0 }

  enum Action: Codable, Sendable { case incremented }

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
  @Test("The states of a feature without the attribute are shown, but not replayed")
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
    #expect(
      replay.text == """
        \(url.path): not replayable at action 1: the value was not recorded, only its type, Unmarked.Action: \
        \(Self.line("Unmarked", "Action")); not compared: Unmarked.State as the whole state, \
        Unmarked.Action in action as a whole

          action 1  <Unmarked.Action: .incremented>
            sent by the view

          note: \(Self.line("Unmarked", "State"))
          note: \(Self.line("Unmarked", "Action"))

        """
    )
  }

  /// Returns the line to add.
  private static func line(_ feature: String, _ part: String) -> String {
    "add @Loggable beside the @Reducer of \(feature), "
      + "or 'extension \(feature).\(part): LogCases {}' if \(feature) is an enum"
  }

  @Test("A replay without readable states reports that none was compared, and which line to add")
  func halfMarked() async throws {
    let folder = try LogFolder()
    let url = folder.log("log.jsonl")
    let recorder = Recorder(to: .file(url))
    let store = Store(initialState: HalfMarked.State()) { HalfMarked().recorded(to: recorder) }
    store.send(.incremented)
    recorder.flush()
    let feature = ReplayFeature("HalfMarked") {
      HalfMarked()
    } initialState: {
      HalfMarked.State()
    }
    let replay = try #require(
      try ReplayedLog.check(logsAt: url.path, of: feature.entry).first
    )
    #expect(
      replay.text.hasPrefix(
        "\(url.path): cut after action 1, the same as far as it goes; not compared: HalfMarked.State as the whole state\n"
      )
    )
    #expect(replay.text.hasSuffix("  note: \(Self.line("HalfMarked", "State"))\n"))
  }
}
