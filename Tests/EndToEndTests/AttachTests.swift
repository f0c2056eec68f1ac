import ActionLog
import Foundation
import Observation
import SampleFeatures
import TCAReplay
import TestSupport
import Testing

/// The command-line debugger, attached to the app in this process.
@MainActor
@Suite struct AttachTests {
  private let folder: TemporaryFolder
  private let timeline: StoreTimeline<Counter.State, Counter.Action>

  init() throws {
    folder = try TemporaryFolder()
    timeline = StoreTimeline(initialState: Counter.State()) { Counter() }
    for _ in 0..<3 { timeline.store.send(.incrementButtonTapped) }
  }

  private var socket: String { folder.path + "/app.sock" }

  /// The counts that an observer of the store has seen.
  @MainActor
  private final class Seen {
    var counts: Set<Int> = []
  }

  private func observe(_ seen: Seen) { Self.observe(timeline.store, seen) }

  /// Observes a store without retaining it.
  ///
  /// The store retains the observer, and would keep the folder of the test alive.
  private static func observe(_ store: StoreOf<Counter>, _ seen: Seen) {
    withObservationTracking {
      _ = seen.counts.insert(store.count)
    } onChange: { [weak store] in
      Task { @MainActor in
        if let store { observe(store, seen) }
      }
    }
  }

  /// Runs the tool on a separate thread.
  ///
  /// The app needs the main actor, and other tests need the threads of the pool.
  private func beside<Answer: Sendable>(
    _ run: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try run() }) }
    }
  }

  private func debug(_ words: String...) async throws -> Tool.Result {
    let arguments = ["debug", "--attach", socket, "--batch"] + words.flatMap { ["-ex", $0] }
    return try await beside { try Tool.replay.run(arguments) }
  }

  private func edit(_ requests: [(String, JSON?)]) async throws -> [JSON] {
    let (result, messages) = try await beside { try Tool.replay.edit(requests) }
    #expect(result.status == 0, "\(result.error)")
    return messages
  }

  private func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test
  func `debug --attach steps a running app, which returns to the present when the session ends`()
    async throws
  {
    let listener = try timeline.listen(at: socket)
    defer { listener.close() }
    #expect(try mode(of: socket) == 0o600)
    #expect(try mode(of: socket + ".token") == 0o600)
    let seen = Seen()
    observe(seen)
    let result = try await debug("goto 2", "print count", "reverse-step", "print count")
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("\n2\n"), "\(result.output)")
    #expect(result.output.hasSuffix("\n1\n"), "\(result.output)")
    while timeline.isInPast { await Task.yield() }
    #expect(timeline.store.count == 3)
    #expect(seen.counts.isSuperset(of: [1, 2]), "\(seen.counts)")
    timeline.store.send(.incrementButtonTapped)
    #expect(try await debug("goto 4", "print count").output.hasSuffix("\n4\n"))
  }

  @Test func `an editor attaches to a running app and steps it, also after a restart`() async throws
  {
    let listener = try timeline.listen(at: socket)
    defer { listener.close() }
    let seen = Seen()
    observe(seen)
    let messages = try await edit([
      ("initialize", ["adapterID": "tca-replay"]), ("attach", ["socket": .string(socket)]),
      ("configurationDone", [:]), ("evaluate", ["expression": "count"]),
      ("stepBack", ["threadId": 1]), ("evaluate", ["expression": "count"]), ("restart", [:]),
      ("evaluate", ["expression": "goto 1", "context": "repl"]),
      ("evaluate", ["expression": "count"]), ("disconnect", [:]),
    ])
    let counts = messages.filter { $0["command"] == "evaluate" }.map { $0["body"]?["result"] }
    #expect(counts.count == 4)
    #expect([counts[0], counts[1], counts.last] == ["3", "2", "1"], "\(messages)")
    let process = messages.first { $0["event"] == "process" }
    #expect(process?["body"]?["startMethod"] == "attach")
    #expect(process?["body"]?["name"] == "Counter · app.sock")
    while timeline.isInPast { await Task.yield() }
    #expect(timeline.store.count == 3)
    #expect(seen.counts.isSuperset(of: [2, 1]), "\(seen.counts)")
  }

  @Test(
    arguments: [
      (
        [:],
        "no app is given; set 'socket' in the attach configuration to the path that the app listens at"
      ),
      (
        ["socket": "/nowhere/app.sock"],
        "/nowhere/app.sock.token cannot be read: start the app with 'timeline.listen(at:)', as the same user"
      ),
    ] as [(JSON, String)]
  )
  func `the debug adapter reports why it cannot attach to an app`(
    arguments: JSON,
    reason: String
  ) async throws {
    let messages = try await edit([
      ("initialize", ["adapterID": "tca-replay"]), ("attach", arguments), ("disconnect", [:]),
    ])
    let answer = messages.first { $0["command"] == "attach" }
    #expect(answer?["success"] == false)
    #expect("\(answer ?? .null)".contains(reason), "\(messages)")
  }

  @Test func `a running app refuses a debugger with another token`() async throws {
    let listener = try timeline.listen(at: socket)
    defer { listener.close() }
    try "x".write(toFile: socket + ".token", atomically: false, encoding: .utf8)
    let result = try await debug("goto 1")
    #expect(
      result.error == "tca-replay: the app refuses: the token is not that of this socket\n",
      "\(result.error)"
    )
    #expect(!timeline.isInPast)
  }

  @Test func `attaching fails until the app listens, and the socket exists only while it listens`()
    async throws
  {
    let result = try await debug("goto 1")
    #expect(
      result.error
        == "tca-replay: \(socket).token cannot be read: start the app with 'timeline.listen(at:)', as the same user\n",
      "\(result.error)"
    )
    let listener = try timeline.listen(at: socket)
    listener.close()
    #expect(!FileManager.default.fileExists(atPath: socket))
    #expect(!FileManager.default.fileExists(atPath: socket + ".token"))
  }

  @Test func `a listener refuses a socket path that is in use, and accepts one that is free`()
    throws
  {
    let listener = try timeline.listen(at: socket)
    #expect(throws: (any Error).self) { try timeline.listen(at: socket) }
    listener.close()
    try timeline.listen(at: socket).close()
    try folder.write("text", to: "app.sock")
    do {
      _ = try timeline.listen(at: socket)
      Issue.record("a file was replaced")
    } catch { #expect("\(error)" == "\(socket) is in use; remove it, or choose another path") }
  }

  @Test func `debug refuses to start without a log and --attach, and with both of them`() throws {
    let result = try Tool.replay.run("debug", Project.sample("counter.jsonl"), "--attach", socket)
    #expect(result.status == 64)
    let missing = try Tool.replay.run("debug")
    #expect(missing.status == 64)
    #expect(missing.error.contains("LOG"), "\(missing.error)")
  }
}
