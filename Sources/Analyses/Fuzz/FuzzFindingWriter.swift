import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine

/// Writes a log and a test for each finding to an output folder.
struct FuzzFindingWriter {
  private let folder: String
  /// The names of the modules that the tests import.
  private let modules: [String]
  /// The folders that did not exist and were created, outermost first.
  private let made: [String]

  /// Creates the folder.
  ///
  /// The folder is created before the search, so that findings are not lost because of a wrong path.
  ///
  /// - Throws: `UsageError`, `StreamError`, or `CommandError` if a file in the folder has the name of a finding, but
  ///   `fuzz` did not write it.
  init(_ folder: String, _ arguments: ParsedArguments) throws {
    guard folder != "-", !folder.isEmpty else {
      throw UsageError.badValue(
        folder,
        option: "--output",
        expected: Wording.folder,
        command: FuzzCommand.syntax.name
      )
    }
    self.folder = folder
    modules = arguments.values("--import")
    made = try Self.make(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where Self.isOfFinding(name) {
      let path = "\(folder)/\(name)"
      if name.hasSuffix(".jsonl") {
        try OverwriteGuard.check(path, arguments)
      } else {
        try OverwriteGuard.check(
          path,
          arguments,
          as: .text(beginning: "import ", name: Wording.findingTest)
        )
      }
    }
  }

  /// Returns whether a file name is that of a finding's log or test, such as `trapped-103aedd135ba5d5f.jsonl`.
  private static func isOfFinding(_ name: String) -> Bool {
    name.wholeMatch(of: #/[a-zA-Z]+-[0-9a-f]{16}\.(jsonl|swift)/#) != nil
  }

  /// Creates a folder and its missing parents.
  ///
  /// - Returns: The paths of the folders that were created.
  private static func make(_ folder: String) throws -> [String] {
    var missing: [String] = []
    var path = folder[...]
    while !path.isEmpty, !FileManager.default.fileExists(atPath: String(path)) {
      missing.insert(String(path), at: 0)
      path = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    }
    var made: [String] = []
    for path in missing.isEmpty ? [folder] : missing {
      if mkdir(path, 0o777) == 0 {
        made.append(path)
      } else if errno != EEXIST || FileSystemItemKind(path) != .folder {
        let code = errno == EEXIST ? ENOTDIR : errno
        for path in made.reversed() { rmdir(path) }
        throw StreamError(name: folder, code: code, isCreation: true)
      }
    }
    return made
  }

  /// Removes the folders that were created, unless they contain files.
  func removeFolderIfEmpty() {
    for path in made.reversed() { rmdir(path) }
  }

  /// Writes a log and a test for each finding.
  ///
  /// - Parameters:
  ///   - findings: The findings to write.
  ///   - files: The paths of the logs, to which each path is appended after the log was written.
  ///   - command: The name of the command, which is added to the log headers.
  ///   - context: The context of the command.
  /// - Throws: `StreamError`, or `CommandError` if a log can't become a test.
  func write(
    _ findings: [FuzzFinding],
    to files: inout [String],
    by command: String,
    _ context: CommandContext
  ) throws {
    for finding in findings {
      let name = "\(finding.symptom.kind)-\(finding.symptom.fingerprint)"
      let path = "\(folder)/\(name).jsonl"
      try context.console.write(log: finding.events, to: path, by: command)
      files.append(path)
      let code = try test(of: finding, path)
      try context.console.write(to: "\(folder)/\(name).swift") { try $0.write(code.utf8) }
    }
  }

  /// Returns the code of a test that reproduces a finding.
  ///
  /// If the finding is a trap, the test sends the action that traps, which the log doesn't finish.
  private func test(of finding: FuzzFinding, _ path: String) throws -> String {
    var events = finding.events
    if case .violation(.trap(let signal)) = finding.fault, let last = events.lastAction,
      let index = events.lastIndex(where: { if case .action = $0 { true } else { false } })
    {
      let text = Wording.willTrap(signal)
      let patch = JSON.Patch()
      events.append(.change(LogEvent.Change(seq: last.seq, patch: patch)))
      events.insert(.note(LogEvent.Note(seq: last.seq - 1, at: last.at, text: text)), at: index)
    }
    let file = try TemporaryFile(events.flatMap { $0.line + [UInt8(ascii: "\n")] })
    defer { withExtendedLifetime(file) {} }
    return try StoreTests.code(
      for: LogSlice(path: file.path, name: path),
      name: "\(finding.symptom.kind) \(finding.symptom.fingerprint)",
      modules: modules,
      fault: finding.symptom.text
    )
  }
}

extension Wording {
  static let folder = "a folder; logs and tests are several files"
  static let findingTest = "a test"

  static func willTrap(_ signal: String) -> String {
    signal == FuzzRequest.Trap.hang
      ? "The next action does not return." : "The next action ends the process with \(signal)."
  }
}
