#if os(Linux)
import Foundation
import TestSupport
import Testing

/// The progress of long work appears only on a terminal, and only after a second.
@Suite("Progress") struct ProgressTests {
  static let commands: [[String]] = [
    ["show", "-"], ["stats", "-"], ["verify", "-"], ["blame", "-", "/count"], ["replay", "-"],
    ["mask", "-", "--path", "/count", "-o", "out"], ["diff", "-", Project.sample("counter.jsonl")],
    ["bisect", "-", "--when", "$.seq == 2"], ["migrate", "-"], ["test", "-"],
  ]

  /// Starts a command whose error stream is the terminal.
  private func start(
    _ command: [String],
    _ input: Any,
    on terminal: PseudoTerminal,
    in folder: TemporaryFolder
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tool.replay.path)
    process.arguments = command
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    let program = terminal.program()
    process.standardError = program
    try process.run()
    try program.close()
    return process
  }

  @Test("run counts the finished logs on a terminal")
  func counting() throws {
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal()
    let log = try String(contentsOfFile: Project.sample("counter.jsonl"), encoding: .utf8)
    for name in ["a", "b", "c"] { try folder.write(log, to: "\(name).jsonl") }
    // The last log is replayed once the test has written to this pipe.
    mkfifo("\(folder.path)/go", 0o600)
    let host = try folder.script(
      """
      # It only knows the filter, whose lines are counted.
      [ "$1" = serve ] && exit 64
      '\(Tool.replay.path)' "$@" | while IFS= read -r line; do
        case "$line" in '{"kind":"header"'*'"Counter"'*)
          n=$((n + 1))
          if [ $n = 3 ]; then read -r go < '\(folder.path)/go'; fi
        esac
        printf '%s\\n' "$line"
      done

      """,
      named: "host"
    )
    let command = ["run", "a.jsonl", "b.jsonl", "c.jsonl", "--jobs", "1", "--host", host]
    let process = try start(command, FileHandle.nullDevice, on: terminal, in: folder)
    #expect(terminal.read(until: "2 of 3 logs").hasSuffix("\r\u{1B}[K2 of 3 logs"))
    try FileHandle(forWritingTo: folder.url.appendingPathComponent("go")).write(
      contentsOf: Data("go\n".utf8)
    )
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(terminal.read(until: nil).hasSuffix("\r\u{1B}[K"))
  }

  @Test(
    "A command that waits for its log shows the elapsed seconds, and clears that line at its end",
    arguments: commands
  )
  func waiting(command: [String]) throws {
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal()
    let input = Pipe()
    let process = try start(command, input, on: terminal, in: folder)
    #expect(terminal.read(until: "\r\u{1B}[K1 s") == "\r\u{1B}[K1 s")
    try input.fileHandleForWriting.write(
      contentsOf: Data(contentsOf: URL(fileURLWithPath: Project.sample("counter.jsonl")))
    )
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // The line is removed, regardless of the number of seconds.
    #expect(terminal.read(until: nil).hasSuffix("\r\u{1B}[K"))
  }
}
#endif
