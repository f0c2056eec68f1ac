import ActionLog
import Foundation
import Testing

@Suite("LogFile")
struct LogFileTests {
  @Test("LogFile creates a file with the next free number instead of overwriting a log")
  func numbering() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("session.jsonl").path
    for name in ["session.jsonl", "session-2.jsonl", "session-3.jsonl"] {
      var file = try LogFile(creating: path)
      try file.append(Array(name.utf8))
      #expect(file.path == folder.appendingPathComponent(name).path)
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == name)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "session.jsonl")
  }

  @Test("The error of a log file names the path that the system refused")
  func refusal() {
    #expect(throws: LogWriteError(path: "/dev/null/a.jsonl", code: ENOTDIR)) {
      _ = try LogFile(creating: "/dev/null/a.jsonl")
    }
  }

  @Test(arguments: [
    (
      LogWriteError(path: "/a.jsonl", code: ENOSPC),
      "cannot write the log /a.jsonl: No space left on device"
    ),
    (
      LogWriteError(path: "/a.jsonl", code: ENOSPC, isLost: true),
      "cannot write the log /a.jsonl: No space left on device, and the partial line could not be removed"
    ),
    (
      LogWriteError(path: "/a.jsonl", code: ENOENT, isLost: true),
      "cannot write the log /a.jsonl: something else deleted or changed the file"
    ),
  ])
  func `the error of a log file says what the system reported`(
    error: LogWriteError,
    description: String
  ) {
    #expect(error.description == description)
  }
}
