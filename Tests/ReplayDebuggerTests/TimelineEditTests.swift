import ActionLog
import ReplayEngine
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugger

/// Typed edits, and their JSON.
@Suite struct TimelineEditTests {
  private static let forms: [(text: String, written: String, json: JSON)] = [
    ("skip 4", "skip 4", ["skip": 4]),
    (
      "edit 12 .rename(\"x\")", "edit 12 .rename(\"x\")",
      ["edit": 12, "action": ["$notation": ".rename(\"x\")"]]
    ),
    (
      "edit 12={\"rename\":{\"_0\":\"x\"}}", "edit 12 .rename(\"x\")",
      ["edit": 12, "action": ["rename": ["_0": "x"]]]
    ),
    (
      "edit 12 rename.0 = \"a = b\"", "edit 12 rename.0 = \"a = b\"",
      ["edit": 12, "place": "rename.0", "value": "a = b"]
    ),
    (
      "edit 12 /rename/_0=.x", "edit 12 /rename/_0 = .x",
      ["edit": 12, "place": "/rename/_0", "value": ["$notation": ".x"]]
    ),
    (
      "insert 0 .tapped", "insert 0 .tapped",
      ["after": 0, "insert": ["$notation": ".tapped"]]
    ),
    ("reorder 7 before 4", "reorder 7 before 4", ["reorder": 7, "before": 4]),
    ("reorder  7  after  9 ", "reorder 7 after 9", ["reorder": 7, "after": 9]),
    (
      "answer 5 uuid = \"A\"", "answer 5 uuid = \"A\"",
      ["answer": 5, "read": "uuid", "index": 0, "value": "A"]
    ),
    (
      "answer 5 Client.fetch[1] = nil", "answer 5 Client.fetch[1] = nil",
      ["answer": 5, "read": "Client.fetch", "index": 1, "value": ["$notation": "nil"]]
    ),
    (
      "answer 4.0 .loaded([])", "answer 4.0 .loaded([])",
      ["answer": "4.0", "action": ["$notation": ".loaded([])"]]
    ),
    (
      "answer 4.0 failed \"offline\"", "answer 4.0 failed \"offline\"",
      ["answer": "4.0", "failed": "offline"]
    ),
    (
      "answer 4.0 failed", "answer 4.0 failed Error(\"failed\")",
      ["answer": "4.0", "failed": ["$error": ["type": "Error", "description": "failed"]]]
    ),
    ("answer 4.0 cancelled", "answer 4.0 cancelled", ["answer": "4.0", "cancelled": true]),
    ("answer 4.0 nothing", "answer 4.0 nothing", ["answer": "4.0", "nothing": true]),
    (
      "set 4 rows[0].title = \"x\"", "set 4 rows[0].title = \"x\"",
      ["set": "rows[0].title", "after": 4, "value": "x"]
    ),
  ]

  @Test(arguments: forms)
  func `TimelineEdit can be written as text or JSON and read back`(
    text: String,
    written: String,
    json: JSON
  ) throws {
    let edit = try TimelineEdit(parsing: text)
    #expect(edit.description == written)
    #expect(edit.json == json)
    #expect(try TimelineEdit(json: json) == edit)
    #expect(try TimelineEdit(parsing: written).description == written)
  }

  @Test func `an edit without a number applies to the current action`() throws {
    #expect(try TimelineEdit(parsing: "skip", at: 3) == .skip(seq: 3))
    #expect(try TimelineEdit(parsing: "edit .a", at: 3) == .replace(seq: 3, by: .text(".a")))
    #expect(
      try TimelineEdit(parsing: "set count = 1", at: 3)
        == .set(try ValuePath(parsing: "count"), to: .json(1), after: 3)
    )
  }

  private static let mistakes: [(text: String, message: String)] = [
    (
      "skp 4",
      "'skp' is not an edit; did you mean 'skip'?; expected skip, edit, insert, reorder, answer or set"
    ),
    ("skip", "found 'skip ', expected the number of an action, or its case: skip 4, skip .saved"),
    (
      "skip four",
      "found 'four', expected the number of an action, or its case: skip 4, skip .saved"
    ),
    (
      "skip 4 5",
      "found '4 5', expected the number of an action, or its case: skip 4, skip .saved"
    ),
    (
      "edit 4",
      "found 'edit 4', expected an action, or a place in it and a value: edit 12 .rename(\"x\"), edit 12 rename.0 = \"x\""
    ),
    (
      "edit 4 .a(",
      "found the end, expected a value, at column 4 of .a("
    ),
    (
      "edit 4 {\"a\":",
      "found '{\"a\":', expected an action as JSON: the text ends in the middle of a JSON value, at byte 5"
    ),
    (
      "edit 4 a b = 1",
      "found ' ', expected '.' and a name, or '[', at column 2 of a b"
    ),
    (
      "insert 4 a",
      "found '4 a', expected the number of an action and another to come after it: insert 4 .tapped"
    ),
    (
      "reorder 4 behind 5",
      "found '4 behind 5', expected two actions: reorder 7 before 4, reorder 4 after 9"
    ),
    (
      "answer 4.0 later",
      "found '4.0 later', expected a read and its answer, or an effect and what it does: answer 5 uuid = \"…\", answer 4.0 .loaded([]), answer 4.0 failed \"offline\", answer 4.0 cancelled, answer 4.0 nothing"
    ),
    (
      "set 4 count",
      "found '4 count', expected a place in the state and a value: set 4 todos[0].title = \"x\""
    ),
  ]

  /// Edits that name an action by its case, for a log that adds the titles "a" and "b" and is then saved.
  private static let named: [(text: String, written: String)] = [
    ("skip .saved", "skip 4"), ("skip .row.saved", "skip 4"), ("skip .added(\"b = 1\")", "skip 3"),
    ("edit .saved=.gone", "edit 4 .gone"), ("edit .saved .gone", "edit 4 .gone"),
    ("edit .added(\"b = 1\") added.0 = \"c\"", "edit 3 added.0 = \"c\""),
    ("insert .saved=.gone", "insert 4 .gone"), ("reorder .saved before 2", "reorder 4 before 2"),
    ("reorder .saved before .added(\"a\")", "reorder 4 before 2"),
    ("reorder 2 after .saved", "reorder 2 after 4"), ("set .saved count = 1", "set 4 count = 1"),
    ("answer .saved uuid = 1", "answer 4 uuid = 1"),
  ]

  private static let nameless: [(text: String, message: String)] = [
    ("skip .svaed", "no action of the log is .svaed; did you mean .row.saved?"),
    ("skip .gone", "no action of the log is .gone"),
    (
      "skip .added",
      "2 actions of the log are .added: 2, 3; expected the number of one"
    ),
    ("reorder 2 after .svaed", "no action of the log is .svaed; did you mean .row.saved?"),
    (
      "skip .saved 4",
      "found '.saved 4', expected the number of an action, or its case: skip 4, skip .saved"
    ),
    ("edit .saved(", "found the end, expected a value, at column 8 of .saved("),
  ]

  private static let namesLog =
    #"""
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"F","stateType":"F.State","startedAt":"","recorder":"0","environment":{},"segment":1}
    {"kind":"checkpoint","seq":1,"state":{"count":0},"effects":[]}
    {"kind":"action","seq":2,"at":1,"origin":"view","action":{"added":{"_0":"a"}}}
    {"kind":"change","seq":2,"patch":[]}
    {"kind":"action","seq":3,"at":2,"origin":"view","action":{"added":{"_0":"b = 1"}}}
    {"kind":"change","seq":3,"patch":[]}
    {"kind":"action","seq":4,"at":3,"origin":"view","action":{"row":{"_0":{"saved":{}}}}}
    {"kind":"change","seq":4,"patch":[]}

    """#

  private func edit(_ text: String, at current: Int? = nil) throws -> TimelineEdit {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.namesLog, to: "a.jsonl")
    let log = try #require(try LogSlice.slices(of: path, name: "a.jsonl").first)
    return try TimelineEdit(parsing: text, at: current, named: { ActionMatches($0, in: log) })
  }

  @Test(arguments: named)
  func `an edit can name an action by its case if only one action of the log has the case`(
    text: String,
    written: String
  ) throws {
    #expect(try edit(text).description == written)
  }

  @Test(arguments: nameless)
  func `an edit that names a case reports an error if no action or several actions have it`(
    text: String,
    message: String
  ) throws {
    let error = #expect(throws: EditSyntaxError.self) { try edit(text) }
    #expect(error?.description == message)
  }

  @Test
  func `edit with a case changes the current action, but skip with a case finds an action`()
    throws
  {
    #expect(try edit("edit .saved", at: 3) == .replace(seq: 3, by: .text(".saved")))
    #expect(try edit("skip .saved", at: 3) == .skip(seq: 4))
    #expect(try edit("set .count = 1", at: 3).description == "set 3 .count = 1")
  }

  @Test(arguments: mistakes)
  func `TimelineEdit explains mistakes in an edit`(text: String, message: String) throws {
    let error = #expect(throws: EditSyntaxError.self) { try TimelineEdit(parsing: text) }
    #expect(error?.description == message)
  }

  @Test(
    arguments: [
      [:], ["skip": -1], ["skip": "4"], ["edit": 4], ["insert": ["a": [:]]], ["reorder": 4],
      ["answer": "4"], ["answer": "4.0"], ["answer": 4, "read": "uuid"], ["set": "[", "after": 1],
      ["answer": "4.0", "nothing": false], 4, "skip 4",
    ] as [JSON]
  )
  func `TimelineEdit refuses JSON that is not an edit`(json: JSON) throws {
    let error = #expect(throws: EditSyntaxError.self) { try TimelineEdit(json: json) }
    #expect(
      error?.description.hasPrefix("found '\(json)', expected an edit such as {\"skip\":4}") == true
    )
  }

  // MARK: - Notation

  /// Actions of a log, from which the forms of others are inferred.
  private var samples: OmittedNotationParts {
    var samples = OmittedNotationParts()
    samples.add(action: ["destination": ["_0": ["dismiss": [:]]]])
    samples.add(action: ["saved": ["_0": ["failure": ["_0": Self.busy]]]])
    samples.add(action: ["picked": ["id": "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A"]])
    return samples
  }

  private static let busy: JSON = [
    "$error": [
      "type": "Refused", "description": "busy", "symbol": "3App7RefusedO", "value": ["busy": [:]],
    ]
  ]

  private static let actions: [(text: String, json: JSON)] = [
    (".tapped", ["tapped": [:]]),
    (".moved(from: 1, to: 2)", ["moved": ["from": 1, "to": 2]]),
    (".titleChanged(id: 1, \"Milk\")", ["titleChanged": ["id": 1, "_1": "Milk"]]),
    (
      ".path[2].report.alert.dismiss",
      [
        "path": [
          "_0": [
            "element": [
              "id": 2, "action": ["report": ["_0": ["alert": ["_0": ["dismiss": [:]]]]]],
            ]
          ]
        ]
      ]
    ),
    (
      ".destination.add.submitted",
      ["destination": ["_0": ["presented": ["_0": ["add": ["_0": ["submitted": [:]]]]]]]]
    ),
    (".destination.dismiss", ["destination": ["_0": ["dismiss": [:]]]]),
    (
      ".destination.presented.dismiss",
      ["destination": ["_0": ["presented": ["_0": ["dismiss": [:]]]]]]
    ),
    (
      ".other.add", ["other": ["_0": ["add": [:]]]]
    ),
    (
      ".binding.set(\\.site.name, \"M\")",
      ["binding": ["_0": ["set": ["_0": "site.name", "_1": "M"]]]]
    ),
    (
      ".saved(.failure(Refused.full(limit: 3)))",
      [
        "saved": [
          "_0": [
            "failure": [
              "_0": [
                "$error": [
                  "type": "Refused", "description": "full(limit: 3)", "symbol": "3App7RefusedO",
                  "value": ["full": ["limit": 3]],
                ]
              ]
            ]
          ]
        ]
      ]
    ),
    (
      ".failed(Offline(\"no route\"))",
      ["failed": ["_0": ["$error": ["type": "Offline", "description": "no route"]]]]
    ),
    (".picked(id: …AC1A)", ["picked": ["id": "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A"]]),
    (
      ".loaded([(name: \"Oslo\", tags: [])], nil)",
      ["loaded": ["_0": [["name": "Oslo", "tags": []]], "_1": .null]]
    ),
    (
      ".measured(nan, -1.5, true)",
      ["measured": ["_0": ["$double": "nan"], "_1": -1.5, "_2": true]]
    ),
  ]

  @Test(arguments: actions)
  func `ActionPattern converts an action in Swift notation to the JSON of the log`(
    text: String,
    json: JSON
  ) throws {
    let pattern = try ActionPattern(parsing: text)
    let action = try pattern.json(samples)
    #expect(action == json)
    #expect(pattern.matches(action))
  }

  @Test func `ActionPattern replaces underscores by the recorded values`() throws {
    let recorded: JSON = ["titleChanged": ["id": "A", "_1": "Milk"]]
    let action = try ActionPattern(parsing: ".titleChanged(id: _, \"Tea\")").json(over: recorded)
    #expect(action == ["titleChanged": ["id": "A", "_1": "Tea"]])
  }

  private static let inexact: [(text: String, message: String)] = [
    (".typed(_)", "'_' leaves open what is meant; expected the value itself"),
    (
      ".picked(id: …FFFF)",
      "'…FFFF' leaves open what is meant; expected the end of an id that the log has, or the whole id"
    ),
    (
      ".loaded([1, … 5 more …, 7])",
      "'… 5 more …' leaves open what is meant; expected all of them, or JSON"
    ),
    (
      ".failed(Unknown.cause)",
      "'Unknown.cause' leaves open what is meant; expected an error of which the log has one of the same type, Unknown.cause(\"text\"), or JSON"
    ),
    (
      ".put(<Node>)",
      "'<Node>' leaves open what is meant; expected a part that a log can hold: it has the type Node alone"
    ),
  ]

  @Test(arguments: inexact)
  func `ActionPattern refuses notation that does not specify each value`(
    text: String,
    message: String
  ) throws {
    let pattern = try ActionPattern(parsing: text)
    let error = #expect(throws: InexactNotationError.self) { try pattern.json(samples) }
    #expect(error?.description == message)
  }
}
