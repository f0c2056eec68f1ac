import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import TCAReplay
@testable import TCAReplaying

/// A shelf whose actions carry the state of the features that they open, with shared values.
@Reducer
private struct Shelf {
  struct Book: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var title: String
  }

  @ObservableState
  struct State {
    @Shared(.inMemory("shelf")) var books: IdentifiedArrayOf<Book> = [
      Book(id: 1, title: "Ulysses"), Book(id: 2, title: "Emma"),
    ]
    @Shared(.inMemory("visits")) var visits = 0
    var page: Page?
    var left: Page?
  }

  @ObservableState @LogValue
  struct Page: Sendable {
    @Shared var book: Book
    @Shared var visits: Int
  }

  enum Action {
    case open(Page)
    case openBoth(Page, left: Page)
    case openByEffect(id: Int)
    case rename(String)
    case renameInList(id: Int, String)
    case visit
  }

  /// The change of titles in a faulty build.
  var spoil: @Sendable (String) -> String = { $0 }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .open(let page): state.page = page
      case .openBoth(let page, let left): (state.page, state.left) = (page, left)
      case .openByEffect(let id):
        guard let book = Shared(state.$books[id: id]) else { return .none }
        let page = Page(book: book, visits: state.$visits)
        return .run { send in await send(.open(page)) }
      case .rename(let title): state.page?.$book.title.withLock { $0 = spoil(title) }
      case .renameInList(let id, let title):
        state.$books.withLock { $0[id: id]?.title = title }
      case .visit: state.page?.$visits.withLock { $0 += 1 }
      }
      return .none
    }
  }
}

@Suite("Shared values in actions")
@MainActor
struct SharedActionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path + "/shelf.jsonl" }

  /// Records a session.
  private func record(
    masks: LogMasks = LogMasks(),
    _ steps: (StoreOf<Shelf>) async -> Void
  ) async throws -> [Substring] {
    var configuration = RecorderConfiguration(.file(path))
    configuration.masks = masks
    await withDependencies {
      $0.sharedReferences = SharedReferences()
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      let store = Store(initialState: Shelf.State()) {
        Shelf().recorded(as: "Shelf", to: Recorder(configuration))
      }
      await steps(store)
    }
    return try folder.read("shelf.jsonl").split(separator: "\n")
  }

  private func verdict(
    _ path: String? = nil,
    _ spoil: @escaping @Sendable (String) -> String = { $0 }
  ) throws -> Verdict {
    try TCAReplayTests.verdict(of: path ?? self.path, replayedWith: Shelf(spoil: spoil)) {
      Shelf.State()
    }
  }

  private static func page(of store: StoreOf<Shelf>, id: Int) throws -> Shelf.Page {
    let state = store.withState { $0 }
    return Shelf.Page(book: try #require(Shared(state.$books[id: id])), visits: state.$visits)
  }

  /// Opens a book and changes shared values in both features.
  private static func use(_ store: StoreOf<Shelf>) async {
    guard let page = try? page(of: store, id: 2) else { return }
    store.send(.open(page))
    store.send(.rename("Persuasion"))
    store.send(.visit)
    store.send(.renameInList(id: 2, "Sanditon"))
  }

  private static let places =
    #""shared":[{"from":"/books","at":"/open/_0/book","part":[{"id":2},null]},{"from":"/visits","at":"/open/_0/visits"}]"#

  @Test("A value that an action and the state share is still shared in a replay")
  func state() async throws {
    let lines = try await record { await Self.use($0) }
    #expect(lines.filter { $0.contains(Self.places) }.count == 1)
    let changes = lines.filter { $0.hasPrefix(#"{"kind":"change""#) }
    for (index, title) in [(1, "Persuasion"), (3, "Sanditon")] {
      for place in ["/books/1/title", "/page/book/title"] {
        #expect(changes[index].contains(#""path":"\#(place)","value":"\#(title)""#))
      }
    }
    #expect(try verdict() == .identical)
    let changed = try verdict { $0 == "Persuasion" ? "Northanger Abbey" : $0 }
    #expect(changed.at == 2)
  }

  @Test("Without the logged paths of shared values, a later change of a shared value diverges")
  func withoutPlaces() async throws {
    let text = try await record { await Self.use($0) }.joined(separator: "\n") + "\n"
    try folder.write(text.replacing("," + Self.places, with: ""), to: "plain.jsonl")
    let verdict = try verdict(folder.path + "/plain.jsonl")
    #expect(verdict.name == "diverged" && verdict.at == 2)
  }

  @Test("The path of a shared value is recorded in an action that an effect sends")
  func effects() async throws {
    let lines = try await record { store in
      await store.send(.openByEffect(id: 2)).finish()
      store.send(.rename("Persuasion"))
    }
    #expect(lines.filter { $0.contains(Self.places) }.count == 1)
    #expect(try verdict() == .identical)
  }

  @Test("A shared value that occurs only in an action is shared at all its paths in a replay")
  func own() async throws {
    let book = Shared(value: Shelf.Book(id: 9, title: "Middlemarch"))
    let pages = [
      Shelf.Page(book: book, visits: Shared(value: 0)),
      Shelf.Page(book: book, visits: Shared(value: 0)),
    ]
    let lines = try await record { store in
      store.send(.openBoth(pages[0], left: pages[1]))
      store.send(.rename("Silas Marner"))
    }
    #expect(
      lines.contains {
        $0.contains(
          #""shared":[{"root":0,"at":"/openBoth/_0/book"},{"root":0,"at":"/openBoth/left/book"}]"#
        )
      }
    )
    #expect(lines.contains { $0.contains(#""path":"/left/book/title","value":"Silas Marner""#) })
    #expect(try verdict() == .identical)
  }

  @Test("A log with masks contains the paths of shared values in actions")
  func masks() async throws {
    let lines = try await record(masks: LogMasks(state: ["/**/title"], action: ["/**/title"])) {
      await Self.use($0)
    }
    #expect(!lines.contains { $0.contains("Emma") || $0.contains("Persuasion") })
    #expect(lines.filter { $0.contains(Self.places) }.count == 1)
    #expect(try verdict() == .identical)
  }

  @Test("A migration moves the paths of shared values in actions")
  func migration() throws {
    let lines = """
      {"kind":"header","format":"tca-replay","version":1,"id":"a","feature":"Shelf"}
      {"kind":"checkpoint","seq":0,"state":{"list":[{"id":2,"title":"Emma"}],"visits":0,"page":null,"left":null},"effects":[]}
      {"kind":"action","seq":1,"at":1,"origin":"view","action":{"show":{"_0":{"book":{"id":2,"title":"Emma"},"visits":0}}},"shared":[{"from":"/list","at":"/show/_0/book","part":[{"id":2},null]}]}
      {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/page","value":{"book":{"id":2,"title":"Emma"},"visits":0}}]}
      {"kind":"action","seq":2,"at":2,"origin":"view","action":{"rename":{"_0":"Persuasion"}}}
      {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/list/0/title","value":"Persuasion"},{"op":"replace","path":"/page/book/title","value":"Persuasion"}]}
      {"kind":"end","seq":2,"reason":"closed"}

      """
    try folder.write(lines, to: "old.jsonl")
    let step = Migration(from: 1) { state in
      try state.move(from: "/list", to: "/books")
    } action: { action in
      try action.move(from: "/show", to: "/open")
    }
    let feature = ReplayFeature("Shelf") {
      Shelf()
    } initialState: {
      Shelf.State()
    }
    let entry = FeatureEntry(
      name: "Shelf",
      stateType: "Shelf.State",
      schemaVersion: 2,
      migrations: [step],
      makeEngine: feature.entry.makeEngine
    )
    let logs = try ReplayedLog.check(logsAt: folder.path + "/old.jsonl", of: entry)
    #expect(logs.map(\.verdict) == [.identical], "\(logs.map(\.text))")
  }
}
