@_spi(Internals) import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Testing

/// A book in a library.
@LogValue
struct Book: Equatable, Identifiable, Sendable {
  let id: Int
  var title: String
  var note: String?
}

/// A library whose screens share parts of one value with it.
@Reducer @Loggable
struct Library {
  @ObservableState
  struct State: Equatable {
    @Shared(.inMemory("books")) var books: IdentifiedArrayOf<Book> = [
      Book(id: 1, title: "Ulysses"), Book(id: 2, title: "Emma"),
    ]
    var path = StackState<Reader.State>()
  }

  enum Action {
    case path(StackActionOf<Reader>)
    case openTapped(Shared<Book>)
    case cleared
  }

  /// The change of titles in a faulty build.
  var spoil: @Sendable (String) -> String = { $0 }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .path: return .none
      case .openTapped(let book):
        state.path.append(Reader.State(book: book, title: book.title))
        return .none
      case .cleared:
        state.$books.withLock { books in
          for id in books.ids { books[id: id]?.title = "" }
        }
        return .none
      }
    }
    .forEach(\.path, action: \.path) { Reader(spoil: spoil) }
  }
}

/// A screen of one book.
@Reducer @Loggable
struct Reader {
  @ObservableState
  struct State: Equatable {
    @Shared var book: Book
    @Shared var title: String

    init(book: Shared<Book>, title: Shared<String>) {
      _book = book
      _title = title
    }
  }

  enum Action {
    case renamed(String)
    case retitled(String)
  }

  var spoil: @Sendable (String) -> String = { $0 }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .renamed(let title): state.$book.withLock { $0.title = spoil(title) }
      case .retitled(let title): state.$title.withLock { $0 = spoil(title) }
      }
      return .none
    }
  }
}

@Suite("Parts of shared values")
@MainActor
struct SharedPartTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  private func record(
    _ recorder: (LogFolder) -> Recorder,
    _ body: @MainActor (StoreOf<Library>, Recorder) async throws -> Void
  ) async throws {
    let recorder = recorder(folder)
    let store = withDependencies {
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      Store(initialState: Library.State()) { Library().recorded(as: "Library", to: recorder) }
    }
    try await body(store, recorder)
    recorder.flush()
  }

  private func replay(
    _ name: String,
    _ spoil: @escaping @Sendable (String) -> String = { $0 }
  ) throws -> ReplayedLog {
    let feature = ReplayFeature("Library") {
      Library(spoil: spoil)
    } initialState: {
      Library.State()
    }
    return try #require(
      try ReplayedLog.check(logsAt: folder.log(name).path, of: feature.entry).first
    )
  }

  private static let places =
    #","shared":[{"from":"/books","at":"/openTapped/_0","part":[{"id":2},null]}]"#

  private static func use(_ store: StoreOf<Library>) throws {
    let book = try #require([Shared](store.state.$books).last)
    store.send(.openTapped(book))
    let id = try #require(store.state.path.ids.first)
    store.send(.path(.element(id: id, action: .renamed("Persuasion"))))
    store.send(.cleared)
    store.send(.path(.element(id: id, action: .retitled("Middlemarch"))))
    #expect(store.state.books.map(\.title) == ["", "Middlemarch"])
  }

  @Test("A part of a shared value in an action is that of the state in a replay")
  func action() async throws {
    try await record {
      Recorder(to: .file($0.log("log.jsonl")))
    } _: { store, _ in
      try Self.use(store)
    }
    let text = try String(contentsOf: folder.log("log.jsonl"), encoding: .utf8)
    #expect(text.contains(Self.places))
    #expect(text.contains(#""path":"/books/1/title","value":"Persuasion""#))
    let same = try replay("log.jsonl")
    #expect(same.verdict == .identical, "\(same.text)")
    let changed = try replay("log.jsonl") { $0 == "Persuasion" ? "Emma" : $0 }
    #expect(changed.verdict?.at == 2, "\(changed.text)")
    try Data(text.replacingOccurrences(of: Self.places, with: "").utf8)
      .write(to: folder.log("plain.jsonl"))
    let apart = try replay("plain.jsonl")
    #expect(apart.verdict?.at == 2, "\(apart.text)")
  }

  @Test("A part of a shared value belongs to the entire value at the start of a ring's segment")
  func ring() async throws {
    try await record {
      Recorder(RecorderConfiguration(.ring($0.log("ring.jsonl").path, megabytes: 0.05)))
    } _: { store, recorder in
      let book = try #require([Shared](store.state.$books).last)
      store.send(.openTapped(book))
      let id = try #require(store.state.path.ids.first)
      for number in 0..<400 {
        store.send(.path(.element(id: id, action: .renamed("Title \(number)"))))
        store.send(.path(.element(id: id, action: .retitled("Other \(number)"))))
      }
      recorder.flush()
      try recorder.export(to: folder.log("export.jsonl"))
    }
    let text = try String(contentsOf: folder.log("export.jsonl"), encoding: .utf8)
    #expect(
      text.contains(
        #""shared":[{"root":0,"at":"/books"},"#
          + #"{"root":0,"at":"/path/0/element/book","part":[{"id":2},null]},"#
          + #"{"root":0,"at":"/path/0/element/title","part":[{"id":2},null,"title"]}]"#
      )
    )
    let replay = try replay("export.jsonl")
    #expect(replay.isSame, "\(replay.text)")
  }
}
