@_spi(Internals) import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Testing

/// A list whose screens are pushed by actions and share a value with it.
@Reducer @Loggable
struct Shelf {
  @ObservableState
  struct State: Equatable {
    @Shared(.inMemory("titles")) var titles = ["Ulysses"]
    var path = StackState<Page.State>()
  }

  enum Action {
    case path(StackActionOf<Page>)
    case openTapped
    case cleared
  }

  /// The change of titles in a faulty build.
  var spoil: @Sendable (String) -> String = { $0 }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .path: return .none
      case .openTapped:
        // A new screen that an effect opens.
        let page = Page.State(titles: state.$titles)
        return .send(.path(.push(id: StackElementID(generation: 0), state: page)))
      case .cleared:
        state.$titles.withLock { $0 = [] }
        return .none
      }
    }
    .forEach(\.path, action: \.path) { Page(spoil: spoil) }
  }
}

/// A screen of the list.
@Reducer @Loggable
struct Page {
  @ObservableState
  struct State: Equatable {
    @Shared var titles: [String]
  }

  enum Action { case added(String) }

  var spoil: @Sendable (String) -> String = { $0 }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .added(let title):
        state.$titles.withLock { $0.append(spoil(title)) }
        return .none
      }
    }
  }
}

@Suite("Shared values in actions")
@MainActor
struct SharedActionTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  private func record(
    _ body: @MainActor (StoreOf<Shelf>) async throws -> Void
  ) async throws -> String {
    let recorder = Recorder(to: .file(folder.log("shelf.jsonl")))
    let store = withDependencies {
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      Store(initialState: Shelf.State()) { Shelf().recorded(as: "Shelf", to: recorder) }
    }
    try await body(store)
    recorder.flush()
    return try String(contentsOf: folder.log("shelf.jsonl"), encoding: .utf8)
  }

  private func replay(
    _ name: String = "shelf.jsonl",
    _ spoil: @escaping @Sendable (String) -> String = { $0 }
  ) throws -> ReplayedLog {
    let feature = ReplayFeature("Shelf") {
      Shelf(spoil: spoil)
    } initialState: {
      Shelf.State()
    }
    return try #require(
      try ReplayedLog.check(logsAt: folder.log(name).path, of: feature.entry).first
    )
  }

  private static let places = #","shared":[{"from":"/titles","at":"/path/_0/push/state/titles"}]"#

  private static func use(_ store: StoreOf<Shelf>) throws {
    let page = Page.State(titles: store.state.$titles)
    store.send(.path(.push(id: StackElementID(generation: 0), state: page)))
    let id = try #require(store.state.path.ids.first)
    store.send(.path(.element(id: id, action: .added("Emma"))))
    store.send(.cleared)
    store.send(.path(.element(id: id, action: .added("Middlemarch"))))
    #expect(store.state.titles == ["Middlemarch"])
  }

  @Test(
    "A shared value in an action is that of the state in a replay, and later changes show in both"
  )
  func state() async throws {
    let text = try await record { try Self.use($0) }
    #expect(text.contains(Self.places))
    #expect(text.contains(#"{"op":"add","path":"/titles/1","value":"Emma"}"#))
    #expect(text.contains(#"{"op":"add","path":"/path/0/element/titles/1","value":"Emma"}"#))
    let same = try replay()
    #expect(same.verdict == .identical, "\(same.text)")
    let changed = try replay { $0 == "Emma" ? "Persuasion" : $0 }
    #expect(changed.verdict?.at == 2, "\(changed.text)")
  }

  @Test("A shared value in an action without its origin is separate, and its replay diverges later")
  func withoutPlaces() async throws {
    let text = try await record { try Self.use($0) }
    try Data(text.replacingOccurrences(of: Self.places, with: "").utf8)
      .write(to: folder.log("plain.jsonl"))
    let replay = try replay("plain.jsonl")
    #expect(replay.verdict?.at == 2, "\(replay.text)")
  }

  @Test("A shared value is found in an action that an effect sends")
  func effects() async throws {
    let text = try await record { store in
      store.send(.openTapped)
      try await wait { !store.state.path.isEmpty }
      let id = try #require(store.state.path.ids.first)
      store.send(.path(.element(id: id, action: .added("Emma"))))
    }
    #expect(text.contains(Self.places))
    let same = try replay()
    #expect(same.verdict == .identical, "\(same.text)")
  }
}
