import ComposableArchitecture
import ComposableReplay
import Foundation
import Testing

/// A feature that attaches a recorder in its body.
@Reducer @Loggable
struct SelfRecorded {
  @ObservableState
  struct State: Equatable { var count = 0 }

  enum Action { case incremented }

  let name: String
  let destination: LogDestination

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.count += 1
      return .none
    }
    .recorded(as: name, to: destination)
  }
}

@Suite("A recorder in a body")
@MainActor
struct BodyTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
  }

  private static let message =
    "found recorded(to:) of Alone in a body, which writes a log for every action; attach it once, at the store"

  @Test("A recorder in a body reports that it has to be at the store")
  func alone() throws {
    let feature = SelfRecorded(name: "Alone", destination: .file(folder.log("log.jsonl")))
    let store = Store(initialState: SelfRecorded.State()) { feature }
    store.send(.incremented)
    #expect(!RecordingAttachment.said.contains(Self.message))
    store.send(.incremented)
    #expect(RecordingAttachment.said.contains(Self.message))
    #expect(store.state.count == 2)
  }

  @Test("A recorder in the body of a recorded feature reports it, and records nothing")
  func nested() throws {
    let inner = SelfRecorded(name: "Inner", destination: .file(folder.log("inner.jsonl")))
    let recorder = Recorder(to: .file(folder.log("outer.jsonl")))
    let store = Store(initialState: SelfRecorded.State()) {
      inner.recorded(as: "Outer", to: recorder)
    }
    store.send(.incremented)
    store.send(.incremented)
    recorder.flush()
    #expect(
      RecordingAttachment.said.contains(
        "found recorded(to:) in the body of a recorded feature; attach it once, at the store"
      )
    )
    #expect(try files() == ["outer.jsonl"])
  }

  @Test("Stores of one action each are not reported as recorders in a body")
  func stores() throws {
    for _ in 0..<3 {
      let recorder = Recorder(to: .file(folder.log("log.jsonl")))
      let store = Store(initialState: SelfRecorded.State()) {
        Reduce<SelfRecorded.State, SelfRecorded.Action> { state, _ in
          state.count += 1
          return .none
        }
        .recorded(as: "Separate", to: recorder)
      }
      store.send(.incremented)
    }
    #expect(!RecordingAttachment.said.contains { $0.contains("Separate") })
  }
}
