import ActionLog
import Foundation
import TestSupport
import Testing

/// Real processes that are killed while they record.
@Suite("Durability")
struct DurabilityTests {
  struct Death: Sendable, CustomTestStringConvertible {
    let point: String
    let signal: Int32
    /// The last action in the log.
    let last: Int
    let isTorn: Bool
    let verdict: String
    var testDescription: String { point }
  }

  private static let trap: Int32 = {
    #if arch(arm64)
    SIGTRAP
    #else
    SIGILL
    #endif
  }()

  private static let deaths = [
    Death(
      point: "before",
      signal: SIGKILL,
      last: 2,
      isTorn: false,
      verdict: "cut after action 2, the same as far as it goes"
    ),
    Death(
      point: "inside",
      signal: SIGKILL,
      last: 2,
      isTorn: true,
      verdict: "cut after action 2, the same as far as it goes"
    ),
    Death(
      point: "after",
      signal: SIGKILL,
      last: 3,
      isTorn: false,
      verdict: "cut after action 3, the same as far as it goes"
    ),
    Death(
      point: "reduce",
      signal: SIGKILL,
      last: 3,
      isTorn: false,
      verdict: "cut after action 3, the same as far as it goes"
    ),
    Death(
      point: "trap",
      signal: trap,
      last: 3,
      isTorn: false,
      verdict: "cut after action 3, the same as far as it goes"
    ),
  ]

  @Test(
    "a log ends with the action that was being handled when the process died",
    arguments: deaths
  )
  func death(death: Death) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    let app = try Tool.crashingApp.run(path, death.point)
    #expect(app.isSignal && app.status == death.signal, "\(app)")
    var reader = try LogReader(path: path)
    var last = 0
    while let entry = try reader.next() {
      if case .action(let action) = entry.event { last = action.seq }
    }
    #expect(last == death.last)
    #expect((reader.tornTail != nil) == death.isTorn)
    let run = try Tool.replay.run("run", path)
    #expect(run.output == "\(path): \(death.verdict)\n")
    #expect(run.status == 0)
  }

  @Test("A full disk ends the log with a complete line and one message, and the app continues")
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    let app = try Tool.crashingApp.run(path, "limit")
    #expect(app.status == 0 && app.output == "30\n", "\(app)")
    #expect(
      app.error
        == "tca-replay: cannot write the log \(path): File too large. The app runs on; until it can be written again, the log has a gap.\n"
    )
    let log = try String(contentsOfFile: path, encoding: .utf8)
    #expect(log.hasSuffix("\n") && log.utf8.count <= 1500)
    #expect(try Tool.replay.run("run", path).status == 0)
  }

  @Test("a flight recorder of a killed app leaves segments that each replay up to the last action")
  func ring() throws {
    let folder = try TemporaryFolder()
    let app = try Tool.crashingApp.run(folder.path + "/log.jsonl", "ring")
    #expect(app.isSignal && app.status == SIGKILL, "\(app)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count > 2 && !names.contains("log.segment-1.jsonl"), "\(names)")
    var last = 0
    for name in names {
      var reader = try LogReader(path: folder.path + "/" + name)
      while let entry = try reader.next() {
        if case .action(let action) = entry.event { last = max(last, action.seq) }
      }
      let run = try Tool.replay.run("run", folder.path + "/" + name)
      #expect(run.status == 0, "\(run)")
    }
    #expect(last == 26)
  }

  @Test("An app without a free file descriptor for its log continues and reports the problem once")
  func noFileHandle() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    let app = try Tool.crashingApp.run(path, "files")
    #expect(app.status == 0 && app.output == "30\n", "\(app)")
    #expect(
      app.error
        == "tca-replay: cannot write the log \(path): Too many open files. The app runs on; until it can be written again, the log has a gap.\n"
    )
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(
    "a process that is killed leaves no masked text in its log",
    arguments: [1, 2, 3, 4, 25, 26, 27, 28, 150]
  )
  func masked(last: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    let app = try Tool.crashingApp.run(path, "masked-\(last)")
    #expect(app.isSignal && app.status == SIGKILL, "\(app)")
    let secrets = app.output.split(separator: "\n")
    #expect(secrets.count >= last / 2 && secrets.count <= last)
    let log = try String(contentsOfFile: path, encoding: .utf8)
    for secret in secrets { #expect(!log.contains(secret)) }
    #expect(!app.error.contains(secrets[0]))
    // The log is complete except for the secrets.
    var reader = try LogReader(path: path)
    var begun: [Int] = []
    while let entry = try reader.next() {
      if case .action = entry.event { continue }
      if case .withheld(let event) = entry.event { begun.append(event.seq) }
      if case .change(let event) = entry.event { #expect(event.seq < last) }
    }
    #expect(last < 4 || !begun.isEmpty)
    let run = try Tool.replay.run("verify", path)
    #expect(run.status == 0, "\(run)")
  }

  @Test("a recorder leaves an existing log unchanged and writes to another name")
  func existing() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("precious", to: "log.jsonl")
    #expect(try Tool.crashingApp.run(path, "none").status == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    let run = try Tool.replay.run("run", folder.path + "/log-2.jsonl")
    #expect(run.output == "\(folder.path)/log-2.jsonl: identical, through action 30\n")
  }
}
