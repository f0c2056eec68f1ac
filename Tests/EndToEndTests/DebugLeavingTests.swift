import Foundation
import TestSupport
import Testing

/// The commands that leave the log of a `debug` session: `live`, which leads back, and `native`.
@Suite struct DebugLeavingTests {
  @Test("live resumes a store from the session's position, and its new log replays")
  func live() throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"incrementButtonTapped\":{}}\n", to: "more.actions")
    let result = try Tool.replay.run(
      "debug",
      Project.sample("counter.jsonl"),
      "-ex",
      "goto 3",
      "-ex",
      "live -o new.jsonl --actions more.actions",
      in: folder.path
    )
    #expect(result.status == 0, "\(result.error)")
    #expect(
      result.output.hasSuffix(
        """
        recorded 1 action in new.jsonl
        back at action 3; 'debug new.jsonl' continues in the recording

        """
      ),
      "\(result.output)"
    )
    let run = try Tool.replay.run("run", "new.jsonl", in: folder.path)
    #expect(run.output == "new.jsonl: identical, through action 4\n")
    let show = try Tool.replay.run("show", "new.jsonl", in: folder.path)
    #expect(show.output.contains(", goes on from action 3 of log "), "\(show.output)")
  }

  @Test func `debug treats the lines after live as its own input until quit`() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.replay.run(
      ["debug", Project.sample("counter.jsonl")],
      input: """
        goto 3
        live -o new.jsonl
        .incrementButtonTapped
        {"incrementButtonTapped":{}}
        print count
        quit
        print count

        """,
      in: folder.path
    )
    #expect(result.status == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n").drop { !$0.contains(" count: 1 → 2") }
    #expect(
      lines.dropFirst(2) == [
        "3", "recorded 2 actions in new.jsonl",
        "back at action 3; 'debug new.jsonl' continues in the recording", "1",
      ],
      "\(result.output)"
    )
  }

  @Test func `debug --format json prints live as one object, and reports a recording that fails`()
    throws
  {
    let folder = try TemporaryFolder()
    let result = try Tool.replay.run(
      ["debug", Project.sample("counter.jsonl"), "--format", "json"],
      input: """
        live -o new.jsonl
        .incrementButtonTapped
        quit
        live -o other.jsonl
        .nope

        """,
      in: folder.path
    )
    #expect(result.status == 65)
    let objects = result.output.split(separator: "\n")
    #expect(objects.count == 2, "\(result.output)")
    #expect(
      objects.first?.hasPrefix(#"{"word":"live","output":"new.jsonl","step":{"seq":0,"#) == true
    )
    #expect(
      objects.last
        == #"{"word":"live","error":"the recording ended with status 65","status":65}"#
    )
    #expect(
      result.error
        == "tca-replay: standard input:1: the value names the case 'nope', which Counter.Action lacks\n"
    )
  }

  @Test(
    "native reports a native debugger that is missing or does not start",
    arguments: [true, false]
  )
  func brokenDebugger(isThere: Bool) throws {
    let folder = try TemporaryFolder()
    if isThere { _ = try folder.script("exit 127\n", named: "lldb") }
    let result = try Tool.replay.run(
      ["debug", Project.sample("counter.jsonl"), "--batch", "-ex", "goto 3", "-ex", "native lldb"],
      environment: ["PATH": folder.path]
    )
    #expect(result.status == 69)
    #expect(
      result.error
        == (isThere
          ? "tca-replay: the debugger \(folder.path)/lldb does not run: '--version' ends with status 127\n"
          : "tca-replay: lldb is not in PATH; install it, or choose gdb\n")
    )
  }

  @Test(arguments: [
    (["live"], 64, "'live' needs more; expected live -o FILE [--actions FILE]"),
    (["native foo"], 64, "'native' cannot take 'foo'; expected native [gdb|lldb]"),
    (["native"], 1, "there is no action at 0; go to an action first"),
    (
      ["skip 1", "live -o new.jsonl"], 1,
      "this timeline is in no file yet; 'fork -o FILE' writes it, and 'debug FILE' goes on there"
    ),
    (
      ["skip 1", "goto 3", "native"], 1,
      "this timeline is in no file yet; 'fork -o FILE' writes it, and 'debug FILE' goes on there"
    ),
  ])
  func `live and native refuse arguments that they cannot use`(
    _ words: [String],
    _ status: Int32,
    _ message: String
  ) throws {
    let result = try Tool.replay.run(
      ["debug", Project.sample("counter.jsonl"), "--batch"] + words.flatMap { ["-ex", $0] }
    )
    #expect(result.status == status)
    #expect(result.error == "tca-replay: \(message)\n")
  }

  @Test func `live refuses a file with several logs`() throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: Project.sample("counter.jsonl"), encoding: .utf8)
    try folder.write(text + text, to: "two.jsonl")
    let result = try Tool.replay.run(
      ["debug", "two.jsonl", "--log", "1", "--batch", "-ex", "live -o new.jsonl"],
      in: folder.path
    )
    #expect(result.status == 1)
    #expect(
      result.error
        == "tca-replay: the file has several logs; put this one in a file of its own first\n"
    )
  }
}
