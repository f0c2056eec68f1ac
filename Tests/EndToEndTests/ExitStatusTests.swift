import Foundation
import TestSupport
import Testing

/// The statuses that `Documentation/ExitStatus.md` promises to scripts: every command with every status.
@Suite struct ExitStatusTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let status: Int32
    let arguments: [String]
    var testDescription: String { "\(status): \(arguments.joined(separator: " "))" }

    init(_ status: Int32, _ arguments: String...) {
      self.status = status
      self.arguments = arguments
    }

    var command: String { arguments.first ?? "" }
  }

  static let cases: [Case] = [
    Case(0, "run", todos),
    Case(0, "run", diverged, "--expected"),
    Case(1, "run", diverged),
    Case(1, "run", diverged, "--continue"),
    Case(1, "run", counter, diverged),
    Case(0, "run", counter, "--invariants", "held"),
    Case(1, "run", counter, "--invariants", "violated"),
    Case(1, "run", todos, counter, "--invariants", "violated"),
    Case(64, "run", counter, "--invariants", "rubbish.jsonl"),
    Case(66, "run", counter, "--invariants", "nowhere"),
    Case(74, "run", counter, "--invariants", "empty"),
    Case(65, "run", "rubbish.jsonl"),
    Case(65, "run", counter, "rubbish.jsonl"),
    Case(65, "run", "headless.jsonl"),
    Case(66, "run", "none.jsonl"),
    Case(66, "run", "empty"),
    Case(69, "run", counter, "--host", "/nowhere"),
    Case(69, "run", counter, "--host", "/bin/cat"),
    Case(69, "run", counter, "--host", "/bin/false"),
    Case(69, "run", counter, "--host", "./crashing"),
    Case(69, "run", "unknown.jsonl"),
    Case(1, "run", diverged, "--pages", "pages"),
    Case(73, "run", counter, "--junit", "/dev/null/file"),
    Case(73, "run", counter, "--pages", "/dev/null/folder"),
    Case(0, "replay", counter),
    Case(65, "replay", "rubbish.jsonl"),
    Case(66, "replay", "none.jsonl"),
    Case(69, "replay", "unknown.jsonl"),
    Case(73, "replay", counter, "-o", "/dev/null/file"),
    Case(0, "record", "Counter", "--actions", "good.actions", "-o", "new.jsonl"),
    Case(65, "record", "Counter", "--actions", "bad.actions", "-o", "new.jsonl"),
    Case(66, "record", "Counter", "--actions", "none.actions", "-o", "new.jsonl"),
    Case(69, "record", "Nothing", "--actions", "good.actions", "-o", "new.jsonl"),
    Case(69, "record", "Counter", "--actions", "endless.actions", "-o", "x", "--timeout", "0.2"),
    Case(69, "record", "Counter", "--actions", "good.actions", "-o", "x", "--host", "/nowhere"),
    Case(69, "record", "Counter", "--actions", "good.actions", "-o", "x", "--host", "/bin/false"),
    Case(69, "record", "Counter", "--actions", "good.actions", "-o", "x", "--host", "./crashing"),
    Case(73, "record", "Counter", "--actions", "good.actions", "-o", "/dev/null/file"),
    Case(0, "show", counter),
    Case(1, "show", counter, "--at", "9999"),
    Case(65, "show", "rubbish.jsonl"),
    Case(66, "show", "none.jsonl"),
    Case(0, "debug", counter, "--batch", "-ex", "step"),
    Case(1, "debug", counter, "--batch", "-ex", "print nothing"),
    Case(65, "debug", "rubbish.jsonl", "--batch"),
    Case(66, "debug", "none.jsonl", "--batch"),
    Case(64, "debug", counter, "--batch", "-ex", "edit 1 nothing"),
    Case(64, "debug", counter, "--batch", "-ex", "edit 1 .nothing"),
    Case(64, "debug", counter, "--batch", "-ex", "set 1 count = \"x\""),
    Case(1, "debug", counter, "--batch", "-ex", "set 1 nothing = 1"),
    Case(1, "debug", counter, "--batch", "-ex", "answer 1 nothing = 1"),
    Case(69, "debug", counter, "--batch", "-ex", "skip 1", "--host", "/nowhere"),
    Case(73, "debug", counter, "--batch", "-ex", "skip 1", "-ex", "fork -o /dev/null/file"),
    Case(0, "dap"),
    Case(0, "mcp"),
    Case(64, "mcp", "--answer-tokens", "3"),
    Case(66, "mcp", "nowhere"),
    Case(73, "mcp", "--output", "/dev/null/folder"),
    Case(0, "view", counter, "-o", "page.html"),
    Case(0, "view", counter, diverged, "-o", "page.html"),
    Case(0, "view", diverged, "--replay", "-o", "page.html"),
    Case(1, "view", counter, "--range", "9999", "-o", "page.html"),
    Case(65, "view", "rubbish.jsonl"),
    Case(66, "view", "none.jsonl"),
    Case(69, "view", counter, "--host", "/nowhere"),
    Case(69, "view", counter, "--host", "./crashing"),
    Case(73, "view", counter, "-o", "rubbish.jsonl"),
    Case(73, "view", counter, "-o", "/dev/null/file"),
    Case(0, "diff", counter, counter),
    Case(1, "diff", counter, todos),
    Case(65, "diff", counter, "rubbish.jsonl"),
    Case(66, "diff", counter, "none.jsonl"),
    Case(0, "blame", counter, "/count"),
    Case(1, "blame", counter, "/none"),
    Case(65, "blame", "rubbish.jsonl", "/count"),
    Case(66, "blame", "none.jsonl", "/count"),
    Case(0, "stats", todos),
    Case(65, "stats", "rubbish.jsonl"),
    Case(66, "stats", "none.jsonl"),
    Case(0, "pictures", counter, "-o", "new"),
    Case(1, "pictures", counter, "--against", "drawn", "-o", "new"),
    Case(65, "pictures", "rubbish.jsonl", "-o", "new"),
    Case(66, "pictures", "none.jsonl", "-o", "new"),
    Case(69, "pictures", counter, "-o", "new", "--host", "/nowhere"),
    Case(69, "pictures", counter, "-o", "new", "--host", "./crashing"),
    Case(73, "pictures", counter, "-o", "/dev/null/folder"),
    Case(0, "coverage", todos, counter),
    Case(65, "coverage", todos, "rubbish.jsonl"),
    Case(66, "coverage", "none.jsonl"),
    Case(66, "coverage", "empty"),
    Case(69, "coverage", todos, "--host", "/nowhere"),
    Case(69, "coverage", todos, "--host", "/bin/cat"),
    Case(69, "coverage", todos, "--host", "./crashing"),
    Case(69, "coverage", counter, "--lines"),
    Case(69, "coverage", counter, "--lines", "--build", "empty"),
    Case(64, "coverage", counter, "--sources", "."),
    Case(0, "trace", todos),
    Case(65, "trace", "rubbish.jsonl"),
    Case(66, "trace", "none.jsonl"),
    Case(73, "trace", counter, "-o", "/dev/null/file"),
    Case(73, "trace", counter, "-o", "rubbish.jsonl"),
    Case(0, "verify", todos),
    Case(1, "verify", "torn.jsonl"),
    Case(65, "verify", "rubbish.jsonl"),
    Case(66, "verify", "none.jsonl"),
    Case(73, "verify", counter, "--repair", "/dev/null/file"),
    Case(0, "test", counter),
    Case(65, "test", "rubbish.jsonl"),
    Case(66, "test", "none.jsonl"),
    Case(73, "test", counter, "-o", "/dev/null/Test.swift"),
    Case(0, "bisect", counter, "--when", "$.state.count > 1"),
    Case(1, "bisect", counter, "--when", "$.state.count > 1000"),
    Case(65, "bisect", "rubbish.jsonl", "--when", "$.seq > 0"),
    Case(66, "bisect", "none.jsonl", "--when", "$.seq > 0"),
    Case(0, "minimize", counter, "--when", "$.state.count > 1", "-o", "small.jsonl"),
    Case(1, "minimize", counter, "--when", "$.state.count > 1000", "-o", "small.jsonl"),
    Case(65, "minimize", "rubbish.jsonl", "--traps", "-o", "small.jsonl"),
    Case(66, "minimize", "none.jsonl", "--traps", "-o", "small.jsonl"),
    Case(69, "minimize", counter, "--traps", "-o", "small.jsonl", "--host", "/nowhere"),
    Case(69, "minimize", counter, "--traps", "-o", "small.jsonl", "--host", "./crashing"),
    Case(73, "minimize", counter, "--when", "$.seq > 0", "-o", "/dev/null/file"),
    Case(0, "audit", todos, "--runs", "2"),
    Case(1, "audit", diverged, "--runs", "2"),
    Case(65, "audit", "rubbish.jsonl"),
    Case(66, "audit", "none.jsonl"),
    Case(69, "audit", todos, "--host", "/bin/false"),
    Case(69, "audit", todos, "--host", "./crashing"),
    Case(0, "explore", counter, "--invariant", "$.seq >= 0", "--transitions", "3"),
    Case(1, "explore", counter, "--invariant", "$.state.count < 1"),
    Case(65, "explore", "rubbish.jsonl", "--invariant", "$.seq > 0"),
    Case(65, "explore", diverged, "--invariant", "$.seq > 0"),
    Case(66, "explore", "none.jsonl", "--invariant", "$.seq > 0"),
    Case(69, "explore", counter, "--invariant", "$.seq > 0", "--host", "/nowhere"),
    Case(69, "explore", counter, "--invariant", "$.seq > 0", "--host", "./crashing"),
    Case(73, "explore", counter, "--invariant", "$.state.count < 1", "-o", "/dev/null/file"),
    Case(0, "fuzz", counter, "--runs", "1"),
    Case(1, "fuzz", counter, "--runs", "1", "--invariants", "violated"),
    Case(65, "fuzz", "rubbish.jsonl", "--runs", "1"),
    Case(66, "fuzz", "none.jsonl", "--runs", "1"),
    Case(69, "fuzz", counter, "--runs", "1", "--host", "/nowhere"),
    Case(69, "fuzz", counter, "--runs", "1", "--host", "./crashing"),
    Case(73, "fuzz", counter, "--runs", "1", "--invariants", "violated", "-o", "/dev/null/file"),
    Case(0, "fork", counter, "--skip", "1"),
    Case(1, "fork", counter, "--skip", "9999"),
    Case(65, "fork", "rubbish.jsonl", "--skip", "1"),
    Case(66, "fork", "none.jsonl", "--skip", "1"),
    Case(69, "fork", counter, "--skip", "1", "--host", "/nowhere"),
    Case(73, "fork", counter, "--skip", "1", "-o", "/dev/null/file"),
    Case(0, "summarize", "passed"),
    Case(1, "summarize", "passed", "failed"),
    Case(65, "summarize", "rubbish.jsonl"),
    Case(66, "summarize", "none.jsonl"),
    Case(69, "summarize", "lost"),
    Case(73, "summarize", "passed", "--merge", "/dev/null/file"),
    Case(0, "migrate", counter),
    Case(1, "migrate", "renamed.jsonl", "--suggest"),
    Case(64, "migrate", counter, "--suggest", "--plain-patches"),
    Case(65, "migrate", "rubbish.jsonl"),
    Case(66, "migrate", "none.jsonl"),
    Case(69, "migrate", "unknown.jsonl"),
    Case(73, "migrate", counter, "-o", "/dev/null/file"),
    Case(0, "mask", todos, "--path", "/todos/*/title"),
    Case(0, "mask", todos, "--check"),
    Case(1, "mask", todos, "--path", "/none"),
    Case(65, "mask", "rubbish.jsonl", "--check"),
    Case(66, "mask", "none.jsonl", "--check"),
    Case(73, "mask", todos, "--path", "/todos", "-o", "/dev/null/file"),
    Case(0, "features"),
    Case(69, "features", "--host", "/nowhere"),
    Case(69, "features", "--host", "/bin/false"),
    Case(69, "features", "--host", "/bin/cat"),
    Case(69, "features", "--host", "./crashing"),
    Case(0, "completions", "zsh"),
    Case(0, "manual"),
    Case(64),
    Case(64, "rum"),
    Case(64, "run", counter, "--jobs", "none"),
    Case(64, "mask", todos),
  ]

  private static let counter = Project.sample("counter.jsonl")
  private static let todos = Project.sample("todos.jsonl")
  private static let diverged = Project.sample("counter-diverged.jsonl")

  /// The texts of the files that cases name.
  private static let files = Result { () throws -> [String: String] in
    let counter = try String(contentsOfFile: Self.counter, encoding: .utf8)
    let lines = counter.split(separator: "\n")
    func log(without text: String) -> String {
      lines.filter { !$0.contains(text) }.map { "\($0)\n" }.joined()
    }
    func result(_ name: String, status: Int) -> String {
      #"{"result":1,"log":"\#(name)","digest":"1","bytes":1,"verdict":"identical","status":\#(status),"#
        + #""host":"h","options":"","finishedAt":"2026"}"# + "\n"
    }
    return [
      "rubbish.jsonl": "rubbish\n",
      "unknown.jsonl": counter.replacing("\"Counter\"", with: "\"Unknown\"")
        .replacing("\"Counter.State\"", with: "\"Unknown.State\""),
      "renamed.jsonl": try String(contentsOfFile: todos, encoding: .utf8)
        .replacing("\"doneToggled\"", with: "\"toggled\""),
      "headless.jsonl": log(without: "checkpoint"),
      "torn.jsonl": log(without: #""kind":"change","seq":3"#),
      "held": "counts up: $.state.count >= -9 || $.state.todos\n",
      "violated": "[Counter]\nis small: $.state.count < 2\n",
      "passed": result("passed", status: 0), "failed": result("failed", status: 1),
      "lost": result("lost", status: 69),
      "good.actions": "{\"incrementButtonTapped\":{}}\n", "bad.actions": "{\"nothing\":{}}\n",
      "endless.actions": "{\"timerButtonTapped\":{}}\n{\"$finish\":true}\n",
      "drawn": #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#,
    ]
  }

  /// Returns a folder with the files that a case names.
  private func folder(for testCase: Case) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in try Self.files.get() where testCase.arguments.contains(name) {
      try folder.write(text, to: name == "drawn" ? "drawn/1.svg" : name)
    }
    if testCase.arguments.contains("./crashing") {
      _ = try folder.script("kill -SEGV $$\n", named: "crashing")
    }
    if testCase.arguments.contains("empty") {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/empty",
        withIntermediateDirectories: false
      )
    }
    return folder
  }

  @Test(arguments: cases)
  func `each command exits with the documented status and explains a failure`(testCase: Case) throws
  {
    let folder = try folder(for: testCase)
    let result = try Tool.replay.run(testCase.arguments, in: folder.path)
    #expect(result.status == testCase.status, "\(result.output)\(result.error)")
    #expect(!result.isSignal)
    // A failure explains itself on standard error or in the result.
    #expect(testCase.status == 0 || !(result.output + result.error).isEmpty)
  }

  /// Returns the statuses other than 64 and 74 that the table in the documentation promises for each command.
  private static func promises() throws -> [String: Set<Int32>] {
    let text = try String(
      contentsOfFile: Project.folder + "/Documentation/ExitStatus.md",
      encoding: .utf8
    )
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let head = try #require(rows.firstIndex { $0.first == "command" && $0.contains("66") })
    let statuses = rows[head].dropFirst().compactMap { Int32($0) }
    var promises: [String: Set<Int32>] = [:]
    for row in rows[(head + 2)...] where row.count == statuses.count + 1 && row[0].hasPrefix("`") {
      let command = row[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
      promises[command] = Set(zip(statuses, row.dropFirst()).filter { $0.1 != "-" }.map(\.0))
    }
    return promises
  }

  @Test("The documented exit statuses are exactly those that are tested")
  func table() throws {
    let promises = try Self.promises()
    var tested = Dictionary(grouping: Self.cases, by: \.command).mapValues { cases in
      Set(cases.map(\.status)).subtracting([64, 74])
    }
    tested["bisect"]?.insert(69)
    tested[""] = nil
    tested["rum"] = nil
    #expect(tested == promises)
    let help = try Tool.replay.run("--help").output
    #expect(promises.keys.allSatisfy { help.contains("\n  \($0) ") })
    #expect(promises.count == help.split(separator: "\n").filter { $0.hasPrefix("  ") }.count - 3)
  }

  @Test(
    "every command refuses an unknown option with status 64",
    arguments: try promises().keys.sorted()
  )
  func usage(command: String) throws {
    let result = try Tool.replay.run(command, "--no-such-option")
    #expect(result.status == 64)
    #expect(result.error.hasPrefix("tca-replay: '\(command)' has no option '--no-such-option'"))
  }

  /// An unavailable host neither marks a commit as bad nor counts as an inconclusive bisection.
  @Test(arguments: ["exit 3", "true", "cp segv host && chmod +x host"])
  func `bisect exits with 69 when the bad commit yields no working host`(build: String) throws {
    let git = try #require(Tool.git)
    let folder = try TemporaryFolder()
    func run(_ arguments: String...) throws {
      let result = try git.run(
        ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"] + arguments,
        in: folder.path
      )
      #expect(result.status == 0, "\(result.error)")
    }
    try folder.write("#!/bin/sh\nkill -SEGV $$\n", to: "segv")
    try run("init", "--quiet")
    for subject in ["first", "second"] {
      try run("add", "--all")
      try run("commit", "--quiet", "--allow-empty", "--message", subject)
    }
    let result = try Tool.replay.run(
      [
        "bisect", Self.counter, "--good", "HEAD~1", "--bad", "HEAD", "--build", build, "--host",
        "host",
      ],
      environment: ["XDG_CACHE_HOME": folder.path + "/caches"],
      in: folder.path
    )
    #expect(result.status == 69, "\(result.error)")
    #expect(result.error.contains("the bad commit "), "\(result.error)")
  }

  /// The destination of a command's output.
  enum Output: Sendable, CaseIterable {
    /// A pipe without a reader.
    case nobody
    /// A full device.
    case fullDevice
  }

  private static let writing = cases.filter { testCase in
    testCase.status == 0 && testCase.arguments != ["run", diverged, "--expected"]
      // These commands wait for messages before they write.
      && !["dap", "mcp"].contains(testCase.command)
  }

  @Test(
    "commands succeed if the reader closes their output early, and fail if the device is full",
    arguments: writing,
    Output.allCases
  )
  func output(testCase: Case, output: Output) throws {
    let folder = try folder(for: testCase)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tool.replay.path)
    process.arguments = testCase.arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    switch output {
    case .nobody:
      try pipe.fileHandleForReading.close()
      process.standardOutput = pipe.fileHandleForWriting
    case .fullDevice:
      guard let device = FileHandle(forWritingAtPath: "/dev/full") else { return }
      process.standardOutput = device
    }
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == (output == .nobody ? 0 : 74))
  }
}
