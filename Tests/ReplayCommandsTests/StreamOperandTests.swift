import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayEngine
@testable import ReplayHosts

/// Pipes, folders and links as log files and as output files.
@MainActor @Suite("Pipes, links and folders in the place of files") struct StreamOperandTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
  }

  /// Runs a closure with the content of a pipe under `/dev/fd`, as in a shell's `<(...)`.
  private func reading<Result>(
    _ text: String,
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    return try await body("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
  }

  nonisolated private static let commands: [[String]] = [
    ["run"], ["verify"], ["stats"], ["show"], ["show", "--at", "3"], ["mask", "--check"], ["test"],
    ["bisect", "--when", "$.state.count > 1"], ["blame", "/count"], ["migrate"], ["replay"],
  ]

  @Test("commands read a log from a named pipe as from a file", arguments: commands)
  func pipes(command: [String]) async throws {
    func arguments(_ log: String) -> [String] { [command[0], log] + command.dropFirst() }
    let file = try await terminal.run(arguments("a.jsonl"))
    let (piped, name) = try await reading(SampleLog.text) { pipe in
      (try await terminal.run(arguments(pipe)), pipe)
    }
    #expect(file.status == 0)
    #expect(piped.status == file.status)
    #expect(piped.error == file.error)
    // Only the generated test is named after the file.
    if command != ["test"] {
      #expect(piped.output.replacing(name, with: "a.jsonl") == file.output)
    }
  }

  @Test("run --accept refuses a log that came out of a pipe")
  func acceptingFromAPipe() async throws {
    terminal.change = .countsByTwo
    let (result, name) = try await reading(SampleLog.text) { pipe in
      (try await terminal.run("run", "--accept", pipe), pipe)
    }
    #expect(
      result.output.hasSuffix("  not accepted: \(name) has no file that can be rewritten\n")
    )
    #expect(result.status == 1)
  }

  @Test("run takes only files of a folder as logs")
  func foldersAndPipesInFolders() async throws {
    let folder = terminal.folder
    try folder.write(SampleLog.text, to: "logs/b.jsonl")
    try folder.write(SampleLog.text, to: "logs/deep.jsonl/c.jsonl")
    try #require(mkfifo(folder.path + "/logs/pipe.jsonl", 0o600) == 0)
    let link = folder.path + "/logs/link.jsonl"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "b.jsonl")
    let gone = folder.path + "/logs/nowhere.jsonl"
    try FileManager.default.createSymbolicLink(atPath: gone, withDestinationPath: "gone.jsonl")
    let result = try await terminal.run("run", "logs")
    #expect(result.status == 66)
    // Without digit groups, because the folder's name contains other digits.
    #expect(
      result.output.components(separatedBy: "\n").prefix(5).joined(separator: "\n") == """
        logs/b.jsonl: identical, through action 16
        logs/deep.jsonl/c.jsonl: identical, through action 16
        logs/link.jsonl: identical, through action 16
        logs/nowhere.jsonl: there is no file logs/nowhere.jsonl
        4 logs, 1 failed
        """
    )
  }

  @Test("run follows a symbolic link to a folder that is an operand, but no links inside a folder")
  func linkedFolders() async throws {
    let folder = terminal.folder
    try folder.write(SampleLog.text, to: "logs/deep/a.jsonl")
    let link = folder.path + "/linked"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "logs")
    let circle = folder.path + "/logs/circle"
    try FileManager.default.createSymbolicLink(atPath: circle, withDestinationPath: ".")
    for name in ["linked", "linked/"] {
      #expect(
        try await terminal.run("run", name)
          == .init(status: 0, output: "linked/deep/a.jsonl: identical, through action 16\n")
      )
    }
  }

  @Test("run leaves out hidden files and folders, unless they are named")
  func hiddenFiles() async throws {
    let folder = terminal.folder
    for name in ["logs/.a.jsonl", "logs/.build/b.jsonl", "logs/c/.d/e.jsonl", "logs/c/f.jsonl"] {
      try folder.write(SampleLog.text, to: name)
    }
    for name in ["c/f", ".build/b"] {
      let operand = name.hasPrefix(".") ? "logs/.build" : "logs"
      #expect(
        try await terminal.run("run", operand)
          == .init(status: 0, output: "logs/\(name).jsonl: identical, through action 16\n")
      )
    }
  }

  @Test(
    "run reports a folder that it cannot open",
    .disabled(if: geteuid() == 0, "root sees all")
  )
  func closedFolders() async throws {
    let folder = terminal.folder
    try folder.write(SampleLog.text, to: "logs/b.jsonl")
    try folder.write(SampleLog.text, to: "logs/closed/c.jsonl")
    try #require(chmod(folder.path + "/logs/closed", 0) == 0)
    defer { chmod(folder.path + "/logs/closed", 0o700) }
    let result = try await terminal.run("run", "logs")
    #expect(result.status == 74)
    #expect(
      result.output.components(separatedBy: "\n").prefix(3).joined(separator: "\n") == """
        logs/b.jsonl: identical, through action 16
        logs/closed: cannot read logs/closed: Permission denied
        2 logs, 1 failed
        """
    )
    #expect(
      try await terminal.run("run", "logs/closed").output
        == "logs/closed: cannot read logs/closed: Permission denied\n"
    )
  }

  @Test("migrate writes into a pipe or a device without replacing it")
  func writingToAPipe() async throws {
    let migrated = try await terminal.run("migrate", "a.jsonl").output
    let pipe = Pipe()
    let path = "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)"
    #expect(
      try await terminal.run("migrate", "a.jsonl", "-o", path) == .init(status: 0, output: "")
    )
    try pipe.fileHandleForWriting.close()
    let written = try pipe.fileHandleForReading.readToEnd() ?? Data()
    #expect(String(decoding: written, as: UTF8.self) == migrated)
    #expect(
      try await terminal.run("migrate", "a.jsonl", "-o", "/dev/null")
        == .init(status: 0, output: "")
    )
    #expect(FileSystemItemKind("/dev/null") == .stream)
  }

  @Test("migrate keeps an output link and the permissions of an output file")
  func writingThroughALink() async throws {
    let folder = terminal.folder
    try folder.write("old", to: "target.jsonl")
    try #require(chmod(folder.path + "/target.jsonl", 0o640) == 0)
    let link = folder.path + "/link.jsonl"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.jsonl")
    #expect(
      try await terminal.run("migrate", "a.jsonl", "-o", "link.jsonl", "--force")
        == .init(status: 0, output: "")
    )
    #expect(
      try folder.read("target.jsonl").replacing(#","writtenBy":"migrate""#, with: "")
        == (try await terminal.run("migrate", "a.jsonl").output)
    )
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target.jsonl"
    )
    #expect(FileSystemItemKind(folder.path + "/target.jsonl") == .file(rights: 0o640))
  }

  @Test("migrate refuses a folder as its output")
  func writingToAFolder() async throws {
    try terminal.folder.write("", to: "out/keep")
    #expect(
      try await terminal.run("migrate", "a.jsonl", "-o", "out")
        == .init(
          status: 73,
          output: "",
          error: "tca-replay: cannot write out: Is a directory\n"
        )
    )
  }
}
