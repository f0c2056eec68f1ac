import Foundation
import TestSupport
import Testing

/// Expressions that can never hold as meant, and their warnings.
@Suite("Expressions") struct ExpressionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let expression: String
    /// The warnings without the program and the option.
    let doubts: [String]
    var testDescription: String { expression }
  }

  /// Cases for a log whose states are `{"mode":…,"count":…,"rows":[…],"note":…}`.
  static let cases: [Case] = [
    Case(expression: "$.state.count > 1000", doubts: []),
    Case(expression: "$.state.note == 'x'", doubts: []),
    Case(expression: "$.state.mode == null", doubts: []),
    Case(
      expression: "$.state.cuont > 3",
      doubts: ["no state of the log has anything at '$.state.cuont'; did you mean '$.state.count'?"]
    ),
    Case(
      expression: "$.state.nothing",
      doubts: [
        "no state of the log has anything at '$.state.nothing'; '$.state' has \"mode\", \"count\", \"rows\", \"note\""
      ]
    ),
    Case(
      expression: "$.action.incerment",
      doubts: [
        "no action of the log has anything at '$.action.incerment'; did you mean '$.action.increment'?"
      ]
    ),
    Case(
      expression: "$.state.mode == 'paused'",
      doubts: [
        #"'$.state.mode' is never a string in the log, so '$.state.mode == "paused"' is never true; it is an object such as {"playing":{}}; '$.state.mode.paused' asks for a case"#
      ]
    ),
    Case(
      expression: "'3' <= $.state.count",
      doubts: [
        #"'$.state.count' is never a string in the log, so '"3" <= $.state.count' is never true; it is a number such as 0"#
      ]
    ),
    Case(
      expression: "$.state.count == $.state.mode",
      doubts: [
        #"'$.state.count' and '$.state.mode' are never of one type in the log, so '$.state.count == $.state.mode' is never true; they are a number such as 0 and an object such as {"playing":{}}"#
      ]
    ),
    Case(
      expression: "match($.state.count, '3')",
      doubts: [
        "'$.state.count' is never a string in the log, so 'match($.state.count, …)' is never true; it is a number such as 0"
      ]
    ),
    Case(
      expression: "$.state.rows[?@.doen == true]",
      doubts: ["no element of '$.state.rows' has anything at '@.doen'; did you mean '@.done'?"]
    ),
    Case(
      expression: "$.state.rows[?@.done == 'yes']",
      doubts: [
        #"'@.done' is never a string in the log, so '@.done == "yes"' is never true; it is a boolean such as false"#
      ]
    ),
    Case(
      expression: "count($.state.rows[*]) == '2'",
      doubts: [
        #"'count($.state.rows[*])' is never a string in the log, so 'count($.state.rows[*]) == "2"' is never true; it is a number such as 1"#
      ]
    ),
    // The intended value is at another path.
    Case(
      expression: "title == 'a'",
      doubts: ["no state of the log has anything at 'title'; did you mean 'rows[*].title'?"]
    ),
    Case(
      expression: "rows[1].titel == 'a'",
      doubts: ["no state of the log has anything at 'rows[1].titel'; did you mean 'rows[*].title'?"]
    ),
    Case(
      expression: "$.state.rows.count > 7",
      doubts: [
        "no state of the log has anything at '$.state.rows.count'; did you mean 'rows.count'?"
      ]
    ),
    // Actions.
    Case(
      expression: ".incerment",
      doubts: ["no action of the log is .incerment; did you mean .increment?"]
    ),
    Case(
      expression: "action == .incerment",
      doubts: ["no action of the log is .incerment; did you mean .increment?"]
    ),
    Case(
      expression: "increment && count > 7",
      doubts: ["no state of the log has anything at 'increment'; did you mean '.increment'?"]
    ),
    // Cases and words.
    Case(
      expression: "mode == .pausd",
      doubts: ["'mode' is never .pausd in the log; did you mean .paused?"]
    ),
    Case(
      expression: "mode == .stopped",
      doubts: ["'mode' is never .stopped in the log; it is .paused or .playing"]
    ),
    Case(
      expression: "rows[0].done == True",
      doubts: ["no state of the log has anything at 'True'; did you mean 'true'?"]
    ),
    Case(
      expression: "rows[0].title == Milk",
      doubts: [#"no state of the log has anything at 'Milk'; did you mean '"Milk"'?"#]
    ),
    // Two mistakes, each with a warning.
    Case(
      expression: "$.state.cuont > 3 && $.state.mode == 1",
      doubts: [
        "no state of the log has anything at '$.state.cuont'; did you mean '$.state.count'?",
        #"'$.state.mode' is never a number in the log, so '$.state.mode == 1' is never true; it is an object such as {"playing":{}}"#,
      ]
    ),
  ]

  private static let log = #"""
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Player","stateType":"Player.State","startedAt":"","recorder":"0","environment":{},"segment":1}
    {"kind":"checkpoint","seq":0,"state":{"mode":{"playing":{}},"count":0,"rows":[{"title":"a","done":false}],"note":null},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"increment":{}}}
    {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}]}
    {"kind":"action","seq":2,"at":2,"origin":"view","action":{"paused":{}}}
    {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/mode","value":{"paused":{}}}]}
    {"kind":"end","seq":2,"reason":"closed"}

    """#

  @Test("bisect explains why a condition is never true", arguments: cases)
  func bisect(testCase: Case) throws {
    let folder = try TemporaryFolder()
    let log = try folder.write(Self.log, to: "log.jsonl")
    let result = try Tool.replay.run("bisect", log, "--when", testCase.expression)
    #expect(
      result.output == "\(log): \(testCase.expression) holds after none of 2 actions\n"
    )
    #expect(
      result.error == testCase.doubts.map { "tca-replay: --when: \($0)\n" }.joined()
    )
    #expect(result.status == 1)
  }

  @Test("bisect warns of the part of a condition that can never hold, even if the condition holds")
  func bisectPartly() throws {
    let folder = try TemporaryFolder()
    let log = try folder.write(Self.log, to: "log.jsonl")
    func error(_ expression: String) throws -> String {
      let result = try Tool.replay.run("bisect", log, "--when", expression)
      #expect(result.status == 0)
      return result.error
    }
    #expect(try error("$.state.count == 1 && !$.state.alert") == "")
    #expect(try error("$.state.count == 1 || $.state.note.text == 'x'") == "")
    #expect(
      try error("$.state.count == 1 || $.state.cuont == 7") == """
        tca-replay: --when: no state of the log has anything at '$.state.cuont'; did you mean '$.state.count'?

        """
    )
    #expect(
      try error("$.state.count == 1 && $.state.mode != 'paused'") == """
        tca-replay: --when: '$.state.mode' is never a string in the log, so '$.state.mode != "paused"' is always true; it is \
        an object such as {"playing":{}}; '$.state.mode.paused' asks for a case

        """
    )
  }

  @Test("minimize explains why a condition is never met in the log")
  func minimize() throws {
    let result = try Tool.replay.run(
      ["minimize", "SampleLogs/counter.jsonl", "--when", "$.state.count == '3'", "-o", "-"],
      in: Project.folder
    )
    #expect(
      result.error == """
        tca-replay: --when: '$.state.count' is never a string in the log, so '$.state.count == "3"' is never true; it is a \
        number such as 0
        tca-replay: the replay of SampleLogs/counter.jsonl does not show it: nothing to minimize; 'run' and 'bisect --when' \
        show what happens in the log

        """
    )
    #expect(result.status == 1)
  }

  @Test(
    "explore reports a path of an invariant that no state has, and the limit that ended the search"
  )
  func explore() throws {
    let broken = try Tool.replay.run(
      ["explore", "SampleLogs/counter.jsonl", "--invariant", "$.state.cuont < 100"],
      in: Project.folder
    )
    #expect(
      broken.error == """
        tca-replay: --invariant: no state of the log has anything at '$.state.cuont'; did you mean '$.state.count'?

        """
    )
    #expect(broken.status == 1)
    let short = try Tool.replay.run(
      [
        "explore", "SampleLogs/draft.jsonl", "--invariant", "$.seq >= 0", "--budget",
        "0.001",
      ],
      in: Project.folder
    )
    // The extent of a search within a millisecond depends on the machine.
    let counts = #/\d+ transitions, \d+ different places\n/#
    #expect(
      short.output.replacing(counts, with: "") == """
        SampleLogs/draft.jsonl: $.seq >= 0 holds in all orders that were tried; \
        --budget ended the search, so there are more

        """
    )
    #expect(short.status == 0)
    let json = try Tool.replay.run(
      [
        "explore", "SampleLogs/draft.jsonl", "--invariant", "$.seq >= 0", "--budget", "0.001",
        "--format", "json",
      ],
      in: Project.folder
    )
    #expect(json.output.contains(#""isComplete":false"#))
    #expect(json.output.contains(#""endedBy":"budget""#))
  }
}
