import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Testing

/// A list whose screens have values in a file and in settings.
@Reducer @Loggable
struct Notebook {
  @ObservableState
  struct State: Equatable {
    let file: URL
    @Shared(.inMemory("visits")) var visits = 0
    @Presents var page: NotePage.State?
    var path = StackState<NotePage.State>()
    var rows: IdentifiedArrayOf<NotePage.State> = []
    var text = ""

    init(file: URL) { self.file = file }
  }

  enum Action {
    case openTapped
    case pushTapped
    case appendTapped
    case openAndAddTapped(times: Int)
    case openWithDefaultTapped
    case openFlaggedTapped
    case peekTapped
    case page(PresentationAction<NotePage.Action>)
    case path(StackActionOf<NotePage>)
    case rows(IdentifiedActionOf<NotePage>)
  }

  /// Whether the screens of a faulty build have no values with keys.
  var isPlain = false

  @Dependency(\.uuid) var uuid
  @Dependency(\.isFlagged) var isFlagged

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      change(&state, action)
      return .none
    }
    .ifLet(\.$page, action: \.page) { NotePage() }
    .forEach(\.path, action: \.path) { NotePage() }
    .forEach(\.rows, action: \.rows) { NotePage() }
  }

  private func change(_ state: inout State, _ action: Action) {
    let page = NotePage.State(id: state.rows.count, file: state.file, isPlain: isPlain)
    switch action {
    case .openTapped: state.page = page
    case .pushTapped: state.path.append(page)
    case .appendTapped: state.rows.append(page)
    case .openAndAddTapped(let times):
      for number in 0..<times { page.$notes.withLock { $0.append("\(number)") } }
      state.page = page
    case .openWithDefaultTapped:
      let id = uuid
      let notes = Shared<[String]>(
        wrappedValue: [id().uuidString],
        .fileStorage(state.file.appendingPathExtension("default"))
      )
      state.page = NotePage.State(id: 0, notes: notes)
      state.text = uuid().uuidString
    case .openFlaggedTapped:
      state.text = "\(isFlagged())"
      state.page = page
      guard page.theme > 1 else { return }
      // A stored value decides that there is another one.
      let notes = Shared<[String]>(
        wrappedValue: [],
        .fileStorage(state.file.appendingPathExtension("theme"))
      )
      state.path.append(NotePage.State(id: 0, notes: notes))
    case .peekTapped:
      @Shared(.appStorage("peeked")) var peeked = 0
      state.text = "\(peeked)"
    case .page, .path, .rows: break
    }
  }
}

/// A screen.
@Reducer @Loggable
struct NotePage {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    @Shared var notes: [String]
    @Shared(.appStorage("theme")) var theme = 1
    @SharedReader(.appStorage("limit")) var limit = 10
    @Shared(.inMemory("visits")) var visits = 0

    init(id: Int, notes: Shared<[String]>) {
      self.id = id
      _notes = notes
    }

    init(id: Int, file: URL, isPlain: Bool) {
      self.init(
        id: id,
        notes: isPlain ? Shared(value: []) : Shared(wrappedValue: [], .fileStorage(file))
      )
    }
  }

  enum Action {
    case added(String)
    case themeTapped
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .added(let note):
        state.$notes.withLock { $0.append(note) }
        state.$visits.withLock { $0 += 1 }
      case .themeTapped: state.$theme.withLock { $0 += 1 }
      }
      return .none
    }
  }
}

private enum IsFlaggedKey: DependencyKey {
  static var liveValue: @Sendable () -> Bool { { false } }
  static var testValue: @Sendable () -> Bool { { false } }
}

extension DependencyValues {
  fileprivate var isFlagged: @Sendable () -> Bool {
    get { self[IsFlaggedKey.self] }
    set { self[IsFlaggedKey.self] = newValue }
  }
}

/// Values with keys that a reducer makes within a session.
@Suite @MainActor
struct SharedKeyTests {
  private let folder: LogFolder
  private let settings = UserDefaults.inMemory
  private var file: URL { folder.log("notes.json") }
  private var log: URL { folder.log("log.jsonl") }

  init() throws {
    folder = try LogFolder()
    try store(["old"])
    settings.set(3, forKey: "theme")
    settings.set(7, forKey: "limit")
  }

  private func store(_ notes: [String], in pathExtension: String? = nil) throws {
    let url = pathExtension.map { file.appendingPathExtension($0) } ?? file
    try JSONEncoder().encode(notes).write(to: url)
  }

  /// Records a session.
  private func record(_ body: @MainActor (StoreOf<Notebook>) async throws -> Void) async throws {
    let recorder = Recorder(to: .file(log))
    let store = withDependencies {
      $0.defaultFileStorage = .fileSystem
      $0.defaultAppStorage = settings
      $0.defaultInMemoryStorage = InMemoryStorage()
      $0.uuid = .incrementing
      $0.isFlagged = { true }
    } operation: {
      Store(initialState: Notebook.State(file: file)) {
        Notebook().recorded(as: "Notebook", to: recorder)
      }
    }
    try await body(store)
    recorder.flush()
  }

  /// Waits for what the library does later on the main queue.
  private func drainMainQueue() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  private func replay(isPlain: Bool = false) throws -> String {
    let file = file
    let feature = ReplayFeature("Notebook") {
      let answers = OrderedAnswers(true, false)
      return Reduce(
        Notebook(isPlain: isPlain).dependency(\.isFlagged, { answers.next() })
      )
    } initialState: {
      Notebook.State(file: file)
    }
    let text = try #require(try ReplayedLog.check(logsAt: log.path, of: feature.entry).first).text
    return String(text.prefix { $0 != "\n" }).replacingOccurrences(of: log.path, with: "log")
  }

  /// The reads of the log, with the folder of the test left out.
  private func keyReads() throws -> [String] {
    let name = "temporary/\(folder.url.lastPathComponent)/"
    return try reads(log).filter { $0.contains("shared.") }
      .map { $0.replacingOccurrences(of: name, with: "") }
  }

  private static let first = [
    #"1 shared.fileStorage(notes.json) ["old"]"#, "1 shared.appStorage(theme) 3",
    "1 shared.appStorage(limit) 7",
  ]

  @Test(arguments: ["presented", "pushed", "appended"])
  func `stored values that a child loads are reads, and a replay has them`(
    child: String
  ) async throws {
    try await record { store in
      switch child {
      case "presented": store.send(.openTapped)
      case "pushed": store.send(.pushTapped)
      default: store.send(.appendTapped)
      }
      let add = NotePage.Action.added("new")
      if store.state.page != nil { store.send(.page(.presented(add))) }
      for id in store.state.path.ids { store.send(.path(.element(id: id, action: add))) }
      for row in store.state.rows { store.send(.rows(.element(id: row.id, action: add))) }
      #expect(store.state.visits == 1)
    }
    // The value in memory is in the state from the start.
    #expect(try keyReads() == Self.first)
    let text = try replay()
    #expect(text.hasPrefix("log: identical, through action"), "\(text)")
    #expect(try replay(isPlain: true).hasPrefix("log: diverged at action 1: "))
    // Without the reads, a replay has the default values.
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    let other = lines.filter { !$0.contains(#""key":"shared."#) }.joined(separator: "\n") + "\n"
    try Data(other.utf8).write(to: log)
    #expect(try replay().hasPrefix("log: diverged at action 1: state "))
  }

  @Test func `a value that is loaded again is read again`() async throws {
    try await record { store in
      store.send(.openTapped)
      store.send(.page(.presented(.added("new"))))
      // Within the state, the key has one value.
      store.send(.pushTapped)
      store.send(.page(.dismiss))
      store.send(.path(.popFrom(id: try #require(store.state.path.ids.first))))
      // The recorded state of the last action keeps nothing alive.
      store.send(.peekTapped)
      await drainMainQueue()
      try self.store(["outside"])
      settings.set(4, forKey: "theme")
      store.send(.openTapped)
      #expect(store.state.page?.notes == ["outside"])
      store.send(.page(.presented(.added("newer"))))
    }
    let again = [
      #"7 shared.fileStorage(notes.json) ["outside"]"#, "7 shared.appStorage(theme) 4",
      "7 shared.appStorage(limit) 7",
    ]
    #expect(try keyReads() == Self.first + again)
    let text = try replay()
    #expect(text == "log: identical, through action 8")
  }

  @Test func `a value that the action changes is read as it was before`() async throws {
    try await record { store in
      store.send(.openAndAddTapped(times: 1))
      #expect(store.state.page?.notes == ["old", "0"])
    }
    #expect(try keyReads() == Self.first)
    let text = try replay()
    #expect(text == "log: identical, through action 1")
  }

  @Test func `a key that the state already has keeps its value in another timeline`() async throws {
    try await record { store in
      store.send(.openTapped)
      store.send(.pushTapped)
    }
    let text = try String(contentsOf: log, encoding: .utf8)
    let read = #"{"kind":"read","seq":2,"key":"shared.appStorage(theme)","value":99}"#
    let change = #"{"kind":"change","seq":2,"#
    try Data(text.replacingOccurrences(of: change, with: read + "\n" + change).utf8).write(to: log)
    #expect(try keyReads() == Self.first + ["2 shared.appStorage(theme) 99"])
    let verdict = try replay()
    #expect(verdict == "log: identical, through action 2")
  }

  /// The library tracks only the value before the last change.
  @Test func `a value that the action changes twice is read as it was before the last change`()
    async throws
  {
    try await record { store in store.send(.openAndAddTapped(times: 2)) }
    #expect(try keyReads().first == #"1 shared.fileStorage(notes.json) ["old","0"]"#)
    let text = try replay()
    #expect(text == "log: diverged at action 1: state page.notes[2]")
  }

  @Test func `a default value that reads dependencies is evaluated as in the app`() async throws {
    try store(["stored"], in: "default")
    try await record { store in
      store.send(.openWithDefaultTapped)
      #expect(store.state.page?.notes == ["stored"])
      #expect(store.state.text == "00000000-0000-0000-0000-000000000001")
      // The reference is in use, so that the default is not evaluated.
      store.send(.openWithDefaultTapped)
      #expect(store.state.text == "00000000-0000-0000-0000-000000000002")
      store.send(.page(.dismiss))
      store.send(.peekTapped)
      await drainMainQueue()
      try self.store(["other"], in: "default")
      store.send(.openWithDefaultTapped)
      #expect(store.state.page?.notes == ["other"])
    }
    let text = try replay()
    #expect(text == "log: identical, through action 5")
  }

  @Test func `a stored value decides on another one, and clients are asked once`() async throws {
    try store(["dark"], in: "theme")
    try await record { store in
      store.send(.openFlaggedTapped)
      #expect(store.state.path.first?.notes == ["dark"])
    }
    #expect(
      try keyReads() == Self.first + [#"1 shared.fileStorage(notes.json.theme) ["dark"]"#]
    )
    let text = try replay()
    #expect(text == "log: identical, through action 1")
  }

  @Test func `a value that the reducer drops is not in the log`() async throws {
    settings.set(5, forKey: "peeked")
    try await record { store in
      store.send(.peekTapped)
      #expect(store.state.text == "5")
    }
    #expect(try keyReads() == [])
    #expect(try replay().hasPrefix("log: diverged at action 1: state text"))
  }

  @Test func `a value that a changed reducer does not load is a difference`() async throws {
    try store([])
    try await record { store in store.send(.openTapped) }
    #expect(
      try replay(isPlain: true).replacingOccurrences(of: folder.url.lastPathComponent, with: "")
        == "log: diverged at action 1: reads shared.fileStorage(temporary//notes.json)"
    )
  }

  @Test func `a test has the stored values of a log`() async throws {
    let reads = StubbedReads()
    let file = file
    let store = TestStore(initialState: Notebook.State(file: file)) {
      Notebook().answeringReads(from: reads)
    }
    let key = "shared.fileStorage(temporary/\(folder.url.lastPathComponent)/notes.json)"
    reads.answer(key, with: #"["first"]"#)
    await store.send(.openTapped) {
      $0.page = NotePage.State(id: 0, notes: Shared(value: ["first"]))
    }
    await store.send(.page(.dismiss)) { $0.page = nil }
    reads.answer(key, with: #"["second"]"#)
    reads.answer("shared.appStorage(theme)", with: "9")
    await store.send(.openTapped) {
      let page = NotePage.State(id: 0, notes: Shared(value: ["second"]))
      page.$theme.withLock { $0 = 9 }
      $0.page = page
    }
  }
}
