import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Testing

/// An app that is in one of two states.
@Reducer
enum Root {
  case entry(Entry)
  case counter(Counter)
}

extension Root.State: LogCases {}
extension Root.Action: LogCases {}

@Reducer @Loggable
struct Entry {
  @ObservableState
  struct State: Equatable { var name = "" }

  enum Action: BindableAction { case binding(BindingAction<State>) }

  var body: some ReducerOf<Self> { BindingReducer() }
}

@Reducer @Loggable
struct Counter {
  @ObservableState
  struct State: Equatable { var count = 0 }

  enum Action { case incremented }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }
}

@Suite("An enum of features at the root")
@MainActor
struct EnumReducerTests {
  @Test(
    "An enum of features at the root is recorded by its body, and replays",
    arguments: [true, false]
  )
  func root(isEntry: Bool) throws {
    let state = isEntry ? Root.State.entry(Entry.State()) : .counter(Counter.State())
    let action =
      isEntry ? Root.Action.entry(.binding(.set(\.name, "Blob"))) : .counter(.incremented)
    let place = isEntry ? "/entry/_0/name" : "/counter/_0/count"
    let folder = try LogFolder()
    let url = folder.log("log.jsonl")
    let recorder = Recorder(to: .file(url))
    let store = Store(initialState: state) { Root.body.recorded(as: "Root", to: recorder) }
    store.send(action)
    recorder.flush()
    try expectReplay(of: url) { EnumReducer(Root.self) }
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains("\"path\":\"\(place)\""))
  }
}
