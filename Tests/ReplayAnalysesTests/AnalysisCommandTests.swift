import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@MainActor @Suite struct AnalysisCommandTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
  }

  nonisolated private static let bisections: [(when: String, status: Int32, output: String)] = [
    (
      "$.state.count >= 10", 0,
      """
      a.jsonl: $.state.count >= 10 holds first after action 9

        action 9  .third
          sent by effect 7.0 of action 7  .first
          action 7 sent by effect 6.0 of action 6  .burst
          action 6 sent by the view

        − before, + after
        state
          count
            − 9
            + 10

      """
    ),
    (
      "$.action.load", 0,
      """
      a.jsonl: $.action.load holds first after action 3

        action 3  .load
          sent by the view

        it did not change the state

        it ceases to hold after action 4
        it holds again after action 5
        it ceases to hold after action 6

      """
    ),
    (
      "$.state.count < 8", 1,
      "a.jsonl: $.state.count < 8 holds from the start, so no action caused it; it ceases to after action 7\n"
    ),
    (
      "$.state.count == 99 && $.seq > 3", 1,
      "a.jsonl: $.state.count == 99 && $.seq > 3 holds after none of 16 actions\n"
    ),
  ]

  @Test(arguments: bisections)
  func `bisect --when reports the first action after which a condition holds`(
    when: String,
    status: Int32,
    output: String
  ) async throws {
    let result = try await terminal.run("bisect", "a.jsonl", "--when", when)
    #expect(result == Terminal.Result(status: status, output: output))
  }

  @Test func `bisect reports mistakes in an expression`() async throws {
    let unknown = try await terminal.run("bisect", "a.jsonl", "--when", "$.stat.count == 99")
    #expect(
      unknown.error == """
        tca-replay: the expression looks at '$.stat', which no action has; expected one of $.seq, $.action, \
        $.origin, $.before, $.state, $.effects, $.reads; did you mean '$.state'?

        """
    )
    let broken = try await terminal.run("bisect", "a.jsonl", "--when", "$.state.count =")
    #expect(broken.status == 64)
    #expect(
      broken.error == """
        tca-replay: --when: found '=', expected '==', at column 15 of $.state.count =
        see 'tca-replay bisect --help'

        """
    )
  }

  @Test func `bisect --format json reports every change of a condition's truth`() async throws {
    let result = try await terminal.run(
      "bisect",
      "a.jsonl",
      "--when",
      "$.seq == 4",
      "--format",
      "json"
    )
    #expect(
      result.output == #"""
        {"log":"a.jsonl","when":"$.seq == 4","found":true,"seq":4,"holdsAtStart":false,\#
        "flips":[{"seq":4,"holds":true},{"seq":5,"holds":false}],"last":16,\#
        "differences":[{"seq":4,"cause":"state","subject":"/count","expected":1,"actual":7}],\#
        "causes":[{"seq":4,"origin":{"effect":"3.0"},"action":{"loaded":{"_0":7}}},\#
        {"seq":3,"origin":"view","action":{"load":{}}}]}

        """#
    )
  }

  @Test func `minimize writes a log that replays`() async throws {
    let result = try await terminal.run(
      "minimize",
      "a.jsonl",
      "--when",
      "$.state.count == 7",
      "-o",
      terminal.folder.path + "/b.jsonl",
      "--jobs",
      "1"
    )
    #expect(
      result
        == Terminal.Result(
          status: 0,
          output: """
            a.jsonl: 12 actions from outside reduced to 2 in 13 replays; each of them is needed; \
            written to b.jsonl
              action 1  .load, which was action 3
              action 2  .loaded(7), which was action 4

            """
        )
    )
    let run = try await terminal.run("run", "b.jsonl")
    #expect(run.output == "b.jsonl: identical, through action 2\n")
  }

  @Test("minimize counts actions that the reducer itself sends separately from the user's actions")
  func minimizedActionsOfTheReducer() async throws {
    let output = terminal.folder.path + "/b.jsonl"
    let arguments = [
      "minimize", "a.jsonl", "--when", "$.action.third", "-o", output, "--jobs", "1",
    ]
    let result = try await terminal.run(arguments)
    #expect(
      result
        == Terminal.Result(
          status: 0,
          output: """
            a.jsonl: 12 actions from outside reduced to 1 in 9 replays; it is needed; \
            written to b.jsonl, with 3 actions that the reducer sends itself
              action 1  .burst, which was action 6

            """
        )
    )
    let json = try JSON(parsing: try await terminal.run(arguments + ["--format", "json"]).output)
    #expect(json["actions"] == ["before": 12, "after": 1])
    #expect(json["produced"] == 3)
    #expect(json["kept"] == [["seq": 6, "writtenSeq": 1, "action": ["burst": [:]]]])
  }

  nonisolated private static let refusals: [(arguments: [String], status: Int32, error: String)] = [
    (
      [], 64,
      """
      tca-replay: 'minimize' needs '--when EXPR', '--traps' or '--reference-host PATH'
      see 'tca-replay minimize --help'

      """
    ),
    (
      ["--traps", "--when", "$.seq == 1"], 64,
      """
      tca-replay: '--when' and '--traps' exclude each other; give one of them
      see 'tca-replay minimize --help'

      """
    ),
    (
      ["--when", "$.state.count == 99"], 1,
      "tca-replay: the replay of a.jsonl does not show it: nothing to minimize; 'run' and 'bisect --when' show what happens in the log\n"
    ),
    (
      ["--traps"], 1,
      "tca-replay: the replay of a.jsonl does not show it: nothing to minimize; 'run' and 'bisect --when' show what happens in the log\n"
    ),
  ]

  @Test(arguments: refusals)
  func `minimize requires a symptom that the log shows`(
    arguments: [String],
    status: Int32,
    error: String
  ) async throws {
    let output = terminal.folder.path + "/b.jsonl"
    let result = try await terminal.run(["minimize", "a.jsonl", "-o", output] + arguments)
    #expect(result == Terminal.Result(status: status, output: "", error: error))
    #expect(!terminal.folder.contains("b.jsonl"))
  }

  /// The message of commands for one log about the second log in a file.
  nonisolated private static let seconds: [(arguments: [String], beginning: String)] = [
    (["bisect", "--when", "$.seq == 2"], "two.jsonl#2: $.seq == 2 holds first after action 2\n"),
    (
      ["minimize", "--when", "$.seq == 1", "-o"],
      "two.jsonl#2: 2 actions from outside reduced to 1 in "
    ),
    (["explore", "--invariant", "$.seq < 9"], "two.jsonl#2: "),
    (["blame", "id"], "id is \"A-1\" after action 2\n"),
    (["test", "--name", "second"], "import TCAReplay\n"),
  ]

  nonisolated private static let all: [(arguments: [String], error: String)] = [
    (["show", "two.jsonl"], "'show' takes all of them, one after the other"),
    (["show", "two.jsonl", "--format", "json"], "'show' takes all of them, one after the other"),
    (["show", "two.jsonl", "--at", "2"], "'show --at' takes the first one"),
    (["show", "two.jsonl", "--at", "end"], "'show --at' takes the first one"),
    (["diff", "two.jsonl", "two.jsonl"], "'diff' takes all of them, one after the other"),
    (
      ["diff", "two.jsonl", "one.jsonl", "--format", "json"],
      "'diff' takes all of them, one after the other"
    ),
    (["mask", "two.jsonl", "--path", "id"], "'mask' takes all of them, one after the other"),
    (["replay", "two.jsonl"], "'replay' takes all of them, one after the other"),
    (["migrate", "two.jsonl"], "'migrate' takes all of them, one after the other"),
    (["migrate", "two.jsonl", "--suggest"], "'migrate --suggest' takes the first one"),
  ]

  @Test(arguments: all)
  func `commands report that a file holds several logs`(
    arguments: [String],
    error: String
  ) async throws {
    try terminal.folder.write(SampleLog.text, to: "one.jsonl")
    try terminal.folder.write(SampleLog.text + "\n" + SampleLog.text, to: "two.jsonl")
    let holds = error.hasSuffix("first one") ? "several logs" : "2 logs"
    let result = try await terminal.run(arguments)
    #expect(
      result.error.split(separator: "\n").first.map(String.init)
        == "tca-replay: two.jsonl holds \(holds); \(error)"
    )
    var alone = arguments
    alone[1] = "one.jsonl"
    #expect(try await !terminal.run(alone).error.contains("holds"))
  }

  @Test(
    "commands use the log of a file that --log names, and report the file's other logs",
    arguments: seconds
  )
  func severalLogs(arguments: [String], beginning: String) async throws {
    try terminal.folder.write(
      SampleLog.text + "\n" + SampleLog.lines.prefix(7).joined(separator: "\n") + "\n",
      to: "two.jsonl"
    )
    let output = arguments.contains("-o") ? [terminal.folder.path + "/b.jsonl"] : []
    func run(_ options: String...) async throws -> Terminal.Result {
      try await terminal.run(
        [arguments[0], "two.jsonl"] + arguments.dropFirst() + output + options
      )
    }
    let first = try await run()
    #expect(
      first.error
        == "tca-replay: two.jsonl holds 2 logs; '\(arguments[0])' takes the first one, and another one with --log N\n"
    )
    #expect(try await run("--log", "1").output == first.output)
    let second = try await run("--log", "2")
    #expect(second.error == "")
    #expect(second.output.hasPrefix(beginning), "\(second.output)")
    #expect(second.output != first.output)
    #expect(
      try await run("--log", "3")
        == Terminal.Result(
          status: 64,
          output: "",
          error: """
            tca-replay: invalid value '3' for '--log'; expected a number from 1 to 2, the logs of the file
            see 'tca-replay \(arguments[0]) --help'

            """
        )
    )
  }
}
