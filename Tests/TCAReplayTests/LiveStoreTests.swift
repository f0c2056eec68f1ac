import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TestSupport
import Testing

@testable import TCAReplay
@testable import TCAReplaying

/// Stores that continue from the logs of the sample features.
@MainActor
@Suite("Live stores", .serialized)
struct LiveStoreTests {
  /// Opens a log at some positions.
  ///
  /// The states equal those of the log, and a recording from each position replays identically.
  private func check<R: Reducer & Sendable, Live: Reducer<R.State, R.Action> & SendableMetatype>(
    _ path: String,
    places: Int = 3,
    seed: UInt64,
    _ reducer: R,
    initialState: @escaping @Sendable () -> R.State,
    live: @escaping @Sendable () -> Live
  ) throws where R.State: Sendable, R.Action: Sendable {
    let folder = try TemporaryFolder()
    let id = try RecordedRun(path).header.id
    let (problems, logs) = try openLive(
      path,
      places: places,
      seed: seed,
      recordingIn: folder,
      initialState: initialState,
      reducer: live
    )
    #expect(problems == [])
    #expect(!logs.isEmpty, "seed \(seed)")
    for log in logs {
      let run = try RecordedRun(log)
      let place = try run.header.continues
      #expect(place?.log == id, "seed \(seed)")
      #expect(place?.seq == run.events.compactMap(\.seq).first, "seed \(seed)")
      let found = try verdict(of: log, replayedWith: reducer, initialState: initialState)
      #expect(found == .identical, "seed \(seed), \(log)")
    }
  }

  private nonisolated static func sample(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/SampleLogs/\(name).jsonl"
  }

  private nonisolated static let seeds = Thoroughness.seeds(1, thorough: 4)

  @Test("Stores of small features continue from random positions of their logs", arguments: seeds)
  func samples(seed: UInt64) throws {
    try check(Self.sample("counter"), seed: seed, Counter()) {
      Counter.State()
    } live: {
      Counter()
    }
    try check(Self.sample("todos"), seed: seed, Todos()) {
      Todos.State()
    } live: {
      Todos()
    }
    try check(Self.sample("search"), seed: seed, Search()) {
      Search.State()
    } live: {
      Search()
    }
    try check(Self.sample("draft"), seed: seed, Draft()) {
      Draft.State()
    } live: {
      Draft()
    }
  }

  @Test("The store of a login flow continues from random positions of its log", arguments: seeds)
  func account(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Account().dependency(\.account, .liveValue),
      initialState: Account.State(),
      steps: randomSteps(120, seed: seed, AccountUser.action),
      to: path
    )
    try check(path, seed: seed, Account()) {
      Account.State()
    } live: {
      Account().dependency(\.account, .liveValue)
    }
  }

  @Test(
    "The store of an app with several screens continues from random positions of its log",
    arguments: seeds
  )
  func inspections(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Inspections().dependency(\.office, .liveValue),
      initialState: inOwnStorage { Inspections.State() },
      steps: randomSteps(150, seed: seed, InspectionsUser.action),
      to: path
    )
    try check(path, seed: seed, Inspections()) {
      Inspections.State()
    } live: {
      Inspections().dependency(\.office, .liveValue)
    }
  }

  @Test(
    "The store of a sign-up with a shared draft continues from random positions of its log",
    arguments: seeds
  )
  func signUp(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      GregorianSignUp().dependency(\.signUp, .liveValue),
      initialState: SignUp.State(),
      steps: randomSteps(200, seed: seed, SignUpUser.action),
      to: path
    )
    try check(path, seed: seed, GregorianSignUp()) {
      SignUp.State()
    } live: {
      GregorianSignUp().dependency(\.signUp, .liveValue)
    }
  }

  @Test("The store of a memo recorder continues from random positions of its log", arguments: seeds)
  func memos(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      AllowedMemos(),
      initialState: Memos.State(),
      steps: randomSteps(200, seed: seed, MemosUser.action),
      to: path
    )
    try check(path, seed: seed, Memos()) {
      Memos.State()
    } live: {
      AllowedMemos()
    }
  }

  @Test("The store of a board continues from random positions of its log", arguments: seeds)
  func board(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Board().dependency(\.board, .liveValue),
      initialState: Board.State(),
      steps: randomSteps(200, seed: seed, BoardUser.action),
      to: path
    )
    try check(path, seed: seed, Board()) {
      Board.State()
    } live: {
      Board().dependency(\.board, .liveValue)
    }
  }

  @Test("A value shared by several features is still shared in a store that opens the log")
  func shared() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Library(),
      initialState: inOwnStorage { Library.State() },
      steps: [.send(.add("Emma")), .send(.add("Ulysses")), .send(.open(id: 1))],
      to: path
    )
    let files = FileStorage.inMemory
    let store = try Store(replaying: .file(path)) {
      Library()
    } withDependencies: {
      $0.defaultFileStorage = files
      $0.defaultAppStorage = .inMemory
      $0.defaultInMemoryStorage = InMemoryStorage()
    }
    #expect(store.reader?.book.title == "Emma")
    store.state.$books.withLock { $0[id: 1]?.title = "Persuasion" }
    #expect(store.reader?.book.title == "Persuasion")
    store.state.reader?.$book.title.withLock { $0 = "Sanditon" }
    #expect(store.books.map(\.title) == ["Sanditon", "Ulysses"])
    store.send(.reader(.presented(.visit)))
    #expect(store.visits == 1)
    #expect(store.reader?.visits == 1)
    // The key belongs to the store's storage, which now has the recorded value.
    let other = withDependencies {
      $0.defaultFileStorage = files
    } operation: {
      Library.State()
    }
    #expect(other.books.map(\.title).last == "Ulysses")
  }

  @Test(
    "A store opens the log of the receipt sample with the recorded states, although its replay diverges"
  )
  func receipt() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Receipt(),
      initialState: Receipt.State(),
      steps: [
        .send(.scanned(name: "Milk", shelf: "A")), .send(.scanned(name: "Tea", shelf: "B")),
        .send(.shelvesButtonTapped), .send(.printButtonTapped), .send(.ticketButtonTapped),
        .send(.bookButtonTapped), .send(.footButtonTapped),
      ],
      to: path
    )
    let (problems, _) = try openLive(
      path,
      places: 12,
      seed: 1,
      recordingIn: folder,
      follows: false
    ) {
      Receipt.State()
    } reducer: {
      Receipt()
    }
    #expect(problems == [])
  }
}

extension RecordedRun {
  var header: LogEvent.Header {
    get throws {
      guard case .header(let header) = try #require(events.first) else {
        throw LogReadError.empty
      }
      return header
    }
  }
}

/// Memos whose permission requests are granted without a prompt.
private struct AllowedMemos: Reducer, Sendable {
  var body: some Reducer<Memos.State, Memos.Action> {
    Memos()
      .dependency(\.audioPlayer, .liveValue)
      .dependency(\.audioRecorder, .liveValue)
      .dependency(\.permissions, .liveValue)
  }
}
