import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder
@testable import TCAReplay
@testable import TCAReplaying

/// All events of a recorder other than plain actions replay.
@MainActor
@Suite("Replayed recordings")
struct ReplayedRecordingTests {
  private func record(
    _ configuration: RecorderConfiguration,
    _ body: (Store<Feature.State, Feature.Action>, AsyncStream<Void>.Continuation, Recorder)
      async throws -> Void
  ) async rethrows {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let recorder = Recorder(configuration)
    let store = Store(initialState: Feature.State()) {
      Feature(gate: gate).recorded(to: recorder)
    } withDependencies: {
      $0.uuid = .incrementing
    }
    try await body(store, opener, recorder)
  }

  private func verdict(_ path: String) throws -> Verdict {
    let verdicts = try Verdict.ofReplay(logAt: path) { _ in
      ReducerEngine(
        reducer: { Feature(gate: AsyncStream { $0.finish() }) },
        initialState: { Feature.State() }
      )
    }
    return try #require(verdicts.first)
  }

  @Test("A log with a gap in the middle of a wave replays as identical")
  func gap() async throws {
    let folder = try TemporaryFolder()
    let calls = FaultyCalls()
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.systemCalls = calls.calls
    await record(configuration) { store, opener, _ in
      let work = store.send(.work)
      store.send(.chain(2))
      calls.fail("write", ENOSPC)
      store.send(.chain(5))
      calls.fail("write", nil)
      // Each of these starts a wave that includes the log.
      store.send(.chain(9))
      opener.yield()
      await work.finish()
    }
    #expect(try folder.read("log.jsonl").contains(#""kind":"gap""#))
    #expect(try verdict(folder.path + "/log.jsonl") == .identical)
  }

  @Test("A log with excluded actions, their effects and their cancellations replays as identical")
  func excluded() async throws {
    let folder = try TemporaryFolder()
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.actions.exclude = ["/chain", "/stop", "/restart"]
    await record(configuration) { store, opener, _ in
      let work = store.send(.work)
      store.send(.chain(2))
      store.send(.add("a"))
      store.send(.restart)
      await work.finish()
      let again = store.send(.work)
      opener.yield()
      await again.finish()
      store.send(.add("b"))
    }
    let text = try folder.read("log.jsonl")
    #expect(try verdict(folder.path + "/log.jsonl") == .identical)
    #expect(!text.contains(#""chain""#) && !text.contains(#""restart""#))
    #expect(text.split(separator: "\n").filter { $0.contains(#""kind":"excluded""#) }.count == 7)
  }

  @Test("Excluded actions are included in the number of actions that their effect has sent")
  func excludedTicks() async throws {
    let folder = try TemporaryFolder()
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.actions.exclude = ["/tick"]
    var store: Store? = Store(initialState: Ticking.State()) {
      Ticking().recorded(to: Recorder(configuration))
    }
    await store?.send(.start).finish()
    #expect(store?.ticks == 3)
    store = nil
    let text = try folder.read("log.jsonl")
    #expect(text.contains(#""event":"finished","sent":4"#))
    func verdict(_ text: String) throws -> Verdict? {
      try folder.write(text, to: "log.jsonl")
      return try Verdict.ofReplay(logAt: folder.path + "/log.jsonl") { _ in
        ReducerEngine(reducer: { Ticking() }, initialState: { Ticking.State() })
      }.first
    }
    #expect(try verdict(text) == .identical)
    // An ended effect sends no actions, and a filter must not hide this.
    let late = text.replacing(
      #""origin":{"effect":"1.0"},"patch""#,
      with: #""origin":{"effect":"1.7"},"patch""#
    )
    #expect(late != text)
    #expect(try verdict(late)?.isSame == false)
  }

  @Reducer
  struct Ticking {
    @ObservableState
    struct State { var ticks = 0 }
    enum Action { case start, tick, done }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .start:
          return .run { send in
            for _ in 0..<3 { await send(.tick) }
            await send(.done)
          }
        case .tick: state.ticks += 1
        case .done: break
        }
        return .none
      }
    }
  }

  @Test("A recorder with an include filter writes other actions as excluded events")
  func included() async throws {
    let folder = try TemporaryFolder()
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.actions.include = ["/add"]
    await record(configuration) { store, _, _ in
      store.send(.chain(1))
      store.send(.add("a"))
    }
    #expect(
      try kinds(folder.read("log.jsonl"))
        == "header checkpoint excluded excluded action read change end"
    )
    #expect(try verdict(folder.path + "/log.jsonl") == .identical)
  }

  @Test("A note is written where it was made and does not affect the replay")
  func notes() async throws {
    let folder = try TemporaryFolder()
    await record(RecorderConfiguration(.file(folder.path + "/log.jsonl"))) { store, _, recorder in
      store.send(.chain(0))
      recorder.note("here")
      store.send(.chain(0))
    }
    #expect(
      try kinds(folder.read("log.jsonl"))
        == "header checkpoint action change note action change end"
    )
    #expect(try folder.read("log.jsonl").contains(#""text":"here""#))
    #expect(try verdict(folder.path + "/log.jsonl") == .identical)
  }

  @Test("Checkpoints have at most a quarter of a log's size and list the effects alive")
  func checkpoints() async throws {
    let folder = try TemporaryFolder()
    await record(RecorderConfiguration(.file(folder.path + "/log.jsonl"))) { store, opener, _ in
      let work = store.send(.work)
      for index in 0..<30 {
        store.send(.add("\(index)" + String(repeating: "x", count: 20_000)))
        store.send(.chain(1))
      }
      opener.yield()
      await work.finish()
    }
    let text = try folder.read("log.jsonl")
    let lines = text.split(separator: "\n")
    let checkpoints = lines.filter { $0.hasPrefix(#"{"kind":"checkpoint""#) }
    #expect(checkpoints.count > 1)
    // Except for the last one, which may be the end of the log.
    let size = checkpoints.dropLast().reduce(0) { $0 + $1.utf8.count }
    #expect(size * 4 <= text.utf8.count)
    #expect(checkpoints.last?.contains(#""name":"work""#) == true)
    #expect(try verdict(folder.path + "/log.jsonl") == .identical)
  }

  @Test("Each segment of a ring replays as identical on its own, including effects that were alive")
  func segments() async throws {
    let folder = try TemporaryFolder()
    let destination = LogDestination.ring(folder.path + "/log.jsonl", bytes: 100_000, segments: 200)
    try await record(RecorderConfiguration(destination)) { store, opener, recorder in
      for round in 0..<12 {
        let work = store.send(.work)
        store.send(.chain(3))
        if round % 3 == 0 { store.send(.restart) } else { opener.yield() }
        await work.finish()
        store.send(.add("\(round)"))
      }
      try recorder.export(to: URL(fileURLWithPath: folder.path + "/whole.log"))
    }
    let segments = folder.files.filter { $0.contains("segment") }
    #expect(segments.count > 20)
    for name in segments {
      let found = try verdict(folder.path + "/" + name)
      let text = try folder.read(name)
      #expect(found == .identical, "\(name)\n\(text)")
    }
    let whole = try verdict(folder.path + "/whole.log")
    #expect(whole == .cut(at: 100), "\(whole)")
  }

  @Test("An export made during the recording contains all events up to then")
  func export() async throws {
    let folder = try TemporaryFolder()
    let copy = URL(fileURLWithPath: folder.path + "/copy.jsonl")
    try await record(RecorderConfiguration(.file(folder.path + "/log.jsonl"))) {
      store,
      _,
      recorder in
      store.send(.chain(1))
      try Data("old".utf8).write(to: copy)
      try recorder.export(to: copy)
      store.send(.chain(0))
    }
    #expect(try verdict(copy.path) == .cut(at: 2))
    #expect(try folder.read("log.jsonl").hasPrefix(folder.read("copy.jsonl")))
    #expect(folder.files == ["copy.jsonl", "log.jsonl"])
  }

  @Test("A failed export throws an error with the path and leaves no file")
  func failingExport() async throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder.path + "/none/copy.jsonl")
    await record(RecorderConfiguration(.file(folder.path + "/log.jsonl"))) { store, _, recorder in
      store.send(.chain(1))
      let error = #expect(throws: LogWriteError.self) { try recorder.export(to: url) }
      #expect(
        error?.description == "cannot write the log \(url.path): No such file or directory"
      )
    }
    #expect(folder.files == ["log.jsonl"])
  }

  @Test("The header contains the app identity of the configuration")
  func identity() async throws {
    let folder = try TemporaryFolder()
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.app = AppIdentity(name: "Todos", version: "2.1", build: "418", revision: "3f1c")
    await record(configuration) { store, _, _ in store.send(.chain(0)) }
    var reader = try LogReader(path: folder.path + "/log.jsonl")
    guard case .header(let header) = try reader.next()?.event else { return }
    #expect(
      header.app == ["name": "Todos", "version": "2.1", "build": "418", "revision": "3f1c"]
    )
  }
}

/// A feature whose parent changes its state.
@Reducer
private struct Parent {
  @ObservableState
  struct State: Equatable { var child = Feature.State() }
  enum Action {
    case child(Feature.Action)
    case meddle
  }
  let path: String

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      Feature(gate: AsyncStream { $0.finish() }).recorded(to: .file(path))
    }
    Reduce { state, action in
      if case .meddle = action { state.child.names.insert("from outside") }
      if case .child(.add) = action { state.child.count += 100 }
      return .none
    }
  }
}

@MainActor
@Suite("Changes from outside")
struct ExternalChangeTests {
  @Test(
    "A change from outside is logged as an external event, which a replay applies before the next action"
  )
  func external() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    var store: Store? = Store(initialState: Parent.State()) {
      Parent(path: path)
    } withDependencies: {
      $0.uuid = .incrementing
    }
    store?.send(.child(.chain(1)))
    store?.send(.meddle)
    store?.send(.child(.add("a")))
    store?.send(.child(.chain(0)))
    #expect(store?.child.count == 103)
    store = nil
    let text = try folder.read("log.jsonl")
    #expect(
      try kinds(text)
        == "header checkpoint action change action change external action read change external action change end"
    )
    #expect(
      text.contains(
        #""patch":[{"op":"add","path":"/names/0","value":"from outside"}]}"#
      )
    )
    let verdicts = try Verdict.ofReplay(logAt: path) { _ in
      ReducerEngine(
        reducer: { Feature(gate: AsyncStream { $0.finish() }) },
        initialState: { Feature.State() }
      )
    }
    #expect(verdicts == [.identical])
  }
}
