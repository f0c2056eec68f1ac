import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import ReplayCommands
@testable import TCAReplay
@testable import TCAReplaying

extension SharedKey where Self == FileStorageKey<IdentifiedArrayOf<Library.Book>>.Default {
  static var books: Self { Self[.fileStorage(Library.url), default: []] }
}

/// A list in a file whose rows are edited by another feature.
@Reducer
struct Library {
  static let url = URL.temporaryDirectory.appending(path: "library.json")

  struct Book: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var title: String
  }

  @ObservableState
  struct State {
    @Shared(.books) var books
    @Shared(.inMemory("visits")) var visits = 0
    @Presents var reader: Reader.State?
  }

  enum Action {
    case add(String)
    case open(id: Int)
    case clear
    case reader(PresentationAction<Reader.Action>)
  }

  /// The change of titles in a faulty build.
  var spoil: @Sendable (String) -> String = { $0 }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let title):
        state.$books.withLock { $0.append(Book(id: $0.count + 1, title: spoil(title))) }
      case .open(let id):
        state.reader = Shared(state.$books[id: id]).map { Reader.State(book: $0) }
      case .clear:
        state.$books.withLock { $0.removeAll() }
      case .reader:
        break
      }
      return .none
    }
    .ifLet(\.$reader, action: \.reader) { Reader() }
  }
}

@Reducer
struct Reader {
  @ObservableState
  struct State {
    @Shared var book: Library.Book
    @Shared(.inMemory("visits")) var visits = 0
    @SharedReader(.appStorage("accent")) var accent = "none"
    var isAllowed = false
  }

  enum Action {
    case rename(String)
    case visit
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .rename(let title):
        guard state.isAllowed || state.accent == "red" else { break }
        state.$book.title.withLock { $0 = title }
      case .visit:
        state.$visits.withLock { $0 += 1 }
      }
      return .none
    }
  }
}

/// A key that counts its calls.
private struct CountingKey: SharedKey {
  let id = "counting"
  static let calls = LockIsolated(0)

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    Self.calls.withValue { $0 += 1 }
    continuation.resume(returning: 40)
  }
  func subscribe(
    context: LoadContext<Int>,
    subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    Self.calls.withValue { $0 += 1 }
    return SharedSubscription {}
  }
  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    Self.calls.withValue { $0 += 1 }
    continuation.resume()
  }
}

@Reducer
private struct Counting {
  @ObservableState
  struct State {
    @Shared(CountingKey()) var count = 0
    @SharedReader var double: Int

    init() {
      _double = .constant(0)
      _double = $count.twice
    }
  }

  enum Action { case increment }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      // Read through a separate reference outside the state.
      @Shared(CountingKey()) var count = 0
      state.$count.withLock { $0 = count + 1 }
      return .none
    }
  }
}

extension Int {
  fileprivate var twice: Int { self * 2 }
}

@Suite @MainActor struct SharedReplayTests {
  private static let steps: [SampleStep<Library.Action>] = [
    .send(.add("Emma")),
    .send(.open(id: 2)),
    .send(.reader(.presented(.visit))),
    .send(.reader(.presented(.rename("Persuasion")))),
    .send(.reader(.dismiss)),
    .send(.open(id: 1)),
    .send(.reader(.presented(.visit))),
    .send(.reader(.presented(.rename("Ulysses, again")))),
    .send(.clear),
    .send(.reader(.presented(.rename("of a book that is gone")))),
    .send(.add("Middlemarch")),
  ]

  private func recordLibrary(to path: String) async {
    let defaults = UserDefaults.inMemory
    defaults.set("red", forKey: "accent")
    await withDependencies {
      $0.sharedReferences = SharedReferences()
      $0.defaultInMemoryStorage = InMemoryStorage()
      $0.defaultFileStorage = .inMemory([
        Library.url: Data(#"[{"id":1,"title":"Ulysses"}]"#.utf8)
      ])
      $0.defaultAppStorage = defaults
    } operation: {
      await record(Library(), initialState: Library.State(), steps: Self.steps, to: path)
    }
  }

  @Test
  func `a log with shared state replays as identical, regardless of values stored on this machine`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.jsonl"
    await recordLibrary(to: path)
    let verdict = try verdict(
      of: path,
      replayedWith: Library(),
      initialState: { Library.State() }
    )
    #expect(verdict == .identical)
  }

  @Test func `states name shared values by their properties, and reads by their storage keys`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.jsonl"
    await recordLibrary(to: path)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let checkpoint = try #require(lines.first { $0.hasPrefix(#"{"kind":"checkpoint""#) })
    #expect(
      checkpoint.contains(
        #""state":{"books":[{"id":1,"title":"Ulysses"}],"visits":0,"reader":null}"#
      )
    )
    let reads = lines.filter { $0.hasPrefix(#"{"kind":"read""#) }
    #expect(
      reads == [
        #"{"kind":"read","seq":2,"key":"shared.inMemory(visits)","value":0}"#,
        #"{"kind":"read","seq":2,"key":"shared.appStorage(accent)","value":"red"}"#,
        #"{"kind":"read","seq":6,"key":"shared.inMemory(visits)","value":1}"#,
        #"{"kind":"read","seq":6,"key":"shared.appStorage(accent)","value":"red"}"#,
      ]
    )
    let changes = lines.filter { $0.hasPrefix(#"{"kind":"change","seq":4"#) }
    #expect(changes.count == 1)
    #expect(changes[0].contains(#"{"op":"replace","path":"/books/1/title","value":"Persuasion"}"#))
    #expect(
      changes[0].contains(#"{"op":"replace","path":"/reader/book/title","value":"Persuasion"}"#)
    )
  }

  @Test func `a replay diverges if a reducer assigns another shared value`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.jsonl"
    await recordLibrary(to: path)
    let verdict = try verdict(
      of: path,
      replayedWith: Library(spoil: { $0 == "Middlemarch" ? "Middle" : $0 }),
      initialState: { Library.State() }
    )
    #expect(verdict.name == "diverged" && verdict.at == 11)
  }

  @Test func `a replay of shared state loads no shared key`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/counting.jsonl"
    await withDependencies {
      $0.sharedReferences = SharedReferences()
    } operation: {
      await record(
        Counting(),
        initialState: Counting.State(),
        steps: [.send(.increment), .send(.increment)],
        to: path
      )
    }
    let calls = CountingKey.calls.value
    #expect(calls > 0)
    let verdict = try verdict(
      of: path,
      replayedWith: Counting(),
      initialState: { Counting.State() }
    )
    #expect(verdict == .identical)
    #expect(CountingKey.calls.value == calls)
    let log = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      log.contains(#""value":{"count":41,"double":82}"#) || log.contains(#"/double","value":82"#)
    )
  }

  @Test func `shared parts of the first state of a log stay shared in a replay`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/deep.jsonl"
    let books: IdentifiedArrayOf<Library.Book> = [
      Library.Book(id: 1, title: "Ulysses"), Library.Book(id: 2, title: "Emma"),
    ]
    await withDependencies {
      $0.sharedReferences = SharedReferences()
      $0.defaultInMemoryStorage = InMemoryStorage()
      $0.defaultFileStorage = .inMemory
      $0.defaultAppStorage = .inMemory
    } operation: {
      var state = Library.State()
      state.$books.withLock { $0 = books }
      state.reader = Shared(state.$books[id: 2]).map { Reader.State(book: $0, isAllowed: true) }
      await record(
        Library(),
        initialState: state,
        steps: [
          .send(.reader(.presented(.visit))), .send(.reader(.presented(.rename("Persuasion")))),
          .send(.add("Middlemarch")), .send(.clear),
          .send(.reader(.presented(.rename("of a book that is gone")))),
        ],
        to: path
      )
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(
      lines[1].hasSuffix(
        #","shared":[{"root":0,"at":"/books"},{"root":1,"at":"/visits"},"#
          + #"{"root":0,"at":"/reader/book","part":[{"id":2},null]},{"root":1,"at":"/reader/visits"}]}"#
      )
    )
    #expect(lines.contains { $0.contains(#""path":"/reader/book/title","value":"Persuasion""#) })
    let verdict = try verdict(
      of: path,
      replayedWith: Library(),
      initialState: { Library.State() }
    )
    #expect(verdict == .identical)
  }
}
