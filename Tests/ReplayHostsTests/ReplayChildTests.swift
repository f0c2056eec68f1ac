import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayHosts

/// Hosts in separate processes: small scripts with valid and invalid behavior.
@MainActor @Suite(.serialized) struct ReplayChildTests {
  let terminal: Terminal

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    terminal = try Terminal()
    terminal.makeReplayStarter = {
      let keeper = PersistentHost()
      return { log, options in try keeper.start(log, options) }
    }
    try terminal.folder.write(SampleLog.text + "\n", to: "a.jsonl")
  }

  /// Returns a script that starts by defining `answer`: a host whose code behaves as recorded.
  private func host(_ script: String) throws -> String {
    try terminal.folder.script(
      #"""
      answer() {
        sed -u "s/^{\"kind\":\"header\",/&\"replayer\":{\"token\":\"$TCA_REPLAY_CHILD\"},/"
      }
      \#(script)

      """#,
      named: "host"
    )
  }

  private func run(_ script: String, _ log: String = "a.jsonl") async throws -> Terminal.Result {
    try await terminal.run("run", log, "--host", try host(script), "--timeout", "20")
  }

  @Test func `run reports a host that replays the same as identical`() async throws {
    #expect(
      try await run("answer")
        == .init(status: 0, output: "a.jsonl: identical, through action 16\n")
    )
  }

  @Test func `run refuses a host that only copies the log`() async throws {
    let message =
      "a.jsonl: the host answers with a header that lacks the token of this replay, so it did not replay the log;"
      + " expected an executable that was built from a ReplayHost\n"
    #expect(try await run("cat") == .init(status: 69, output: message))
    let result = try await terminal.run("run", "a.jsonl", "--host", "/bin/cat")
    #expect(result.status == 69)
  }

  @Test func `run passes its options to the host as arguments of replay`() async throws {
    _ = try await terminal.run(
      "run",
      "a.jsonl",
      "--host",
      try host(
        "echo \"$@ $SWIFT_BACKTRACE\" > \"$(dirname \"$0\")/arguments\"; answer"
      ),
      "--feature",
      "Counter",
      "--until",
      "9"
    )
    #expect(
      try terminal.folder.read("arguments")
        == "replay - --feature Counter --until 9 enable=no\n"
    )
  }

  @Test func `a host migrates logs of older schema versions before they are compared`() async throws
  {
    let version = #"sed -u 's/^{"kind":"header",/&"schemaVersion":2,/'"#
    let script = """
      if [ "$1" = migrate ]; then
        \(version) "$2" | sed 's/increment/incremented/' > "$4"; exit $STATUS
      fi
      \(version) | sed -u 's/increment":/incremented":/' | answer
      """
    #expect(
      try await run("STATUS=0\n" + script)
        == .init(status: 0, output: "a.jsonl: identical, through action 16\n")
    )
    #expect(
      try await run("STATUS=65\n" + script)
        == .init(
          status: 69,
          output: "a.jsonl: the host could not migrate a.jsonl: it ended with status 65\n"
        )
    )
    let reasons = [
      "host: no name: found {}": "no name: found {}",
      "no step has: a name": "no step has: a name",
    ]
    for (line, reason) in reasons {
      let saying = #"if [ "$1" = migrate ]; then echo "\#(line)" >&2; exit 69; fi"#
      #expect(
        try await run(saying + "\nSTATUS=0\n" + script)
          == .init(status: 69, output: "a.jsonl: the host could not migrate a.jsonl: \(reason)\n")
      )
    }
  }

  @Test func `run reports a trap as reproduced if the host traps in the log's unfinished action`()
    async throws
  {
    let lines = SampleLog.lines.prefix(3).joined(separator: "\n") + "\n"
    try terminal.folder.write(lines, to: "t.jsonl")
    #expect(
      try await run("head -n 3 | answer; kill -ILL $$", "t.jsonl")
        == .init(status: 0, output: "t.jsonl: trap reproduced at action 1 (SIGILL)\n")
    )
  }

  @Test func `run reports a new trap if the host traps in another action than the unfinished one`()
    async throws
  {
    var result = try await run("head -n 10 | answer; kill -TRAP $$")
    // The commands contain the complete path of the folder.
    result.output = result.output.replacing(#/ +#/#, with: "  #")
    #expect(
      result
        == .init(
          status: 1,
          output: """
            a.jsonl: trapped at action 4 (SIGTRAP), which the recorded app survived

              action 4  .loaded(7)
                sent by effect 3.0 of action 3  .load
                action 3 sent by the view

              next:
                tca-replay show a.jsonl --range 4  # the action as it was recorded
                tca-replay minimize a.jsonl --traps -o a-minimal.jsonl --host host  # the fewest actions that still trap

            """
        )
    )
    let json = try await terminal.run(
      "run",
      "a.jsonl",
      "--host",
      terminal.folder.path + "/host",
      "--format",
      "json"
    )
    #expect(
      json.output.contains(
        #""causes":[{"seq":4,"origin":{"effect":"3.0"},"action":{"loaded":{"_0":7}}},{"seq":3,"#
      ),
      "\(json)"
    )
  }

  @Test func `run reports the status and action of a host that ends early`() async throws {
    #expect(
      try await run("head -n 10 | answer; exit 3")
        == .init(
          status: 69,
          output:
            "a.jsonl: the host ended with status 3 at action 4; expected it to replay"
            + " the whole log\n"
        )
    )
    #expect(
      try await run("exit 69")
        == .init(
          status: 69,
          output:
            "a.jsonl: the host host ended with status 69 before it answered; expected an executable"
            + " that was built from a ReplayHost\n"
        )
    )
    // Without a replay, there is no trap.
    #expect(
      try await run("kill -SEGV $$")
        == .init(
          status: 69,
          output:
            "a.jsonl: the host host was ended by SIGSEGV before it answered; expected an executable"
            + " that was built from a ReplayHost\n"
        )
    )
  }

  @Test func `run reports a host that prints to standard output`() async throws {
    #expect(
      try await run("echo hello; answer")
        == .init(
          status: 69,
          output:
            "a.jsonl: the host does not answer with a log: line 1 is not JSON: found 'h' where a"
            + " value was expected, at byte 0; its executable must leave standard output to"
            + " ReplayHost\n"
        )
    )
  }

  @Test func `run kills a host that hangs, and names the action`() async throws {
    let result = try await terminal.run(
      "run",
      "a.jsonl",
      "--host",
      try host("head -n 8 | answer; exec sleep 60"),
      "--timeout",
      "0.5"
    )
    #expect(
      result
        == .init(
          status: 69,
          output: "a.jsonl: the host took longer than 0.5 s and was killed at action 3; --timeout"
            + " SECONDS gives it more time\n"
        )
    )
  }

  @Test func `run reports a host that cannot be started`() async throws {
    let result = try await terminal.run("run", "a.jsonl", "--host", "/no/such/host")
    #expect(result.status == 69)
    #expect(result.output.hasPrefix("a.jsonl: the host /no/such/host cannot be started: "))
  }

  @Test func `a large log does not block run and its host`() async throws {
    var text = SampleLog.lines.prefix(2).joined(separator: "\n") + "\n"
    let filler = String(repeating: "x", count: 2000)
    for seq in 1...1000 {
      text +=
        #"{"kind":"action","seq":\#(seq),"at":1,"origin":"view","action":"\#(filler)"}"# + "\n"
      text += #"{"kind":"change","seq":\#(seq),"patch":[]}"# + "\n"
    }
    try terminal.folder.write(text, to: "large.jsonl")
    #expect(
      try await run("answer", "large.jsonl")
        == .init(
          status: 0,
          output: "large.jsonl: cut after action 1000, the same as far as it goes\n"
        )
    )
    // A host that reads nothing.
    #expect(try await run("exit 0", "large.jsonl").status == 69)
  }

  @Test func `run ends the host after a divergence`() async throws {
    let result = try await run(#"answer | sed -u 's/"value":7/"value":8/'; sleep 60"#)
    #expect(result.output.hasPrefix("a.jsonl: diverged at action 4: state count\n"))
  }

  @Test func `run uses one host for many logs`() async throws {
    try terminal.folder.write(SampleLog.text + "\n" + SampleLog.text + "\n", to: "two.jsonl")
    // Torn, unterminated, and with reserved space that was never filled.
    try terminal.folder.write(SampleLog.text, to: "b.jsonl")
    try terminal.folder.write(SampleLog.text + "\n{\"kind\":\"acti", to: "c.jsonl")
    try terminal.folder.write(SampleLog.lines.prefix(4).joined(separator: "\n"), to: "d.jsonl")
    try terminal.folder.write(SampleLog.text + "\n\0\0\0\0", to: "e.jsonl")
    let host = try host("echo x >> \"$(dirname \"$0\")/count\"; answer")
    #expect(
      try await terminal.run(
        "run",
        "two.jsonl",
        "a.jsonl",
        "b.jsonl",
        "c.jsonl",
        "d.jsonl",
        "e.jsonl",
        "--host",
        host
      )
        == .init(
          status: 0,
          output: """
            two.jsonl#1: identical, through action 16
            two.jsonl#2: identical, through action 16
            a.jsonl: identical, through action 16
            b.jsonl: identical, through action 16
            c.jsonl: identical, through action 16
            d.jsonl: cut after action 1, the same as far as it goes
            e.jsonl: identical, through action 16
            7 logs, all passed

            """
        )
    )
    #expect(try terminal.folder.read("count") == "x\n")
  }

  @Test func `run starts a host again that has ended`() async throws {
    let host = try host(
      #"echo x >> "$(dirname "$0")/count"; head -n 10 | answer; kill -TRAP $$"#
    )
    let line = "a.jsonl: trapped at action 4 (SIGTRAP), which the recorded app survived\n"
    let groups =
      "2 logs, 2 failed\n  2 × trapped (SIGTRAP), action .loaded\n      a.jsonl, a.jsonl\n"
      + "  --verbose shows the details of each\n"
    let result = try await terminal.run("run", "a.jsonl", "a.jsonl", "--host", host)
    #expect(result.status == 1)
    #expect(result.output.hasPrefix(line + "\n  action 4  .loaded(7)\n"), "\(result.output)")
    #expect(result.output.hasSuffix("\n" + line + groups), "\(result.output)")
    #expect(try terminal.folder.read("count") == "x\nx\n")
  }

  @Test func `run continues with the same host after a divergence`() async throws {
    var text = SampleLog.text + "\n"
    text = text.replacing(#"{"kind":"end","seq":16,"reason":"closed"}"#, with: "")
    for seq in 17...5000 {
      text += #"{"kind":"action","seq":\#(seq),"at":1,"origin":"view","action":"x"}"# + "\n"
      text += #"{"kind":"change","seq":\#(seq),"patch":[]}"# + "\n"
    }
    try terminal.folder.write(text, to: "long.jsonl")
    let host = try host(
      #"echo x >> "$(dirname "$0")/count"; answer | sed -u 's/"value":7/"value":8/'"#
    )
    let result = try await terminal.run("run", "long.jsonl", "long.jsonl", "--host", host)
    let line = "long.jsonl: diverged at action 4: state count\n"
    #expect(
      result.output.contains("\n" + line + "  count  − 7  + 8\n2 logs, 2 failed\n"),
      "\(result)"
    )
    #expect(try terminal.folder.read("count") == "x\n")
  }

  @Test func `run reports that the host does not have the feature of the log`() async throws {
    let finding =
      #"{"kind":"finding","seq":0,"code":"unknownFeature","subject":"Counter","message":"no Counter"}"#
    let host = try host("answer | sed -u 's/^{.kind.:.checkpoint.*/\(finding)/'")
    #expect(
      try await terminal.run("run", "a.jsonl", "--host", host)
        == .init(status: 69, output: "a.jsonl: no Counter\n")
    )
  }
}
