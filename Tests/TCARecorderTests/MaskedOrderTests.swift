import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import TCARecorder
@testable import TCAReplay
@testable import TCAReplaying

@MainActor
@Suite("Masked texts in sets")
struct MaskedOrderTests {
  @Test(
    "A set replays as identical wherever its masked texts are sorted",
    arguments: [
      ["zoe@example.org", "ann", "nat"], ["ann@example.org", "nat", "zoe"],
      ["zoe@example.org", "ann@example.org", "nat"],
      ["zoe@example.org", "ann@example.org", "nat", "tom"],
    ]
  )
  func sets(names: [String]) throws {
    #expect(try verdict(names) { $0 } == .identical)
  }

  @Test("Another order of a list and other elements of a set are differences beside masked texts")
  func differences() throws {
    let names = ["zoe@example.org", "ann", "nat"]
    #expect(try verdict(names) { $0.filter { $0 != "nat" } }?.isSame == false)
    #expect(try verdict(names) { $0.reversed() }?.isSame == false)
  }

  /// Records a list of names, of which those with an "@" are masked, and replays it with a change of the list.
  private func verdict(
    _ names: [String],
    replaying change: @escaping @Sendable ([String]) -> [String]
  ) throws -> Verdict? {
    let folder = try TemporaryFolder()
    do {
      var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
      configuration.masks = LogMasks(state: ["/secrets"])
      let store = Store(initialState: Named.State()) {
        Named().recorded(to: Recorder(configuration))
      }
      store.send(.named(names))
    }
    return try Verdict.ofReplay(logAt: folder.path + "/log.jsonl") { _ in
      ReducerEngine(reducer: { Named(change: change) }, initialState: { Named.State() })
    }.first
  }

  @Reducer
  struct Named: Sendable {
    @ObservableState
    struct State: Equatable, Sendable {
      var secrets: [String] = []
      var set: Set<String> = []
      var list: [String] = []
    }

    enum Action: Sendable { case named([String]) }

    var change: @Sendable ([String]) -> [String] = { $0 }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .named(let names):
          let names = change(names)
          state.secrets = names.filter { $0.contains("@") }
          state.set = Set(names)
          state.list = names
        }
        return .none
      }
    }
  }
}
