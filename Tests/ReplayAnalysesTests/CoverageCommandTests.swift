import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayAnalyses

/// `coverage`: the items that logs reach.
@MainActor @Suite struct CoverageCommandTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  /// Returns a log with these actions and changes.
  private static func log(
    _ steps: [(action: String, patch: String)],
    feature: String = "Rows"
  ) -> String {
    let head = """
      {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"1","feature":"\(feature)"}
      {"kind":"checkpoint","seq":0,"state":{"rows":[],"note":""},"effects":[]}

      """
    return head
      + steps.enumerated().map { index, step in
        """
        {"kind":"action","seq":\(index + 1),"at":\(index),"origin":"view","action":\(step.action)}
        {"kind":"change","seq":\(index + 1),"patch":\(step.patch),"effects":[{"id":"\(index + 1).0","op":"run","name":"save"}]}
        {"kind":"effect","id":"\(index + 1).0","event":"finished","sent":0,"at":\(index)}

        """
      }
      .joined()
  }

  private static let add = (
    #"{"add":{}}"#, #"[{"op":"add","path":"/rows/0","value":{"title":"","isDone":false}}]"#
  )
  private static let rename = (
    #"{"rows":{"_0":{"element":{"id":1,"action":{"rename":{"_0":"a"}}}}}}"#,
    #"[{"op":"replace","path":"/rows/0/title","value":"a"}]"#
  )
  private static let write = (#"{"write":{}}"#, #"[{"op":"replace","path":"/note","value":"a"}]"#)

  private func writeLogs() throws {
    try terminal.folder.write(Self.log([Self.add]), to: "logs/a.jsonl")
    try terminal.folder.write(Self.log([Self.add, Self.rename]), to: "logs/b.jsonl")
    try terminal.folder.write(Self.log([Self.write]), to: "logs/c.jsonl")
    try terminal.folder.write(Self.log([Self.write, Self.write]), to: "logs/d.jsonl")
    try terminal.folder.write(SampleLog.text, to: "logs/e.jsonl")
  }

  @Test func `coverage lists the cases, paths and effects that logs reach`() async throws {
    try writeLogs()
    #expect(
      try await terminal.run("coverage", "logs", "--verbose")
        == .init(
          status: 0,
          output: """
            5 logs of 2 features, 22 actions

              feature  logs  actions  cases  places  changed  effects
              Counter     1       16     11       2        2        3
              Rows        4        6      3       3        3        1

            Counter
              the host has no such feature, so there may be more
              cases reached
                .increment  5  in 1 log
                .add        1  in 1 log
                .load       2  in 1 log
                .loaded     1  in 1 log
                .burst      1  in 1 log
                .first      1  in 1 log
                .second     1  in 1 log
                .third      1  in 1 log
                .chain      1  in 1 log
                .done       1  in 1 log
                .cancel     1  in 1 log
              places reached
                count  in 1 log, changed in 1
                id     in 1 log, changed in 1
              effects started
                load  2  2 canceled
                send  4
                run   2  1 finished, 1 canceled

            Rows
              the host has no such feature, so there may be more
              cases reached
                .add            2  in 2 logs
                .rows[].rename  1  in 1 log
                .write          3  in 2 logs
              places reached
                rows[*].title   in 2 logs, changed in 2
                rows[*].isDone  in 2 logs, changed in 2
                note            in 4 logs, changed in 2
              effects started
                save  6  6 finished

            3 of 5 logs reach the same; fewer do not
              logs/e.jsonl  adds 21
              logs/b.jsonl  adds 9
              logs/c.jsonl  adds 2

            2 logs are redundant: the others reach all that they do
              logs/a.jsonl
              logs/d.jsonl

            """
        )
    )
  }

  @Test func `coverage --format json lists a set of logs that covers everything the logs reach`()
    async throws
  {
    try writeLogs()
    let json = try JSON(
      parsing: try await terminal.run("coverage", "logs", "--format", "json").output
    )
    #expect(
      json["logs"] == [
        ["log": "logs/a.jsonl", "feature": "Rows", "actions": 1, "reached": 8, "alone": 0],
        ["log": "logs/b.jsonl", "feature": "Rows", "actions": 2, "reached": 9, "alone": 1],
        ["log": "logs/c.jsonl", "feature": "Rows", "actions": 1, "reached": 5, "alone": 0],
        ["log": "logs/d.jsonl", "feature": "Rows", "actions": 2, "reached": 5, "alone": 0],
        ["log": "logs/e.jsonl", "feature": "Counter", "actions": 16, "reached": 21, "alone": 21],
      ]
    )
    #expect(
      json["enough"] == [
        ["log": "logs/e.jsonl", "adds": 21], ["log": "logs/b.jsonl", "adds": 9],
        ["log": "logs/c.jsonl", "adds": 2],
      ]
    )
    #expect(json["isSmallest"] == true)
    #expect(json["redundant"] == ["logs/a.jsonl", "logs/d.jsonl"])
    let rows = try #require(json["features"]?.array?.last)
    #expect(
      rows["actions"] == [
        ["action": ".add", "count": 2, "logs": 2, "declared": false],
        ["action": ".rows[].rename", "count": 1, "logs": 1, "declared": false],
        ["action": ".write", "count": 3, "logs": 2, "declared": false],
      ]
    )
    #expect(
      rows["effects"] == [
        ["effect": "save", "count": 6, "logs": 4, "finished": 6, "cancelled": 0, "failed": 0]
      ]
    )
  }

  @Test func `coverage --format markdown lists features and sufficient logs as tables`()
    async throws
  {
    try writeLogs()
    #expect(
      try await terminal.run("coverage", "logs", "--format", "markdown").output == """
        ### tca-replay: 5 logs of 2 features, 22 actions

        | feature | logs | actions | cases | places | changed | effects |
        | --- | ---: | ---: | ---: | ---: | ---: | ---: |
        | `Counter` | 1 | 16 | 11 | 2 | 2 | 3 |
        | `Rows` | 4 | 6 | 3 | 3 | 3 | 1 |

        #### 3 of 5 logs reach the same; fewer do not

        | log | adds |
        | --- | ---: |
        | `logs/e.jsonl` | 21 |
        | `logs/b.jsonl` | 9 |
        | `logs/c.jsonl` | 2 |

        #### 2 logs are redundant: the others reach all that they do

        | log | actions |
        | --- | ---: |
        | `logs/a.jsonl` | 1 |
        | `logs/d.jsonl` | 2 |

        """
    )
  }

  @Test func `coverage --format html escapes names and contains no script`() async throws {
    try terminal.folder.write(Self.log([Self.add], feature: "<b>&"), to: "a.jsonl")
    let page = try await terminal.run("coverage", "a.jsonl", "--format", "html").output
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n"))
    #expect(page.contains("<h2>&lt;b&gt;&amp;: 1 log, 1 action</h2>"))
    #expect(page.contains("><code>rows[*].title</code></td>"))
    #expect(!page.contains("<b>"))
    #expect(!page.contains("<script"))
  }

  @Test("coverage names an unreadable log, and reports on the others")
  func unreadableLogs() async throws {
    try terminal.folder.write(Self.log([Self.add]), to: "logs/a.jsonl")
    try terminal.folder.write(Self.log([Self.write]) + "rubbish\n{}\n", to: "logs/b.jsonl")
    let result = try await terminal.run("coverage", "logs", "none.jsonl")
    #expect(result.status == 66)
    #expect(
      result.error == """
        tca-replay: logs/b.jsonl: line 6 is not JSON: found 'r' where a value was expected, at byte 0
        tca-replay: there is no file none.jsonl

        """
    )
    #expect(result.output.hasPrefix("1 log of 1 feature, 1 action\n"))
    // A log with an invalid end is ignored completely.
    #expect(!result.output.contains("write"))
    let json = try JSON(
      parsing: try await terminal.run("coverage", "logs", "--format", "json").output
    )
    #expect(json["unreadable"]?.array?.map { $0["log"] } == ["logs/b.jsonl"])
    #expect(json["logs"]?.array?.count == 1)
  }

  @Test("coverage counts a log once, even if it is named twice or is also in a named folder")
  func namedTwice() async throws {
    try writeLogs()
    let once = try await terminal.run("coverage", "logs", "--format", "json")
    let twice = try await terminal.run(
      ["coverage", "logs", "logs/c.jsonl", "./logs/a.jsonl", "logs", "--format", "json"]
    )
    #expect(twice == once)
    // A copy is a separate log.
    try terminal.folder.write(Self.log([Self.add]), to: "logs/a2.jsonl")
    let copied = try await terminal.run("coverage", "logs", "--format", "json")
    #expect(try JSON(parsing: copied.output)["logs"]?.array?.count == 6)
  }

  /// The verdict on the shorter one of two logs with the same coverage, and the log that suffices.
  nonisolated private static let verdicts: [(verdict: String, enough: JSON)] = [
    (#"{"verdict":"identical"}"#, "logs/c.jsonl"), (#"{"verdict":"cut","at":1}"#, "logs/c.jsonl"),
    (#"{"verdict":"diverged","at":1,"cause":"state"}"#, "logs/d.jsonl"),
    (#"{"verdict":"trapped"}"#, "logs/d.jsonl"), ("{}", "logs/c.jsonl"), ("text", "logs/c.jsonl"),
  ]

  @Test(
    "coverage prefers logs that do not diverge if several logs reach the same actions",
    arguments: verdicts
  )
  func divergedLogs(verdict: String, enough: JSON) async throws {
    try terminal.folder.write(Self.log([Self.write]), to: "logs/c.jsonl")
    try terminal.folder.write(Self.log([Self.write, Self.write]), to: "logs/d.jsonl")
    try terminal.folder.write(verdict, to: "logs/c.verdict.json")
    let json = try JSON(
      parsing: try await terminal.run("coverage", "logs", "--format", "json").output
    )
    #expect(json["enough"]?.array?.map { $0["log"] } == [enough])
  }

  @Test func `coverage refuses --build and --sources without --lines`() async throws {
    try writeLogs()
    for option in ["--build", "--sources"] {
      #expect(
        try await terminal.run("coverage", "logs", option, "x")
          == .init(
            status: 64,
            output: "",
            error: """
              tca-replay: '\(option)' works only with '--lines'
              see 'tca-replay coverage --help'

              """
          )
      )
    }
  }
}

/// The output of the toolchain's tools.
@Suite struct CoverageToolTests {
  @Test func `FunctionCounters reads the counters of a coverage profile`() {
    let text = """
      $s3App1fyyF
      # Func Hash:
      123
      # Num Counters:
      3
      # Counter Values:
      1
      0
      12

      Main.swift:$s3App1gyyF
      # Func Hash:
      0
      # Num Counters:
      1
      # Counter Values:
      0

      $s3App1hyyF
      # Func Hash:
      7
      # Num Counters:
      1
      # Counter Values:
      2
      # Num Bitmap Bytes:
      $1
      0x0
      """
    #expect(
      FunctionCounters(text: Array(text.utf8)).functions == [
        "$s3App1fyyF": [0, 2], "$s3App1hyyF": [0],
      ]
    )
    #expect(FunctionCounters(text: []).functions.isEmpty)
  }

  @Test func `coverage reads functions and missed lines from an lcov report`() {
    let text = """
      SF:/app/A.swift
      FN:1,$s3App1fyyF
      FN:5,9,$s3App1gyyF
      FNDA:1,$s3App1fyyF
      FNF:2
      DA:1,1
      DA:2,0
      DA:5,4294967296
      DA:8,0
      DA:9,0
      DA:12,0
      DA:13,1
      LF:7
      end_of_record
      SF:/app/B.swift
      end_of_record
      SF:/app/Cut.swift
      """
    let files = LineExecutionCounts.read(lcov: Array(text.utf8))
    #expect(files.map(\.path) == ["/app/A.swift", "/app/B.swift"])
    #expect(files[0].functions == ["$s3App1fyyF", "$s3App1gyyF"])
    let file = LineCoverage.File(files[0])
    #expect(file.lines == 7)
    #expect(file.reached == 3)
    #expect(file.missed == [2...2, 8...12])
  }
}
