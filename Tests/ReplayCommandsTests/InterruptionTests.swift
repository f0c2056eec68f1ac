import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ReplayCommands
@testable import ReplayEngine
@testable import ReplayHosts

/// Requests to end work early.
@Suite struct InterruptionTests {
  @Test(
    "Only the first request for an interruption has an effect, and only if partial results are allowed"
  )
  func heeding() {
    let interruption = Interruption()
    #expect(!interruption.request(by: SIGINT))
    #expect(interruption.signal == nil)
    interruption.allowPartialResult()
    #expect(interruption.request(by: SIGTERM))
    #expect(!interruption.request(by: SIGINT))
    #expect(interruption.signal == SIGTERM)
    #expect(throws: Interrupted(signal: SIGTERM)) { try interruption.check() }
  }

  private final class Runs: Sendable {
    let names = Mutex<[String]>([])
  }

  @Test(
    "An action added to an interruption runs once, even if added late, but not if it is canceled"
  )
  func actions() {
    let interruption = Interruption()
    interruption.allowPartialResult()
    let runs = Runs()
    func action(_ name: String) -> Int? {
      interruption.onRequest { runs.names.withLock { $0.append(name) } }
    }
    _ = action("before")
    interruption.cancelAction(action("cancelled"))
    _ = interruption.request(by: SIGINT)
    _ = interruption.request(by: SIGINT)
    #expect(action("after") == nil)
    #expect(runs.names.withLock { $0 } == ["before", "after"])
  }

  @Test("OrderedWork starts a limited number of items after a slow item, and completes all items")
  func window() async {
    let begun = Runs()
    let gate = DispatchSemaphore(value: 0)
    let work = OrderedWork<Int, Int>(
      items: Array(0..<1_000),
      workers: 2,
      makeWorker: {
        { item in
          // The gate stays closed until the first item has given up. The last item does not begin before that.
          if item == 0, gate.wait(timeout: .now() + 0.5) == .success {
            begun.names.withLock { $0.append("the last") }
          }
          if item == 999 { gate.signal() }
          return item
        }
      },
      isLast: { _ in false }
    )
    var results: [Int] = []
    for await result in work.results() { results.append(result) }
    #expect(results == Array(0..<1_000))
    #expect(begun.names.withLock { $0 } == [])
  }

  @Test("Interrupted work immediately returns the complete results in order")
  func partialWork() async {
    let interruption = Interruption()
    interruption.allowPartialResult()
    let gate = DispatchSemaphore(value: 0)
    let work = OrderedWork<Int, Int>(
      items: Array(0..<5),
      workers: 2,
      makeWorker: {
        { item in
          // The first item is still running when the others are finished.
          if item == 0 { gate.wait() }
          if item == 3 { _ = interruption.request(by: SIGINT) }
          return item
        }
      },
      isLast: { _ in false },
      interruption: interruption
    )
    var results: [Int] = []
    for await result in work.results() { results.append(result) }
    gate.signal()
    // The item that requested the interruption has no result, because it may have been interrupted itself.
    #expect(results == [1, 2])
  }

  // MARK: - Files of others

  @Test("LockedFolder removes abandoned folders, and no others")
  func abandonedFolders() throws {
    let folder = try TemporaryFolder()
    let owned = try LockedFolder(in: folder.path, prefix: "x.")
    let abandoned = "x.\(UUID().uuidString)"
    try folder.write(to: "\(abandoned)/deeper/file")
    try folder.write(to: "x.mine/file")
    try folder.write(to: "y.\(UUID().uuidString)/file")
    try folder.write(to: "x.\(UUID().uuidString)")
    let others = folder.files.filter { $0 != abandoned }
    LockedFolder.removeAbandoned(in: folder.path, prefix: "x.")
    #expect(folder.files == others)
    #expect(FileManager.default.fileExists(atPath: owned.path))
    withExtendedLifetime(owned) {}
  }

  @Test("AtomicFile reuses a file that a killed writer has left, but none that is being written")
  func halfWrittenFiles() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out"
    try folder.write("the half of some", to: ".out.tca-replay")
    let first = try AtomicFile(path)
    let second = try AtomicFile(path)
    #expect(folder.files == [".out.tca-replay", ".out.tca-replay-2"])
    try first.write("1".utf8)
    try second.write("2".utf8)
    try second.finish()
    #expect(try folder.read("out") == "2")
    try first.finish()
    #expect(try folder.read("out") == "1")
    #expect(folder.files == ["out"])
  }

  @Test("killing a child process also kills processes that it has put into other groups")
  func sessions() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let process = try ChildProcess(
      "/usr/bin/env",
      arguments: ["bash", "-c", "set -m; (echo x; sleep 1000) > '\(pipe)' & sleep 1000"],
      output: .null
    )
    // Held open only by the child: its end closes the pipe.
    let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: pipe))
    #expect(try reader.read(upToCount: 2) == Data("x\n".utf8))
    process.killSession()
    #expect(process.wait() == .signal("SIGKILL"))
    #expect(try reader.readToEnd() ?? Data() == Data())
  }
}
