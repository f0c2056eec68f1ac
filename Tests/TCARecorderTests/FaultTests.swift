import ActionLog
import Foundation
import ReplayEngine
import TCARecorder
import TestSupport
import Testing

/// Errors of the log never affect the app.
@MainActor
@Suite("Faults")
struct FaultTests {
  private func store(_ recorder: Recorder) -> Store<Feature.State, Feature.Action> {
    Store(initialState: Feature.State()) {
      Feature(gate: AsyncStream { $0.finish() }).recorded(to: recorder)
    } withDependencies: {
      $0.uuid = .incrementing
    }
  }

  private func recorder(_ path: String, _ calls: FaultyCalls) -> Recorder {
    var configuration = RecorderConfiguration(.file(path))
    configuration.systemCalls = calls.calls
    return Recorder(configuration)
  }

  private nonisolated static let codes: [(call: String, code: Int32)] = [
    ("write", ENOSPC), ("write", EDQUOT), ("write", EIO), ("write", EFBIG), ("write", EBADF),
  ]

  @Test("A failed write leaves a gap, and the log continues after it", arguments: codes)
  func gap(call: String, code: Int32) throws {
    let folder = try TemporaryFolder()
    let calls = FaultyCalls()
    let recorder = recorder(folder.path + "/log.jsonl", calls)
    var store: Store? = store(recorder)
    store?.send(.chain(0))
    calls.fail(call, code)
    store?.send(.chain(1))
    #expect(recorder.problems == [String(cString: strerror(code))])
    calls.fail(call, nil)
    for _ in 1...3 { store?.send(.chain(0)) }
    #expect(store?.count == 6)
    #expect(recorder.problems.isEmpty)
    store = nil
    let text = try folder.read("log.jsonl")
    #expect(
      try kinds(text).hasPrefix("header checkpoint action change gap checkpoint action change")
    )
    #expect(text.contains(#""reason":"\#(String(cString: strerror(code)))""#))
    #expect(text.hasSuffix("\"reason\":\"closed\"}\n"))
  }

  @Test("A partly written line is removed from the file")
  func partialWrite() throws {
    let folder = try TemporaryFolder()
    let calls = FaultyCalls()
    let recorder = recorder(folder.path + "/log.jsonl", calls)
    let store = store(recorder)
    store.send(.chain(0))
    let before = try folder.read("log.jsonl")
    calls.limit(to: before.utf8.count + 10)
    store.send(.chain(0))
    #expect(try folder.read("log.jsonl") == before)
    #expect(calls.made.contains("truncate"))
  }

  @Test(
    "A partly written line that cannot be removed ends the file, and the log continues in another"
  )
  func unremovablePart() throws {
    let folder = try TemporaryFolder()
    let calls = FaultyCalls()
    let recorder = recorder(folder.path + "/log.jsonl", calls)
    let store = store(recorder)
    store.send(.chain(0))
    calls.limit(to: try folder.read("log.jsonl").utf8.count + 10)
    calls.fail("truncate", EIO)
    store.send(.chain(0))
    calls.limit(to: .max)
    store.send(.chain(0))
    #expect(folder.files == ["log-2.jsonl", "log.jsonl"])
    #expect(
      try kinds(folder.read("log-2.jsonl")) == "header gap checkpoint action change"
    )
    #expect(
      try folder.read("log-2.jsonl")
        .contains("\(String(cString: strerror(ENOSPC))), and the partial line could not be removed")
    )
    #expect(try kinds(folder.read("log.jsonl")) == "header checkpoint action change")
  }

  private nonisolated static let harms: [(name: String, harm: @Sendable (String) throws -> Void)] =
    [
      ("deleted", { try FileManager.default.removeItem(atPath: $0) }),
      ("emptied", { truncate($0, 0) }),
      ("cut", { truncate($0, 100) }),
      (
        "written to",
        { path in
          let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
          try file.seekToEnd()
          try file.write(contentsOf: Data("{".utf8))
          try file.close()
        }
      ),
    ]

  @Test(
    "A recorder continues in a new file when another process deletes or changes the log",
    arguments: 0..<4
  )
  func harmed(index: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    let recorder = Recorder(to: .file(path))
    let store = store(recorder)
    store.send(.chain(0))
    try Self.harms[index].harm(path)
    store.send(.chain(0))
    store.send(.chain(0))
    #expect(store.count == 3)
    let name = Self.harms[index].name == "deleted" ? "log.jsonl" : "log-2.jsonl"
    #expect(
      try kinds(folder.read(name)) == "header gap checkpoint action change",
      "\(Self.harms[index].name)"
    )
  }

  @Test("A log whose folder could not be created continues once it can")
  func lateFolder() throws {
    let folder = try TemporaryFolder()
    let inner = folder.path + "/inner"
    try Data().write(to: URL(fileURLWithPath: inner))
    let store = store(Recorder(to: .file(inner + "/log.jsonl")))
    store.send(.chain(0))
    try FileManager.default.removeItem(atPath: inner)
    store.send(.chain(0))
    store.send(.chain(0))
    #expect(store.count == 3)
    let text = try String(contentsOfFile: inner + "/log.jsonl", encoding: .utf8)
    #expect(try kinds(text).hasPrefix("header gap checkpoint action change"))
  }

  @Test("A recorder that cannot create its log retries at increasing intervals")
  func pauses() throws {
    let folder = try TemporaryFolder()
    let calls = FaultyCalls()
    calls.fail("create", EMFILE)
    let store = store(recorder(folder.path + "/log.jsonl", calls))
    for _ in 0..<1000 { store.send(.chain(0)) }
    #expect(store.count == 1000)
    #expect(calls.made.count == 10)
  }

  @Test("A log with power-loss durability syncs each write, and the folder of a new file")
  func synced() throws {
    let folder = try TemporaryFolder()
    let calls = FaultyCalls()
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.systemCalls = calls.calls
    configuration.durability = .powerLoss
    let store = store(Recorder(configuration))
    store.send(.chain(0))
    #expect(
      calls.made == [
        "create", "syncFolder", "write", "sync", "write", "sync", "write", "sync",
      ]
    )
  }

  @Test("A log with process durability does not sync")
  func unsynced() throws {
    let folder = try TemporaryFolder()
    let calls = FaultyCalls()
    let store = store(recorder(folder.path + "/log.jsonl", calls))
    store.send(.chain(0))
    #expect(calls.made == ["create", "write", "write", "write"])
  }

  @Test(
    "A sync that fails leaves a gap and a checkpoint, as a failed write does",
    arguments: ["sync", "syncFolder"]
  )
  func failingSync(call: String) throws {
    let folder = try TemporaryFolder()
    let calls = FaultyCalls()
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.systemCalls = calls.calls
    configuration.durability = .powerLoss
    calls.fail(call, EIO)
    let store = store(Recorder(configuration))
    store.send(.chain(0))
    calls.fail(call, nil)
    for _ in 0..<4 { store.send(.chain(0)) }
    #expect(store.count == 5)
    let name = try #require(folder.files.last { $0.hasPrefix("log") })
    #expect(try kinds(folder.read(name)).contains("gap checkpoint action change"))
  }
}
