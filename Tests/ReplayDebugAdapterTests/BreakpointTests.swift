import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugAdapter

@Suite struct BreakpointTests {
  /// Returns the actions at which a log stops on the way to its end.
  private func stops(_ editor: TestEditor, _ way: String = "continue") async throws -> [String] {
    var stops: [String] = []
    while true {
      let stop = try await editor.go(way)
      guard let reason = stop["reason"]?.string, reason.hasSuffix("point") || reason == "exception"
      else { return stops }
      stops.append("\(reason) \(try await editor.place())")
    }
  }

  @Test func `the debug adapter stops at function breakpoints in both directions`() async throws {
    let place = try SessionPlace()
    let editor = try await place.editor()
    let set = try await editor.ask(
      "setFunctionBreakpoints",
      [
        "breakpoints": [
          ["name": ".increment", "condition": "$.state.count > 12"], ["name": ".nothing"],
          ["name": ".("], ["name": "3"], ["name": "--read uuid"],
          ["name": ".load", "hitCondition": "x"], ["name": ".load", "condition": "count >"],
        ]
      ]
    )
    let breakpoints = set["body"]?["breakpoints"]?.array ?? []
    #expect(breakpoints.map { $0["verified"] } == [true, false, false, true, true, false, false])
    #expect(breakpoints[1]["message"] == "the log has no action .nothing")
    #expect(
      breakpoints[5]["message"]
        == #"the argument 'hitCondition' is "x"; expected a number of times such as 3, >= 3, > 3, <= 3 or % 3"#
    )
    let expected = [
      "function breakpoint 2  .add", "function breakpoint 3  .load",
      "function breakpoint 14  .increment", "function breakpoint 15  .increment",
      "function breakpoint 16  .increment",
    ]
    #expect(try await stops(editor) == expected)
    #expect(try await stops(editor, "reverseContinue") == expected.dropLast().reversed())
    // Setting them again replaces them.
    try await editor.ask("setFunctionBreakpoints", ["breakpoints": []])
    #expect(try await stops(editor) == [])
    try await place.finish(editor)
  }

  @Test(arguments: [
    ("99", "the log has no action 99; its last one is 16"),
    ("--effect nope", "the log has no effect 'nope'; it has load"),
    ("--read nope", "no action of the log reads 'nope'; they read uuid"),
    (
      "--when $.state.nope == 1",
      #"--when: no state of the log has anything at '$.state.nope'; '$.state' has "count", "id""#
    ),
  ])
  func `the debug adapter explains a breakpoint that the log cannot hit`(
    _ name: String,
    _ message: String
  ) async throws {
    let place = try SessionPlace()
    let editor = try await place.editor()
    let set = try await editor.ask(
      "setFunctionBreakpoints",
      ["breakpoints": [["name": .string(name)]]]
    )
    let breakpoint = set["body"]?["breakpoints"]?.array?.first
    #expect(breakpoint?["verified"] == false)
    #expect(breakpoint?["message"]?.string == message)
    let data = try await editor.ask("dataBreakpointInfo", ["name": "nope"])["body"]
    #expect(data?["dataId"] == .null)
    #expect(
      data?["description"]
        == #"there is nothing at 'nope' here, nor at the end of the log; the state has "count", "id""#
    )
    try await place.finish(editor)
  }

  @Test func `hit conditions of breakpoints count the hits`() async throws {
    let place = try SessionPlace()
    let editor = try await place.editor()
    try await editor.ask(
      "setFunctionBreakpoints",
      ["breakpoints": [["name": ".increment", "hitCondition": "% 2"]]]
    )
    // 1, 11, 14, 15 and 16.
    #expect(
      try await stops(editor) == [
        "function breakpoint 11  .increment", "function breakpoint 15  .increment",
      ]
    )
    try await place.finish(editor)
  }

  @Test func `a data breakpoint stops at the action that changes its value`() async throws {
    let place = try SessionPlace()
    let editor = try await place.editor(["at": 1])
    let reference = try await editor.scope("State") ?? 0
    let info = try await editor.ask(
      "dataBreakpointInfo",
      ["variablesReference": reference, "name": "id"]
    )["body"]
    #expect(info?["dataId"] == "id")
    #expect(info?["canPersist"] == true)
    let nothing = try await editor.ask("dataBreakpointInfo", ["name": "$.seq"])["body"]
    #expect(nothing?["dataId"] == .null)
    try await editor.ask("setDataBreakpoints", ["breakpoints": [["dataId": "id"]]])
    let stop = try await editor.go("continue")
    #expect(stop["reason"] == "data breakpoint")
    #expect(stop["text"] == #"id: "" → "A-1""#)
    #expect(try await editor.place() == "2  .add")
    try await place.finish(editor)
  }

  @Test func `an editor can set line breakpoints in the timeline, in the log and in source files`()
    async throws
  {
    let place = try SessionPlace()
    try place.folder.write("1\n2\n3\n4\n5\n", to: "Counter.swift")
    let editor = try await place.editor()
    let timeline =
      try await editor.ask(
        "setBreakpoints",
        [
          "source": ["sourceReference": 1, "name": "counter.tca-timeline"],
          "breakpoints": [["line": 5], ["line": 1], ["line": 500]],
        ]
      )["body"]?["breakpoints"]?.array ?? []
    #expect(timeline.map { $0["verified"] } == [true, false, false])
    // By name, as an editor knows it from an earlier session.
    let old =
      try await editor.ask(
        "setBreakpoints",
        [
          "source": ["path": "counter.tca-timeline", "sourceReference": 77],
          "breakpoints": [["line": 5]],
        ]
      )["body"]?["breakpoints"]?.array ?? []
    #expect(old.map { $0["id"] } == [timeline[0]["id"]])
    let log =
      try await editor.ask(
        "setBreakpoints",
        [
          "source": ["path": .string(place.folder.path + "/counter.jsonl")],
          "breakpoints": [["line": 7], ["line": 99]],
        ]
      )["body"]?["breakpoints"]?.array ?? []
    #expect(log.map { $0["verified"] } == [true, false])
    let file =
      try await editor.ask(
        "setBreakpoints",
        [
          "source": ["path": .string(place.folder.path + "/Counter.swift")],
          "breakpoints": [["line": 5]],
        ]
      )["body"]?["breakpoints"]?.array ?? []
    #expect(file.map { $0["reason"] } == ["pending"])
    #expect(
      try await stops(editor) == [
        "breakpoint 2  .add", "breakpoint 3  .load", "breakpoint 4  .loaded(7)",
        "breakpoint 5  .load", "breakpoint 13  .cancel",
      ]
    )
    let changes = editor.received.filter { $0["event"] == "breakpoint" }
    #expect(changes.map { $0["body"]?["breakpoint"]?["verified"] } == [true])
    try await place.finish(editor)
  }

  @Test func `exception breakpoints stop at failed effects and unfinished actions`() async throws {
    var lines = Array(SampleLog.lines[0..<9])
    lines += [
      #"{"kind":"effect","id":"3.0","event":"failed","error":"offline","at":31}"#,
      #"{"kind":"action","seq":4,"at":40,"origin":"view","action":{"increment":{}}}"#,
    ]
    let place = try SessionPlace(lines.joined(separator: "\n") + "\n")
    let editor = try await place.editor()
    let none = try await editor.ask("exceptionInfo", ["threadId": 1])
    #expect(none["success"] == false)
    let set = try await editor.ask(
      "setExceptionBreakpoints",
      ["filters": ["unfinished", "failedEffect", "rubbish"]]
    )
    let verified = (set["body"]?["breakpoints"]?.array ?? []).map { $0["verified"] }
    #expect(verified == [true, true, false])
    let stop = try await editor.go("continue")
    #expect(stop["reason"] == "exception")
    #expect(stop["text"] == #"effect 3.0 failed  "offline""#)
    #expect(try await editor.place() == "3  .load")
    let info = try await editor.ask("exceptionInfo", ["threadId": 1])["body"]
    #expect(info?["exceptionId"] == "failedEffect")
    #expect(
      try await editor.go("continue")["text"]
        == "action 4 was not finished: the app ended while it was handled"
    )
    try await place.finish(editor)
  }
}

// MARK: - Logpoints and places

extension BreakpointTests {
  @Test func `a logpoint reports its message and does not stop`() async throws {
    let place = try SessionPlace()
    let editor = try await place.editor()
    let set = try await editor.ask(
      "setBreakpoints",
      [
        "source": ["path": "counter.jsonl"],
        "breakpoints": [
          ["line": 3, "logMessage": "count {before.count} → {count}"],
          ["line": 5, "logMessage": "{count"],
          ["line": 43, "logMessage": "{id}", "condition": "count > 1"],
        ],
      ]
    )
    let breakpoints = set["body"]?["breakpoints"]?.array ?? []
    #expect(breakpoints.map { $0["verified"] } == [true, false, true])
    #expect(
      breakpoints[1]["message"]?.string
        == #"invalid value '{count'; expected expressions in braces, such as "count is {count}"; '\{' is a brace"#
    )
    let stop = try await editor.go("continue")
    #expect(stop["description"]?.string == "End of the log", "\(stop)")
    let texts = editor.received.filter { $0["event"] == "output" }
      .compactMap { $0["body"]?["output"]?.string }
    #expect(texts.contains("1  count 0 → 1\n"), "\(texts)")
    #expect(texts.contains("16  \"A-1\"\n"), "\(texts)")
    try await place.finish(editor)
  }

  /// The forms in which clients name the log's own file.
  @Test(arguments: [
    "counter.jsonl", "./counter.jsonl", "../{folder}/counter.jsonl", "{path}/counter.jsonl",
    "{path}/link.jsonl",
  ])
  func `an editor can set breakpoints in a log under each of its paths`(name: String) async throws {
    let place = try SessionPlace()
    try place.folder.link("link.jsonl", to: "counter.jsonl")
    let path = place.folder.path
    let editor = try await place.editor(["log": "./counter.jsonl"])
    let named = name.replacing("{path}", with: path)
      .replacing("{folder}", with: path.split(separator: "/").last ?? "")
    let locations = try await editor.ask(
      "breakpointLocations",
      ["source": ["path": .string(named)], "line": 1, "endLine": 8]
    )["body"]?["breakpoints"]?.array
    #expect(locations?.map { $0["line"]?.int } == [3, 5, 8])
    let set = try await editor.ask(
      "setBreakpoints",
      ["source": ["path": .string(named)], "breakpoints": [["line": 8]]]
    )
    #expect(set["body"]?["breakpoints"]?.array?.first?["message"]?.string == "3  .load")
    try await place.finish(editor)
  }

  @Test
  func `the debug adapter lists breakpoint lines of a timeline, but none of an unknown source`()
    async throws
  {
    let place = try SessionPlace()
    let editor = try await place.editor()
    let source = try await editor.frames().first?["source"] ?? .null
    func lines(_ source: JSON, _ first: JSON, _ last: JSON?) async throws -> [Int]? {
      var arguments: JSON.Object = ["source": source, "line": first]
      arguments["endLine"] = last
      let body = try await editor.ask("breakpointLocations", .object(arguments))["body"]
      return body?["breakpoints"]?.array?.compactMap { $0["line"]?.int }
    }
    #expect(try await lines(source, 1, 4) == [2, 3, 4])
    #expect(try await lines(source, 3, nil) == [3])
    #expect(try await lines(source, 900, 1000) == [])
    #expect(try await lines(["path": "/App/Counter.swift"], 5, nil) == [])
    let wrong = try await editor.ask(
      "breakpointLocations",
      ["source": source, "line": 4, "endLine": 2]
    )
    #expect(wrong["success"] == false)
    try await place.finish(editor)
  }

  @Test
  func `commands of console breakpoints run when the editor's continue request stops at them`()
    async throws
  {
    let place = try SessionPlace()
    let editor = try await place.editor()
    for line in ["b .load", "commands", "p count", "end"] {
      _ = try await editor.evaluate(line, "repl")
    }
    _ = try await editor.go("continue")
    let output = try await editor.wait { $0["body"]?["output"] == "1\n" }
    #expect(output["event"] == "output")
    try await place.finish(editor)
  }
}
