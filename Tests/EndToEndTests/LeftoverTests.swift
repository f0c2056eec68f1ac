import Foundation
import TestSupport
import Testing

/// After any command and any kind of end, no files are left behind: not in the folder for temporary files, the user's
/// own folders, or next to the requested files.
@Suite struct LeftoverTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    /// The sample log on standard input.
    var input = ""
    let status: Int32
    /// The requested files.
    var files: [String] = []
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let cases: [Case] = [
    Case(arguments: ["run", "-"], input: "todos", status: 0),
    Case(arguments: ["run", "-"], input: "counter-diverged", status: 1),
    Case(arguments: ["run", "-"], input: "todos-trap", status: 0),
    Case(arguments: ["run", "-", "--host", "/bin/cat"], input: "todos", status: 69),
    Case(arguments: ["run", "-", "--accept"], input: "counter-diverged", status: 1),
    Case(
      arguments: ["run", "-", "--junit", "out.xml"],
      input: "todos",
      status: 0,
      files: ["out.xml"]
    ),
    Case(arguments: ["run", "-", "--junit", "folder"], input: "todos", status: 73),
    Case(
      arguments: ["run", "-", "--pages", "out"],
      input: "counter-diverged",
      status: 1,
      files: ["out"]
    ),
    Case(arguments: ["replay", "-"], input: "todos", status: 0),
    Case(arguments: ["replay", "-", "-o", "out"], input: "todos", status: 0, files: ["out"]),
    Case(arguments: ["replay", "rubbish", "-o", "out"], status: 65),
    Case(arguments: ["record", "Todos", "--actions", "actions", "-o", "-"], status: 0),
    Case(
      arguments: ["record", "Todos", "--actions", "actions", "-o", "out"],
      status: 0,
      files: ["out"]
    ),
    Case(arguments: ["record", "Todos", "--actions", "rubbish", "-o", "-"], status: 65),
    Case(arguments: ["show", "-"], input: "todos", status: 0),
    Case(arguments: ["view", "-"], input: "todos", status: 0, files: ["log.html"]),
    Case(arguments: ["view", "-", "-o", "-"], input: "todos", status: 0),
    Case(
      arguments: ["view", "-", "--replay", "-o", "out"],
      input: "todos-trap",
      status: 0,
      files: ["out"]
    ),
    Case(arguments: ["view", "-", "--host", "/bin/false"], input: "todos", status: 69),
    Case(arguments: ["view", "-", "-o", "rubbish"], input: "todos", status: 73),
    Case(arguments: ["diff", "-", "rubbish"], input: "todos", status: 65),
    Case(arguments: ["blame", "-", "/count"], input: "counter", status: 0),
    Case(arguments: ["stats", "-"], input: "todos", status: 0),
    Case(arguments: ["stats", "-", "-"], input: "todos", status: 0),
    Case(arguments: ["verify", "-"], input: "todos", status: 0),
    Case(
      arguments: ["verify", "-", "--repair", "out"],
      input: "todos",
      status: 0,
      files: ["out"]
    ),
    Case(arguments: ["verify", "rubbish", "--repair", "folder"], status: 65),
    Case(arguments: ["test", "-", "-o", "out"], input: "counter", status: 0, files: ["out"]),
    Case(arguments: ["bisect", "-", "--when", "$.seq == 3"], input: "todos", status: 0),
    Case(
      arguments: ["minimize", "-", "--when", "$.seq == 2", "-o", "out"],
      input: "counter",
      status: 0,
      files: ["out"]
    ),
    Case(arguments: ["minimize", "-", "--traps", "-o", "out"], input: "counter", status: 1),
    Case(arguments: ["audit", "-", "--runs", "2"], input: "counter", status: 0),
    Case(arguments: ["audit", "-", "--host", "/bin/false"], input: "counter", status: 69),
    Case(
      arguments: ["explore", "-", "--invariant", "$.seq < 3", "-o", "out"],
      input: "counter",
      status: 1,
      files: ["out"]
    ),
    Case(arguments: ["migrate", "-", "-o", "out"], input: "counter", status: 0, files: ["out"]),
    Case(arguments: ["migrate", "rubbish", "-o", "out"], status: 65),
    Case(
      arguments: ["mask", "-", "--path", "/todos/*/title", "-o", "out"],
      input: "todos",
      status: 0,
      files: ["out"]
    ),
    Case(arguments: ["mask", "-", "--path", "/none", "-o", "out"], input: "todos", status: 1),
    Case(arguments: ["mask", "-", "--check"], input: "todos", status: 0),
    Case(arguments: ["features"], status: 0),
    Case(arguments: ["completions", "bash"], status: 0),
    Case(arguments: ["manual"], status: 0),
  ]

  @Test(arguments: cases)
  func `a command leaves no temporary files`(testCase: Case) throws {
    let place = try WorkPlace()
    let result = try Tool.replay.run(
      testCase.arguments,
      environment: place.environment,
      input: testCase.input.isEmpty
        ? ""
        : try String(contentsOfFile: Project.sample("\(testCase.input).jsonl"), encoding: .utf8),
      in: place.work.path
    )
    #expect(result.status == testCase.status, "\(result.output)\(result.error)")
    #expect(try place.leftovers() == [])
    #expect(place.work.files == (WorkPlace.files + testCase.files).sorted())
  }

  // MARK: - Signals

  static let signals = [SIGHUP, SIGINT, SIGTERM]

  /// A host that hangs with a copy of standard input and a file that is being written.
  ///
  /// It waits in its own process, because a child that is being created would miss a signal to the group.
  @Test(arguments: signals)
  func `an interrupted run leaves no temporary files and no processes`(number: Int32) throws {
    let place = try WorkPlace()
    // Held open only by the host, so that its end shows when the host has ended.
    let sign = place.work.path + "/sign"
    #expect(mkfifo(sign, 0o600) == 0)
    // Held open here, and closed when the host must have ended.
    let gate = place.others.path + "/gate"
    #expect(mkfifo(gate, 0o600) == 0)
    let held = open(gate, O_RDWR | O_CLOEXEC)
    #expect(held >= 0)
    let host = try place.work.script(
      "exec 8<'\(gate)' 9>'\(sign)'\necho started >&9\nread line <&8\necho survived >&9\n",
      named: "host"
    )
    let tool = try place.start(["run", "-", "--host", host, "--junit", "out.xml"])
    let signs = try FileHandle(forReadingFrom: URL(fileURLWithPath: sign))
    let started = Data("started\n".utf8)
    #expect(try signs.read(upToCount: started.count) == started)
    #expect(place.temporary.filter { $0.hasSuffix("/log.jsonl") }.count == 1)
    #expect(place.work.files.contains { $0.hasPrefix(".out.xml.") })
    let id = tool.process.processIdentifier
    kill(id, number)
    // `Process` would also wait for a living host that has inherited the pipe it waits on. If `Process` has already
    // reaped the child, the process no longer exists.
    var end = siginfo_t()
    while waitid(P_PID, id_t(id), &end, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    close(held)
    #expect(try signs.readToEnd() ?? Data() == Data())
    tool.process.waitUntilExit()
    unlink(gate)
    #expect(tool.process.terminationReason == .uncaughtSignal)
    #expect(tool.process.terminationStatus == number)
    #expect(try place.leftovers() == [])
    #expect(
      place.work.files == (WorkPlace.files + ["host", "host.sh", "out.xml", "sign"]).sorted()
    )
  }

  /// A recorded feature that waits.
  @Test(arguments: signals)
  func `an interrupted record leaves no temporary files`(number: Int32) throws {
    let place = try WorkPlace()
    try place.work.write(#"{"$wait":1000}"#, to: "actions")
    let tool = try place.start(["record", "Todos", "--actions", "actions", "-o", "-"])
    while !place.temporary.contains(where: { $0.hasSuffix("/log.jsonl") }), tool.process.isRunning {
      usleep(1000)
    }
    #expect(tool.interrupt(by: number))
    #expect(try place.leftovers() == [])
    #expect(place.work.files == WorkPlace.files)
  }
}
