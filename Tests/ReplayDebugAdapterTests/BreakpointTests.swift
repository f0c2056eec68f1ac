import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugAdapter

@Suite struct BreakpointTests {
  /// The actions at which a log stops on its way to its end.
  private func stops(_ editor: TestEditor, _ way: String = "continue") throws -> [String] {
    var stops: [String] = []
    while true {
      let stop = try editor.go(way)
      guard let reason = stop["reason"]?.string, reason.hasSuffix("point") || reason == "exception"
      else { return stops }
      stops.append("\(reason) \(try editor.place())")
    }
  }

  @Test func functions() throws {
    let place = try SessionPlace()
    let editor = try place.editor()
    let set = try editor.ask(
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
    #expect(breakpoints[1]["message"] == "the log has no such action")
    #expect(
      breakpoints[5]["message"]
        == #"the argument 'hitCondition' is "x"; expected a number of times such as 3, >= 3, > 3, <= 3 or % 3"#
    )
    let expected = [
      "function breakpoint 2  .add", "function breakpoint 3  .load",
      "function breakpoint 14  .increment", "function breakpoint 15  .increment",
      "function breakpoint 16  .increment",
    ]
    #expect(try stops(editor) == expected)
    #expect(try stops(editor, "reverseContinue") == expected.dropLast().reversed())
    // Setting them again replaces them.
    try editor.ask("setFunctionBreakpoints", ["breakpoints": []])
    #expect(try stops(editor) == [])
    try place.finish(editor)
  }

  @Test func hitCounts() throws {
    let place = try SessionPlace()
    let editor = try place.editor()
    try editor.ask(
      "setFunctionBreakpoints",
      ["breakpoints": [["name": ".increment", "hitCondition": "% 2"]]]
    )
    // 1, 11, 14, 15 and 16.
    #expect(
      try stops(editor) == [
        "function breakpoint 11  .increment", "function breakpoint 15  .increment",
      ]
    )
    try place.finish(editor)
  }

  @Test func data() throws {
    let place = try SessionPlace()
    let editor = try place.editor(["at": 1])
    let reference = try editor.scope("State") ?? 0
    let info = try editor.ask(
      "dataBreakpointInfo",
      ["variablesReference": reference, "name": "id"]
    )["body"]
    #expect(info?["dataId"] == "id")
    #expect(info?["canPersist"] == true)
    let nothing = try editor.ask("dataBreakpointInfo", ["name": "$.seq"])["body"]
    #expect(nothing?["dataId"] == .null)
    try editor.ask("setDataBreakpoints", ["breakpoints": [["dataId": "id"]]])
    let stop = try editor.go("continue")
    #expect(stop["reason"] == "data breakpoint")
    #expect(stop["text"] == #"id: "" → "A-1""#)
    #expect(try editor.place() == "2  .add")
    try place.finish(editor)
  }

  @Test func lines() throws {
    let place = try SessionPlace()
    try place.folder.write("1\n2\n3\n4\n5\n", to: "Counter.swift")
    let editor = try place.editor()
    let timeline =
      try editor.ask(
        "setBreakpoints",
        [
          "source": ["sourceReference": 1, "name": "counter.tca-timeline"],
          "breakpoints": [["line": 5], ["line": 1], ["line": 500]],
        ]
      )["body"]?["breakpoints"]?.array ?? []
    #expect(timeline.map { $0["verified"] } == [true, false, false])
    // By its name, as an editor knows it from an earlier session.
    let old =
      try editor.ask(
        "setBreakpoints",
        [
          "source": ["path": "counter.tca-timeline", "sourceReference": 77],
          "breakpoints": [["line": 5]],
        ]
      )["body"]?["breakpoints"]?.array ?? []
    #expect(old.map { $0["id"] } == [timeline[0]["id"]])
    let log =
      try editor.ask(
        "setBreakpoints",
        [
          "source": ["path": .string(place.folder.path + "/counter.jsonl")],
          "breakpoints": [["line": 7], ["line": 99]],
        ]
      )["body"]?["breakpoints"]?.array ?? []
    #expect(log.map { $0["verified"] } == [true, false])
    let file =
      try editor.ask(
        "setBreakpoints",
        [
          "source": ["path": .string(place.folder.path + "/Counter.swift")],
          "breakpoints": [["line": 5]],
        ]
      )["body"]?["breakpoints"]?.array ?? []
    #expect(file.map { $0["reason"] } == ["pending"])
    #expect(
      try stops(editor) == [
        "breakpoint 2  .add", "breakpoint 3  .load", "breakpoint 4  .loaded(7)",
        "breakpoint 5  .load", "breakpoint 13  .cancel",
      ]
    )
    let changes = editor.received.filter { $0["event"] == "breakpoint" }
    #expect(changes.map { $0["body"]?["breakpoint"]?["verified"] } == [true])
    try place.finish(editor)
  }

  @Test func exceptions() throws {
    var lines = Array(SampleLog.lines[0..<9])
    lines += [
      #"{"kind":"effect","id":"3.0","event":"failed","error":"offline","at":31}"#,
      #"{"kind":"action","seq":4,"at":40,"origin":"view","action":{"increment":{}}}"#,
    ]
    let place = try SessionPlace(lines.joined(separator: "\n") + "\n")
    let editor = try place.editor()
    let none = try editor.ask("exceptionInfo", ["threadId": 1])
    #expect(none["success"] == false)
    let set = try editor.ask(
      "setExceptionBreakpoints",
      ["filters": ["unfinished", "failedEffect", "rubbish"]]
    )
    let verified = (set["body"]?["breakpoints"]?.array ?? []).map { $0["verified"] }
    #expect(verified == [true, true, false])
    let stop = try editor.go("continue")
    #expect(stop["reason"] == "exception")
    #expect(stop["text"] == #"effect 3.0 failed  "offline""#)
    #expect(try editor.place() == "3  .load")
    let info = try editor.ask("exceptionInfo", ["threadId": 1])["body"]
    #expect(info?["exceptionId"] == "failedEffect")
    #expect(
      try editor.go("continue")["text"]
        == "action 4 was not finished: the app ended while it was handled"
    )
    try place.finish(editor)
  }
}
