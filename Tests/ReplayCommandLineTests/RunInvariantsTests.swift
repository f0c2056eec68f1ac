import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayCommandLine
@testable import ReplayCommands
@testable import ReplayEngine

/// `run --invariants`.
@MainActor @Suite struct RunInvariantsTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    try invariants(
      """
      # Of the counter.
      stays small: $.state.count < 8
      never falls: $.state.count >= $.before.count
      """
    )
  }

  private func invariants(_ text: String) throws { try terminal.folder.write(text, to: "rules") }

  /// Runs a command with the invariants.
  private func run(_ arguments: String...) async throws -> Terminal.Result {
    try await terminal.run(["run"] + arguments + ["--invariants", "rules"])
  }

  @Test("run shows a violated invariant with its action, values and next commands")
  func text() async throws {
    var result = try await run("a.jsonl")
    // The columns depend on the length of the folder's name.
    result.output = result.output.replacing(#/ +#/#, with: " #")
    #expect(
      result
        == .init(
          status: 1,
          output: """
            a.jsonl: identical, through action 16; violates 'stays small' at action 7

              invariant 'stays small' does not hold after action 7, and in 10 of 17 states in all

              action 7  .first
                sent by effect 6.0 of action 6  .burst
                action 6 sent by the view

              $.state.count < 8
                state.count  8

              next:
                tca-replay blame a.jsonl count --at 7 # who set this value last, and why
                tca-replay minimize a.jsonl --when '!($.state.count < 8)' -o a-minimal.jsonl # the fewest actions that still violate it

            """
        )
    )
  }

  @Test("run does not mention an invariant that holds")
  func held() async throws {
    try invariants(
      "never falls: $.state.count >= $.before.count\nnot negative: $.state.count >= 0\n"
    )
    #expect(
      try await run("a.jsonl")
        == .init(status: 0, output: "a.jsonl: identical, through action 16\n")
    )
    let json = try JSON(parsing: try await run("a.jsonl", "--format", "json").output.utf8)
    #expect(
      json["logs"]?.array?.first?["invariants"] == [
        [
          "name": "never falls", "expression": "$.state.count >= $.before.count", "holds": true,
          "states": 16,
        ],
        [
          "name": "not negative", "expression": "$.state.count >= 0", "holds": true, "states": 17,
        ],
      ]
    )
    #expect(json["logs"]?.array?.first?["violated"] == nil)
  }

  @Test("run reports an invariant that is violated before the first action")
  func start() async throws {
    try invariants("has an id: $.state.id != ''\ncount is even: $.state.count == 0 || $.seq > 0\n")
    #expect(
      try await run("a.jsonl")
        == .init(
          status: 1,
          output: """
            a.jsonl: identical, through action 16; violates 'has an id' from the start

              invariant 'has an id' does not hold before the first action, and in 2 of 17 states in all

              $.state.id != ''
                state.id  ""

              next:
                tca-replay show a.jsonl --at 0  # the state as it was recorded

            """
        )
    )
  }

  @Test("run evaluates invariants also after a divergence")
  func afterDivergence() async throws {
    terminal.change = .countsByTwo
    let result = try await run("a.jsonl")
    #expect(result.status == 1)
    #expect(
      result.output.hasPrefix(
        "a.jsonl: diverged at action 1: state count; violates 'stays small' at action 7\n"
      ),
      "\(result.output)"
    )
    // The divergence comes first.
    #expect(result.output.contains("  next:\n    tca-replay blame a.jsonl count --at 1 "))
    // Up to the end of the replayed range.
    #expect(
      try await run("a.jsonl", "--until", "6").output.hasPrefix(
        "a.jsonl: diverged at action 1: state count\n"
      )
    )
  }

  @Test func `run --format json reports a violated invariant with its values`() async throws {
    let result = try await run("a.jsonl", "--format", "json")
    #expect(result.status == 1)
    let log = try JSON(parsing: result.output.utf8)["logs"]?.array?.first
    #expect(log?["verdict"] == "identical")
    #expect(log?["status"] == 1)
    #expect(log?["violated"] == ["stays small"])
    #expect(
      log?["invariants"]?.array?.first == [
        "name": "stays small", "expression": "$.state.count < 8", "holds": false, "states": 17,
        "at": 7, "action": ["first": [:]], "line": 18, "violations": 10,
        "values": [["operand": "$.state.count", "path": "/state/count", "value": 8]],
        "causes": [
          ["seq": 7, "origin": ["effect": "6.0"], "action": ["first": [:]]],
          ["seq": 6, "origin": "view", "action": ["burst": [:]]],
        ],
      ]
    )
    #expect(
      try JSON(parsing: result.output.utf8)["groups"] == [
        [
          "symptom": "violates 'stays small'", "fingerprint": "1dd5e35d4d8c08bf", "count": 1,
          "logs": [log?["log"] ?? .null],
        ]
      ]
    )
  }

  @Test("run reports violations in the formats of JUnit, GitHub and Markdown")
  func formats() async throws {
    terminal.times = [0]
    #expect(
      try await run("a.jsonl", "--format", "junit").output.contains(
        """
              <failure message="identical, through action 16; violates 'stays small' at action 7" type="violated">identical, through action 16; violates 'stays small' at action 7

        invariant 'stays small' does not hold after action 7, and in 10 of 17 states in all

        action 7  .first
          sent by effect 6.0 of action 6  .burst
          action 6 sent by the view

        $.state.count &lt; 8
          state.count  8</failure>
        """
      )
    )
    #expect(
      try await run("a.jsonl", "--format", "github").output == """
        ::error file=a.jsonl,line=18,title=a.jsonl::invariant 'stays small' does not hold after action 7, and in 10 of 17 states in all%0A%0Aaction 7  .first%0A  sent by effect 6.0 of action 6  .burst%0A  action 6 sent by the view%0A%0A$.state.count < 8%0A  state.count  8
        1 log, 1 failed

        """
    )
    let markdown = try await run("a.jsonl", "--format", "markdown").output
    #expect(
      markdown.contains(
        "| `a.jsonl` | `identical, through action 16; violates 'stays small' at action 7` |"
      )
    )
    #expect(markdown.contains("\n$.state.count < 8\n  state.count  8\n"))
  }

  /// Returns a result without the blanks before comments.
  ///
  /// Their number depends on the lengths of paths.
  private static func withoutPadding(_ result: Terminal.Result) -> Terminal.Result {
    .init(
      status: result.status,
      output: result.output.replacing(#/ +#/#, with: "  #"),
      error: result.error
    )
  }

  @Test("run groups logs with the same violation")
  func groups() async throws {
    try terminal.folder.write(SampleLog.text, to: "b.jsonl")
    try terminal.folder.write(SampleLog.lines.prefix(4).joined(separator: "\n"), to: "c.jsonl")
    #expect(
      try await Self.withoutPadding(run("a.jsonl", "b.jsonl", "c.jsonl"))
        == .init(
          status: 1,
          output: """
            a.jsonl: identical, through action 16; violates 'stays small' at action 7

              invariant 'stays small' does not hold after action 7, and in 10 of 17 states in all

              action 7  .first
                sent by effect 6.0 of action 6  .burst
                action 6 sent by the view

              $.state.count < 8
                state.count  8

              next:
                tca-replay blame a.jsonl count --at 7  # who set this value last, and why
                tca-replay minimize a.jsonl --when '!($.state.count < 8)' -o a-minimal.jsonl  # the fewest actions that still violate it
            b.jsonl: identical, through action 16; violates 'stays small' at action 7
            c.jsonl: cut after action 1, the same as far as it goes
            3 logs, 2 failed
              2 × violates 'stays small'
                  a.jsonl, b.jsonl
              --verbose shows the details of each

            """
        )
    )
  }

  @Test("an expected verdict names the invariants that are violated")
  func expected() async throws {
    try terminal.folder.write(#"{"verdict":"identical"}"#, to: "a.verdict.json")
    let unexpected = try await run("a.jsonl", "--expected")
    #expect(unexpected.status == 1)
    #expect(
      unexpected.output.contains("\n  violated: expected [], found [\"stays small\"]\n"),
      "\(unexpected.output)"
    )
    #expect(try await run("a.jsonl", "--expected", "--accept").status == 0)
    #expect(
      try terminal.folder.read("a.verdict.json")
        == #"{"verdict":"identical","violated":["stays small"]}"# + "\n"
    )
    #expect(try await run("a.jsonl", "--expected").status == 0)
    try invariants("never falls: $.state.count >= $.before.count\n")
    #expect(
      try await run("a.jsonl", "--expected").output.contains(
        "  violated: expected [\"stays small\"], found nothing\n"
      )
    )
  }

  @Test("run --accept refuses a replay that violates an invariant")
  func accepted() async throws {
    terminal.change = .countsByTwo
    let result = try await run("a.jsonl", "--accept")
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        "not accepted: the replay violates an invariant, so it cannot become the baseline; fix the feature or the invariant"
      ),
      "\(result.output)"
    )
    #expect(try terminal.folder.read("a.jsonl") == SampleLog.text)
  }

  @Test("run evaluates invariants for the logs of their feature, and names a misspelled feature")
  func features() async throws {
    let other = SampleLog.text.replacing("\"Counter\"", with: "\"Todos\"")
      .replacing("CounterState", with: "TodosState")
    try terminal.folder.write(other, to: "b.jsonl")
    try invariants("[Todos]\nstays small: $.state.count < 8\n[Todo]\nx: $.seq >= 0\n")
    let result = try await Self.withoutPadding(run("a.jsonl", "b.jsonl"))
    #expect(
      result
        == .init(
          status: 1,
          output: """
            a.jsonl: identical, through action 16
            b.jsonl: identical, through action 16; violates 'stays small' at action 7

              invariant 'stays small' does not hold after action 7, and in 10 of 17 states in all

              action 7  .first
                sent by effect 6.0 of action 6  .burst
                action 6 sent by the view

              $.state.count < 8
                state.count  8

              next:
                tca-replay blame b.jsonl count --at 7  # who set this value last, and why
                tca-replay minimize b.jsonl --when '!($.state.count < 8)' -o b-minimal.jsonl  # the fewest actions that still violate it
            2 logs, 1 failed

            """,
          error:
            "tca-replay: rules:4: feature 'Todo' is not in this host; it has: Counter, Todos; did you mean 'Todos'?\n"
        )
    )
    #expect(try await run("a.jsonl", "--feature", "Todos").status == 1)
    // Another host knows its own features, so the logs show which invariants were evaluated.
    #expect(
      try await run("a.jsonl", "--host", "other").error
        == """
        tca-replay: rules:2: none of the logs is of feature 'Todos'
        tca-replay: rules:4: none of the logs is of feature 'Todo'

        """
    )
    // A file may contain invariants for logs of other runs.
    try invariants("[Todos]\nstays small: $.state.count < 8\n")
    #expect(
      try await run("a.jsonl")
        == .init(status: 0, output: "a.jsonl: identical, through action 16\n")
    )
  }

  @Test(
    "run warns of an invariant with a path that no state has"
  )
  func doubts() async throws {
    try invariants("x: $.state.cuont < 8\n")
    let violated = try await run("a.jsonl")
    #expect(
      violated.output.contains(
        """
          $.state.cuont < 8
            $.state.cuont  nothing
          note: invariant 'x': no state of the log has anything at '$.state.cuont'; did you mean '$.state.count'?
        """
      ),
      "\(violated.output)"
    )
    try terminal.folder.write(SampleLog.text, to: "b.jsonl")
    try invariants("x: !($.state.cuont > 8)\n")
    #expect(
      try await run("a.jsonl", "b.jsonl")
        == .init(
          status: 0,
          output: """
            a.jsonl: identical, through action 16
            b.jsonl: identical, through action 16
            2 logs, all passed

            """,
          error:
            "tca-replay: invariant 'x': no state of the log has anything at '$.state.cuont'; did you mean '$.state.count'?\n"
        )
    )
  }

  @Test("run shows the first values that a query of an invariant selects, with their paths")
  func values() async throws {
    try invariants(
      "x: count($.state.*) > 2 && $.action.increment && !$.effects[?@.op == 'run']\n"
    )
    #expect(
      try await run("a.jsonl").output.contains(
        """
          count($.state.*) > 2 && $.action.increment && !$.effects[?@.op == 'run']
        """
      )
    )
    let rows = Wording.lines(
      try JSONPath.Expression(parsing: "$.a[*] || length($.a) > 1")
        .operands(in: ["a": [1, 2, 3, 4, 5, 6, 7]])[0],
      Notation()
    )
    #expect(rows.map(\.place) == ["a[0]", "a[1]", "a[2]", "a[3]", "a[4]", "…"])
    #expect(rows.map(\.value) == ["1", "2", "3", "4", "5", "and 2 more"])
  }

  @Test("run refuses a missing file of invariants or an invalid one before it replays")
  func faults() async throws {
    #expect(
      try await terminal.run("run", "a.jsonl", "--invariants", "nowhere")
        == .init(status: 66, output: "", error: "tca-replay: there is no file nowhere\n")
    )
    try invariants("x: $.seq >\n")
    let result = try await run("a.jsonl")
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.error.hasPrefix("tca-replay: rules:1: "), "\(result.error)")
  }
}
