import Foundation
import TestSupport
import Testing

/// `run --pause-before`: a native debugger stops in the reducer.
@Suite(.serialized) struct NativeDebuggerTests {
  // MARK: - Without a debugger

  @Test(arguments: [
    (
      ["todos.jsonl", "counter.jsonl", "--pause-before", "3"], 64,
      "'--pause-before' takes one log; found 2"
    ),
    (
      ["todos.jsonl", "--pause-before", "99"], 1,
      "there is no action 99: the log has actions up to 16"
    ),
    (
      ["todos.jsonl", "--pause-before", "0"], 64,
      "invalid value '0' for '--pause-before'; expected a whole number from 1"
    ),
    (
      ["todos.jsonl", "--pause-before", "5", "--until", "4"], 64,
      "invalid value '5' for '--pause-before'; expected an action up to --until 4"
    ),
    (
      ["todos.jsonl", "--pause-before", "5", "--timeout", "9"], 64,
      "'--pause-before' and '--timeout' exclude each other; give one of them"
    ),
    (
      ["todos.jsonl", "--native", "gdb"], 64,
      "'--native' works only with '--pause-before'"
    ),
    (
      ["-", "--pause-before", "5", "--native", "gdb"], 64,
      "invalid LOG '-'; expected a file with --native: the debugger reads standard input"
    ),
    (
      ["counter-diverged.jsonl", "--pause-before", "9"], 1,
      "the replay ended before action 9, so it did not pause; --continue replays past a divergence"
    ),
  ])
  func `run refuses --pause-before and --native with arguments that do not fit`(
    _ arguments: [String],
    _ status: Int32,
    _ message: String
  ) throws {
    let result = try Tool.replay.run(["run"] + arguments, in: Project.sample(""))
    #expect(result.status == status)
    #expect(result.error.hasPrefix("tca-replay: \(message)\n"), "\(result.error)")
  }

  @Test(arguments: [true, false])
  func `SIGCONT to the paused host resumes a run with --pause-before`(serves: Bool) throws {
    let folder = try TemporaryFolder()
    // The project's time limit applies to hosts without a debugger. No host could start within this one.
    try folder.write(#"{"timeout":0.001}"#, to: ".tca-replay.json")
    try folder.write(
      "#!/bin/sh\n[ \"$1\" = serve ] && exit 64\nexec '\(Tool.replay.path)' \"$@\"\n",
      to: "filter"
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(folder.path)/filter"
    )
    let log = Project.sample("todos.jsonl")
    let host = serves ? Tool.replay.path : "\(folder.path)/filter"
    let run = try PausedRun(
      ["run", log, "--pause-before", "5", "--host", host],
      in: folder.path
    )
    let process = try run.process(before: 5)
    #expect(run.isRunning)
    kill(process, SIGCONT)
    let result = try run.end()
    #expect(result.output == "\(log): identical, through action 16\n")
    #expect(
      result.error == """
        tca-replay: process \(process) waits before action 5; attach a debugger with a breakpoint on \
        tca_replay_before_action, or continue with 'kill -CONT \(process)'

        """
    )
    #expect(result.status == 0)
  }

  // MARK: - With gdb

  /// Returns the line of the sample's reducer that handles action 5 of the log.
  private static func line(after text: String) throws -> Int {
    let path = "\(Project.folder)/Sources/SampleFeatures/Todos.swift"
    let lines = try String(contentsOfFile: path, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    // The second match is in the reducer. The first one is the declaration.
    return try #require(lines.lastIndex { $0.contains(text) }) + 2
  }

  @Test(.enabled(if: Debugger.isUsable, Debugger.limit))
  func `gdb attaches to a paused run and stops in the reducer`() throws {
    let gdb = try #require(Debugger.gdb)
    let folder = try TemporaryFolder()
    let log = Project.sample("todos.jsonl")
    let run = try PausedRun(["run", log, "--pause-before", "5"], in: folder.path)
    let process = try run.process(before: 5)
    let line = try Self.line(after: "case .doneToggled")
    let session = try gdb.run(
      "--batch",
      "-nx",
      "-p",
      String(process),
      "-ex",
      "break *tca_replay_before_action",
      "-ex",
      "continue",
      "-ex",
      "print/d \(Debugger.firstArgument)",
      "-ex",
      "tbreak Todos.swift:\(line)",
      "-ex",
      "continue",
      "-ex",
      "backtrace 2",
      // The next action stops at the same function.
      "-ex",
      "continue",
      "-ex",
      "print/d \(Debugger.firstArgument)",
      "-ex",
      "delete",
      "-ex",
      "detach"
    )
    #expect(session.output.contains("$1 = 5\n"), "\(session.output)\n\(session.error)")
    #expect(session.output.contains("Todos.swift:\(line)\n"), "\(session.output)")
    #expect(
      session.output.contains("Reducer.swift:"),
      "the caller in the library: \(session.output)"
    )
    #expect(session.output.contains("$2 = 6\n"), "\(session.output)")
    let result = try run.end()
    #expect(result.output == "\(log): identical, through action 16\n")
    #expect(result.status == 0)
  }

  @Test(.enabled(if: Debugger.isUsable, Debugger.limit))
  func `run --pause-before --native gdb stops in the reducer of each action`() throws {
    let session = try Tool.replay.run(
      "run",
      Project.sample("todos.jsonl"),
      "--pause-before",
      "5",
      "--native",
      "gdb",
      input: "backtrace 1\nnext\nnext\ncontinue\nkill\nquit\n"
    )
    let reducer = try Self.line(after: "case .doneToggled")
    let stops = session.output.split(separator: "\n").filter { $0.contains("Todos.swift:") }
    #expect(!stops.isEmpty, "\(session.output)\n\(session.error)")
    #expect(session.output.contains("#0  $s14SampleFeatures5TodosV4bodyQrvg"), "\(session.output)")
    // It steps further in the reducer, to the case of the action.
    #expect(session.output.contains("\(reducer)\t"), "\(session.output)")
    // It stops again before the next action.
    #expect(
      session.output.matches(of: /hit Breakpoint \d+, .*tca_replay_before_action/).count == 2,
      "\(session.output)"
    )
  }
}

/// The installed gdb.
private enum Debugger {
  static let gdb = Tool.inPath("gdb")

  /// Whether gdb may trace processes here.
  ///
  /// Containers and hardened systems can forbid it.
  static let isUsable: Bool = {
    guard let gdb, let sleep = Tool.inPath("sleep") else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: sleep.path)
    process.arguments = ["60"]
    guard (try? process.run()) != nil else { return false }
    defer { process.terminate() }
    let id = String(process.processIdentifier)
    let session = try? gdb.run("--batch", "-nx", "-p", id, "-ex", "detach")
    return session?.output.contains("detached") == true
  }()

  static let limit: Comment =
    "gdb is not installed, or must not attach to processes here"

  /// The register with the first argument of a C function.
  static var firstArgument: String {
    #if arch(arm64)
    "$x0"
    #else
    "$rdi"
    #endif
  }
}

/// A run of the tool whose host waits for a debugger.
private final class PausedRun {
  private let process = Process()
  private let folder: String
  private let output: String
  /// Standard error, and its output so far.
  private let error = Pipe()
  private var text = ""

  init(_ arguments: [String], in folder: String) throws {
    self.folder = folder
    output = "\(folder)/output"
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    process.executableURL = URL(fileURLWithPath: Tool.replay.path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = error
    var environment = ProcessInfo.processInfo.environment
    environment["TCA_REPLAY_HOST"] = nil
    process.environment = environment
    try process.runWithoutBlockedSignals()
  }

  deinit { if process.isRunning { process.terminate() } }

  var isRunning: Bool { process.isRunning }

  /// Waits until the host reports that it waits, and returns its process id.
  func process(before seq: Int) throws -> pid_t {
    while true {
      if let match = text.firstMatch(of: /process (\d+) waits before action (\d+);/) {
        #expect(match.2 == "\(seq)")
        return try #require(pid_t(match.1))
      }
      let more = error.fileHandleForReading.availableData
      try #require(!more.isEmpty, "it ended: \(text)")
      text += String(decoding: more, as: UTF8.self)
    }
  }

  /// Waits for the end of the tool.
  func end() throws -> (status: Int32, output: String, error: String) {
    let rest = try error.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationStatus, try String(contentsOfFile: output, encoding: .utf8),
      text + String(decoding: rest, as: UTF8.self)
    )
  }
}
