import ActionLog
import Foundation
import Testing

@testable import ReplayEngine

/// Hosts in processes of their own: small scripts that behave and misbehave as a host may.
@MainActor @Suite(.serialized) struct ReplayChildTests {
  let terminal: Terminal

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    terminal = try Terminal()
    terminal.replayStarter = { log, options in
      try ReplayChild(
        host: options.host,
        arguments: options.childArguments,
        log: log,
        timeout: options.timeout
      )
    }
    try terminal.folder.write(SampleLog.text + "\n", to: "a.jsonl")
  }

  private func host(_ script: String) throws -> String {
    let path = try terminal.folder.write("#!/bin/sh\n" + script + "\n", to: "host")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func run(_ script: String, _ log: String = "a.jsonl") async throws -> Terminal.Result {
    try await terminal.run("run", log, "--host", try host(script), "--timeout", "20")
  }

  @Test func anEchoIsIdentical() async throws {
    #expect(
      try await run("cat")
        == .init(status: 0, output: "a.jsonl: identical, through action 16\n")
    )
  }

  @Test func theHostIsAskedToReplay() async throws {
    _ = try await terminal.run(
      "run",
      "a.jsonl",
      "--host",
      try host(
        "echo \"$@ $TCA_REPLAY_CHILD $SWIFT_BACKTRACE\" > \"$(dirname \"$0\")/arguments\"; cat"
      ),
      "--feature",
      "Counter",
      "--until",
      "9"
    )
    #expect(
      try terminal.folder.read("arguments")
        == "replay - --feature Counter --until 9 1 enable=no\n"
    )
  }

  @Test func aTrapAtTheUnfinishedActionIsReproduced() async throws {
    let lines = SampleLog.lines.prefix(3).joined(separator: "\n") + "\n"
    try terminal.folder.write(lines, to: "t.jsonl")
    #expect(
      try await run("cat; kill -ILL $$", "t.jsonl")
        == .init(status: 0, output: "t.jsonl: trap reproduced at action 1 (SIGILL)\n")
    )
  }

  @Test func aTrapElsewhereIsNew() async throws {
    #expect(
      try await run("head -n 10; kill -TRAP $$")
        == .init(
          status: 1,
          output: "a.jsonl: trapped at action 4 (SIGTRAP), which the recorded app survived\n"
        )
    )
  }

  @Test func aHostThatStopsEarly() async throws {
    #expect(
      try await run("head -n 10; exit 3")
        == .init(
          status: 69,
          output: "a.jsonl: the host ended with status 3 at action 4, before the end of the log\n"
        )
    )
    #expect(
      try await run("exit 69")
        == .init(
          status: 69,
          output:
            "a.jsonl: the host ended with status 69 before the first action, before the end of"
            + " the log\n"
        )
    )
  }

  @Test func aHostThatPrints() async throws {
    #expect(
      try await run("echo hello; cat")
        == .init(
          status: 69,
          output:
            "a.jsonl: the host does not answer with a log: line 1 is not JSON: found 'h' where a"
            + " value was expected, at byte 0; its executable must leave standard output to"
            + " ReplayHost\n"
        )
    )
  }

  @Test func aHostThatHangs() async throws {
    let result = try await terminal.run(
      "run",
      "a.jsonl",
      "--host",
      try host("head -n 8; exec sleep 60"),
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

  @Test func aHostThatIsNot() async throws {
    let result = try await terminal.run("run", "a.jsonl", "--host", "/no/such/host")
    #expect(result.status == 69)
    #expect(result.output.hasPrefix("a.jsonl: the host /no/such/host cannot be started: "))
  }

  @Test func aLargeLogDoesNotBlock() async throws {
    var text = SampleLog.lines.prefix(2).joined(separator: "\n") + "\n"
    let filler = String(repeating: "x", count: 2000)
    for seq in 1...5000 {
      text +=
        #"{"kind":"action","seq":\#(seq),"at":1,"origin":"view","action":"\#(filler)"}"# + "\n"
      text += #"{"kind":"change","seq":\#(seq),"patch":[]}"# + "\n"
    }
    try terminal.folder.write(text, to: "large.jsonl")
    #expect(
      try await run("cat", "large.jsonl")
        == .init(
          status: 0,
          output: "large.jsonl: cut after action 5000, the same as far as it goes\n"
        )
    )
    // One that answers only when it has read all.
    #expect(
      try await run("text=$(cat); echo \"$text\"", "large.jsonl").status == 0
    )
    // One that reads nothing.
    #expect(try await run("exit 0", "large.jsonl").status == 69)
  }

  @Test func aDivergenceEndsTheHost() async throws {
    let result = try await run(#"sed -u 's/"value":7/"value":8/'; sleep 60"#)
    #expect(result.output.hasPrefix("a.jsonl: diverged at action 4: state /count\n"))
  }

  @Test func eachLogOfAFileHasAProcess() async throws {
    try terminal.folder.write(SampleLog.text + "\n" + SampleLog.text + "\n", to: "two.jsonl")
    #expect(
      try await run("echo x >> \"$(dirname \"$0\")/count\"; cat", "two.jsonl")
        == .init(
          status: 0,
          output: """
            two.jsonl#1: identical, through action 16
            two.jsonl#2: identical, through action 16
            2 logs, all well

            """
        )
    )
    #expect(try terminal.folder.read("count") == "x\nx\n")
  }
}
