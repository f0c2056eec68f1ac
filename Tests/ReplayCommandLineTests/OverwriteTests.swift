import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

/// A result replaces a file of the same command, and another file only with the force option.
@MainActor @Suite struct OverwriteTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
  }

  nonisolated static let commands: [[String]] = [
    ["replay", "a.jsonl", "-o"],
    ["migrate", "a.jsonl", "-o"],
    ["mask", "a.jsonl", "--path", "/id", "-o"],
    ["minimize", "a.jsonl", "--when", "$.seq == 1", "-o"],
    ["explore", "a.jsonl", "--invariant", "$.seq < 1", "-o"],
    ["verify", "a.jsonl", "--repair"],
  ]

  @Test(
    "a command overwrites a log only if it has written it, or with --force",
    arguments: commands
  )
  func recordings(command: [String]) async throws {
    try terminal.folder.write(SampleLog.text, to: "mine.jsonl")
    let path = terminal.folder.path + "/mine.jsonl"
    let refused = try await terminal.run(command + [path])
    #expect(refused.status == 73)
    #expect(
      refused.error
        == "tca-replay: mine.jsonl is a log that '\(command[0])' has not written; expected another name, or --force"
        + " to write over it\n"
    )
    #expect(try terminal.folder.read("mine.jsonl") == SampleLog.text)
    let forced = try await terminal.run(command + [path, "--force"])
    #expect(forced.status < 2, "\(forced)")
    #expect(try terminal.folder.read("mine.jsonl") != SampleLog.text)
    // The file now belongs to the command.
    let again = try await terminal.run(command + [path])
    #expect(again.status < 2, "\(again)")
  }

  @Test("a command does not overwrite a log that another command has written")
  func otherCommands() async throws {
    let path = terminal.folder.path + "/out.jsonl"
    #expect(try await terminal.run("mask", "a.jsonl", "--path", "/id", "-o", path).status == 0)
    let masked = try terminal.folder.read("out.jsonl")
    #expect(try await terminal.run("replay", "a.jsonl", "-o", path).status == 73)
    #expect(try await terminal.run("test", "a.jsonl", "-o", path).status == 73)
    #expect(try terminal.folder.read("out.jsonl") == masked)
    // The derived result was written by another command.
    let other = terminal.folder.path + "/other.jsonl"
    #expect(try await terminal.run("replay", "out.jsonl", "-o", other).status == 0)
    #expect(try await terminal.run("mask", "a.jsonl", "--path", "/id", "-o", other).status == 73)
  }

  @Test(
    "a command overwrites a file that is no log only if it is empty, or with --force",
    arguments: commands + others
  )
  func otherFiles(command: [String]) async throws {
    try terminal.folder.write("notes\n", to: "notes.txt")
    let path = terminal.folder.path + "/notes.txt"
    let refused = try await terminal.run(command + [path])
    #expect(refused.status == 73)
    let kind = command[0] == "trace" ? "a trace" : "a log"
    #expect(
      refused.error
        == "tca-replay: notes.txt is not \(kind); expected another name, or --force to write over it\n"
    )
    #expect(try terminal.folder.read("notes.txt") == "notes\n")
    #expect(try await terminal.run(command + [path, "--force"]).status < 2)
    // The file now belongs to the command.
    let again = try await terminal.run(command + [path])
    #expect(again.status < 2, "\(again)")
    try terminal.folder.write("", to: "notes.txt")
    #expect(try await terminal.run(command + [path]).status < 2)
  }

  nonisolated static let others: [[String]] = [
    ["fork", "a.jsonl", "--skip", "3", "-o"], ["trace", "a.jsonl", "-o"],
  ]

  @Test("A log written to standard output does not name its command in the header")
  func standardOutput() async throws {
    #expect(try await !terminal.run("migrate", "a.jsonl").output.contains("writtenBy"))
  }
}
