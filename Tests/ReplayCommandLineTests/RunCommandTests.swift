import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@MainActor @Suite struct RunCommandTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
  }

  @Test func `run reports a log that replays the same as identical`() async throws {
    #expect(
      try await terminal.run("run", "a.jsonl")
        == .init(status: 0, output: "a.jsonl: identical, through action 16\n")
    )
  }

  @Test func `run shows a divergence with its causes`() async throws {
    terminal.change = .changesSentAction
    #expect(
      try await terminal.run("run", "a.jsonl")
        == .init(
          status: 1,
          output: """
            a.jsonl: diverged at action 7: effects 7.0/action

              action 7  .first
                sent by effect 6.0 of action 6  .burst
                action 6 sent by the view

              − recorded, + replayed
              effects
                effect 7.0: action
                  − .third
                  + .second

              next:
                tca-replay show a.jsonl --range 7  # the action as it was recorded
                tca-replay run a.jsonl --continue  # whether later actions differ, too

            """
        )
    )
  }

  @Test func `run lists the verdicts of several logs, and exits with the worst status`()
    async throws
  {
    try terminal.folder.write(SampleLog.lines.dropLast().joined(separator: "\n"), to: "d/b.jsonl")
    try terminal.folder.write(SampleLog.text + "\n" + SampleLog.text, to: "d/c.jsonl")
    try terminal.folder.write("no log", to: "d/e.jsonl")
    try terminal.folder.write("ignored", to: "d/e.txt")
    #expect(
      try await terminal.run("run", "d", "a.jsonl", "/none.jsonl")
        == .init(
          status: 66,
          output: """
            d/b.jsonl: cut after action 16, the same as far as it goes
            d/c.jsonl#1: identical, through action 16
            d/c.jsonl#2: identical, through action 16
            d/e.jsonl: line 1 is not JSON: found 'o' where 'null' was expected, at byte 1
            a.jsonl: identical, through action 16
            /none.jsonl: there is no file /none.jsonl
            6 logs, 2 failed

            """
        )
    )
  }

  @Test func `run replays a log from standard input`() async throws {
    terminal.input = SampleLog.text
    #expect(
      try await terminal.run("run", "-")
        == .init(status: 0, output: "standard input: identical, through action 16\n")
    )
  }

  @Test func `run --until stops after that action`() async throws {
    terminal.change = .changesSentAction
    #expect(
      try await terminal.run("run", "a.jsonl", "--until", "6")
        == .init(status: 0, output: "a.jsonl: cut after action 6, the same as far as it goes\n")
    )
  }

  @Test func `run --format json reports verdict, differences and causes`() async throws {
    terminal.change = .countsByTwo
    let result = try await terminal.run("run", "--format", "json", "a.jsonl")
    #expect(result.status == 1)
    let document = try JSON(parsing: result.output)
    #expect(
      document
        == [
          "logs": [
            [
              "log": "a.jsonl", "verdict": "diverged", "at": 1,
              "cause": "state", "paths": ["/count"],
              "differences": [
                ["seq": 1, "cause": "state", "subject": "/count", "expected": 1, "actual": 2]
              ],
              "causes": [["seq": 1, "origin": "view", "action": ["increment": [:]]]],
              "actions": 1, "line": 3, "status": 1,
            ]
          ],
          "well": 0, "notWell": 1, "notReplayed": 0,
          "groups": [
            [
              "symptom": "diverged: state count, action .increment",
              "fingerprint": "164f586a54ecd29c", "count": 1, "logs": ["a.jsonl"],
            ]
          ],
        ]
    )
  }

  struct ExpectedCase: Sendable, CustomTestStringConvertible {
    let verdict: String?
    let status: Int32
    let mismatch: String
    var testDescription: String { verdict ?? "none" }
  }

  @Test(arguments: [
    ExpectedCase(
      verdict: #"{"verdict":"diverged","at":1,"cause":"state","paths":["/count"]}"#,
      status: 0,
      mismatch: ""
    ),
    ExpectedCase(verdict: #"{"verdict":"diverged"}"#, status: 0, mismatch: ""),
    ExpectedCase(
      verdict: #"{"verdict":"identical","at":1}"#,
      status: 1,
      mismatch: "  verdict: expected \"identical\", found \"diverged\"\n"
    ),
    ExpectedCase(
      verdict: #"{"verdict":"diverged","at":2,"signal":"SIGILL"}"#,
      status: 1,
      mismatch: "  at: expected 2, found 1\n  signal: expected \"SIGILL\", found nothing\n"
    ),
    ExpectedCase(
      verdict: nil,
      status: 1,
      mismatch: "  there is no a.verdict.json; --expected needs one beside each log, such as"
        + " {\"verdict\":\"identical\"}\n"
    ),
    ExpectedCase(
      verdict: "[]",
      status: 1,
      mismatch: "  a.verdict.json holds no verdict: found an array; expected a JSON object"
        + " such as {\"verdict\":\"identical\"}\n"
    ),
  ])
  func `run --expected compares the verdict with the expected verdict beside the log`(
    _ testCase: ExpectedCase
  ) async throws {
    if let verdict = testCase.verdict { try terminal.folder.write(verdict, to: "a.verdict.json") }
    try terminal.folder.write("{}", to: "x.jsonl")
    terminal.change = .countsByTwo
    let result = try await terminal.run("run", "--expected", "a.jsonl", "a.jsonl")
    let isSame = testCase.status == 0
    let verdict = "a.jsonl: diverged at action 1: state count\n"
    let full = """

        action 1  .increment
          sent by the view

        − recorded, + replayed
        state
          count
            − 1
            + 2


      """
    let next = """
        next:
          tca-replay blame a.jsonl count --at 1  # who set this value last, and why
          tca-replay run a.jsonl --continue      # whether later actions differ, too

      """
    let first = isSame ? verdict : verdict + full + testCase.mismatch + next
    let second = isSame ? verdict : verdict + "  count  − 1  + 2\n" + testCase.mismatch
    let group =
      "  2 × diverged: state count, action .increment\n      a.jsonl, a.jsonl\n"
      + "  --verbose shows the details of each\n"
    let summary = testCase.status == 0 ? "2 logs, all passed\n" : "2 logs, 2 failed\n" + group
    #expect(result == .init(status: testCase.status, output: first + second + summary))
  }

  @Test func `run --expected reports a missing trap only if the expected verdict names the trap`()
    async throws
  {
    try terminal.folder.write(SampleLog.lines.prefix(3).joined(separator: "\n"), to: "t.jsonl")
    #expect(
      try await terminal.run("run", "t.jsonl")
        == .init(status: 0, output: "t.jsonl: cut after action 1, the same as far as it goes\n")
    )
    try terminal.folder.write(#"{"verdict":"trapReproduced","at":1}"#, to: "t.verdict.json")
    #expect(
      try await terminal.run("run", "--expected", "t.jsonl")
        == .init(
          status: 1,
          output: """
            t.jsonl: trap gone: action 1 trapped before and does not now
              verdict: expected "trapReproduced", found "trapGone"
              next:
                tca-replay run t.jsonl --expected --accept  # expect this from now on, if the trap was fixed

            """
        )
    )
    let accepted = try await terminal.run("run", "--expected", "--accept", "t.jsonl")
    #expect(accepted.status == 0, "\(accepted)")
    #expect(
      try await terminal.run("run", "--expected", "t.jsonl")
        == .init(
          status: 0,
          output: "t.jsonl: trap gone: action 1 trapped before and does not now\n"
        )
    )
  }

  @Test func `run names a feature that the host lacks, and --feature replaces it`() async throws {
    let log = SampleLog.text
      .replacing(#""Counter","stateType":"CounterState""#, with: #""Todo","stateType":"T""#)
    try terminal.folder.write(log, to: "t.jsonl")
    #expect(
      try await terminal.run("run", "t.jsonl")
        == .init(
          status: 69,
          output:
            "t.jsonl: feature 'Todo' (state type T) is not in this host; it has: Counter, Todos"
            + "; did you mean 'Todos'?\n"
        )
    )
    let far = log.replacing(#""Todo","#, with: #""Mailbox","#)
    try terminal.folder.write(far, to: "m.jsonl")
    #expect(
      try await terminal.run("run", "m.jsonl")
        == .init(
          status: 69,
          output:
            "m.jsonl: feature 'Mailbox' (state type T) is not in this host; it has: Counter, Todos"
            + "; use the app's own host, with --host PATH\n"
        )
    )
    #expect(try await terminal.run("run", "t.jsonl", "--feature", "Counter").status == 0)
    let renamed = log.replacing(#""stateType":"T""#, with: #""stateType":"CounterState""#)
    try terminal.folder.write(renamed, to: "t.jsonl")
    #expect(try await terminal.run("run", "t.jsonl").status == 0)
  }

  @Test(arguments: [
    ("{", 65, "the log ends after 1 byte, within its first line"),
    ("{nope", 65, "line 1 is not JSON"),
    ("[]\n", 65, "line 1 is not a log event"),
    ("{\"kind\":\"end\"}\n", 65, "line 1 is not a log event"),
    ("", 65, "the log is empty"),
    ("\u{0}\u{0}", 65, "the log is empty"),
  ])
  func `run explains why a file is not a log`(
    text: String,
    status: Int32,
    message: String
  ) async throws {
    try terminal.folder.write(text, to: "t.jsonl")
    let result = try await terminal.run("run", "t.jsonl")
    #expect(result.output.contains(message), "\(result)")
    #expect(result.status == status)
  }
}
