import ActionLog
import Foundation
import ReplayCommands
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugAdapter

/// Sessions in the form of editors, on a small log.
struct SessionPlace {
  let folder: TemporaryFolder
  private let schema: ProtocolSchema?

  init(_ text: String = SampleLog.text) throws {
    folder = try TemporaryFolder()
    try folder.write(text, to: "counter.jsonl")
    schema = try ProtocolSchema.load()
  }

  /// Returns a session that has begun and is at its start.
  func editor(
    _ configuration: JSON.Object = [:],
    as client: JSON = ["adapterID": "tca-replay"],
    tick: Double = 0
  ) async throws -> TestEditor {
    let editor = try TestEditor(in: folder.path, tick: tick)
    var configuration = configuration
    configuration["log"] = configuration["log"] ?? "counter.jsonl"
    try await editor.launch(configuration, as: client)
    if configuration["stopOnEntry"] == nil { _ = try await editor.stop() }
    return editor
  }

  /// Ends a session, and checks all received messages.
  func finish(_ editor: TestEditor) async throws {
    try await editor.ask("disconnect")
    let end = await editor.end()
    #expect(end.status == .same)
    #expect(end.error == "")
    #expect(editor.problems(schema) == [])
  }
}

extension TestEditor {
  /// Returns the frames of the thread.
  func frames() async throws -> [JSON] {
    try await ask("stackTrace", ["threadId": 1])["body"]?["stackFrames"]?.array ?? []
  }

  /// Returns the name of the first frame.
  func place() async throws -> String { try await frames().first?["name"]?.string ?? "" }

  /// Returns the scopes of a frame.
  func scopes(_ frame: Int = 0) async throws -> [JSON] {
    let id = try await frames()[frame]["id"] ?? 0
    return try await ask("scopes", ["frameId": id])["body"]?["scopes"]?.array ?? []
  }

  /// Returns the variables below a reference, as `name = value`.
  func variables(_ reference: JSON?, _ more: JSON.Object = [:]) async throws -> [String] {
    var arguments = more
    arguments["variablesReference"] = reference
    let body = try await ask("variables", .object(arguments))["body"]
    return (body?["variables"]?.array ?? []).map {
      "\($0["name"]?.string ?? "") = \($0["value"]?.string ?? "")"
    }
  }

  /// Returns the reference of a scope.
  func scope(_ name: String) async throws -> JSON? {
    try await scopes().first { $0["name"]?.string == name }?["variablesReference"]
  }

  /// Returns the text of an error, or the result of an evaluation.
  func evaluate(_ expression: String, _ context: String = "watch") async throws -> String {
    let answer = try await ask(
      "evaluate",
      ["expression": .string(expression), "context": .string(context)]
    )
    return answer["body"]?["result"]?.string ?? answer["message"]?.string ?? ""
  }
}

@Suite struct SessionTests {
  @Test func `the debug adapter reports a file of several logs`() async throws {
    for (text, outputs) in [
      (SampleLog.text, 0), (SampleLog.text + "\n" + SampleLog.text, 1),
    ] {
      let place = try SessionPlace(text)
      let editor = try await place.editor()
      let path = "\(place.folder.path)/counter.jsonl"
      let text = "\(path) holds several logs; 'dap' takes the first one"
      let found = editor.received.filter {
        $0["event"] == "output" && $0["body"]?["output"]?.string?.contains(text) == true
      }
      #expect(found.count == outputs, "\(editor.received)")
      try await place.finish(editor)
    }
  }

  @Test func `each stepping request moves to the expected action`() async throws {
    let place = try SessionPlace()
    let editor = try await place.editor()
    #expect(try await editor.place() == "0  the start of the log")
    let ways: [(String, String, String)] = [
      ("stepIn", "step", "1  .increment"), ("next", "step", "2  .add"),
      ("next", "step", "3  .load"), ("stepIn", "step", "4  .loaded(7)"),
      ("stepBack", "step", "3  .load"), ("stepOut", "step", "5  .load"),
      ("next", "step", "6  .burst"), ("next", "step", "10  .chain"),
      ("continue", "pause", "16  .increment"), ("stepIn", "pause", "16  .increment"),
      ("reverseContinue", "entry", "0  the start of the log"),
      ("stepBack", "entry", "0  the start of the log"),
    ]
    for (way, reason, name) in ways {
      #expect(try await editor.go(way)["reason"]?.string == reason, "\(way)")
      #expect(try await editor.place() == name, "\(way)")
    }
    try await place.finish(editor)
  }

  @Test func `stack frames are the actions that caused the current one`() async throws {
    let place = try SessionPlace()
    try place.folder.write("1\n2\n3\n4\n5\n", to: "Sources/Counter/Counter.swift")
    let editor = try await place.editor(["at": 9])
    let frames = try await editor.frames()
    #expect(
      frames.compactMap { $0["name"]?.string } == [
        "9  .third", "7  .first  effect 7.0", "6  .burst  effect 6.0",
      ]
    )
    #expect(frames[0]["source"]?["name"] == "counter.tca-timeline")
    #expect(frames.compactMap { $0["line"]?.int } == [10, 8, 7])
    let page = try await editor.ask("stackTrace", ["threadId": 1, "startFrame": 1, "levels": 1])[
      "body"
    ]
    #expect(page?["stackFrames"]?.array?.map { $0["name"] } == ["7  .first  effect 7.0"])
    #expect(page?["totalFrames"] == 3)
    // The source line that sent the next action.
    try await editor.ask("evaluate", ["expression": "goto 4", "context": "repl"])
    let cause = try await editor.frames()[1]
    #expect(cause["name"] == "3  .load  load 3.0")
    #expect(cause["source"]?["path"]?.string?.hasSuffix("/Sources/Counter/Counter.swift") == true)
    #expect(cause["line"] == 5)
    let sources = try await editor.ask("loadedSources")["body"]?["sources"]?.array ?? []
    #expect(sources.compactMap { $0["name"]?.string } == ["counter.tca-timeline", "Counter.swift"])
    try await place.finish(editor)
  }

  @Test
  func `the timeline document lists every action, and goto and restart requests accept its lines`()
    async throws
  {
    let place = try SessionPlace()
    let editor = try await place.editor()
    let text =
      try await editor.ask("source", ["sourceReference": 1])["body"]?["content"]?.string ?? ""
    let lines = text.split(separator: "\n")
    #expect(lines.count == 18)
    #expect(lines.dropFirst(4).first == "   4    +0.000 s  .loaded(7)  from load 3.0  count: 1 → 7")
    let targets = try await editor.ask(
      "gotoTargets",
      ["source": ["sourceReference": 1], "line": 5]
    )
    #expect(targets["body"]?["targets"]?.array?.first?["label"] == "4  .loaded(7)")
    let id = targets["body"]?["targets"]?.array?.first?["id"] ?? 0
    #expect(try await editor.go("goto", ["threadId": 1, "targetId": id])["reason"] == "goto")
    #expect(try await editor.place() == "4  .loaded(7)")
    let frame = try await editor.frames()[1]["id"] ?? 0
    #expect(try await editor.go("restartFrame", ["frameId": frame])["reason"] == "goto")
    #expect(try await editor.place() == "3  .load")
    #expect(try await editor.go("restart", [:])["reason"] == "entry")
    #expect(try await editor.place() == "0  the start of the log")
    try await place.finish(editor)
  }

  @Test func `scopes list action, changes, state, state before and reads of an action`()
    async throws
  {
    let place = try SessionPlace()
    let editor = try await place.editor(["at": 2])
    #expect(
      try await editor.scopes().compactMap { $0["name"]?.string }
        == ["Action", "Changes", "State", "Before", "Reads"]
    )
    #expect(try await editor.variables(editor.scope("Changes")) == [#"id = "" → "A-1""#])
    #expect(try await editor.variables(editor.scope("State")) == ["count = 1", #"id = "A-1""#])
    #expect(try await editor.variables(editor.scope("Before")) == ["count = 1", #"id = """#])
    #expect(try await editor.variables(editor.scope("Reads")) == [#"uuid = "A-1""#])
    #expect(
      try await editor.variables(editor.scope("Action")) == [
        "action = .add", "number = 2", "origin = sent by the view", "time = +0.000 s",
        "duration = 2 µs", "lines of the log = 5…7",
      ]
    )
    // What was changed is marked.
    let state = try await editor.ask(
      "variables",
      ["variablesReference": editor.scope("State") ?? 0]
    )
    let hints = state["body"]?["variables"]?.array?.map { $0["presentationHint"] }
    #expect(hints == [nil, ["attributes": ["changed"]]])
    try await place.finish(editor)
  }

  @Test(arguments: [
    ("count", "7"), ("before.count", "1"), ("$.state.count > 3", "true"), ("action", ".loaded(7)"),
    ("$.seq", "4"), ("*", "2 values"),
  ])
  func `evaluate accepts paths, conditions and queries`(
    _ expression: String,
    _ value: String
  ) async throws {
    let place = try SessionPlace()
    let editor = try await place.editor(["at": 4])
    #expect(try await editor.evaluate(expression) == value)
    try await place.finish(editor)
  }

  @Test func `the debug adapter splits the variables of a long list into ranges`() async throws {
    let rows = (0..<2500).map { "\($0)" }.joined(separator: ",")
    var lines = SampleLog.lines
    lines[1] =
      #"{"kind":"checkpoint","seq":0,"state":{"count":0,"id":"","rows":[\#(rows)]},"effects":[]}"#
    let place = try SessionPlace(lines[0..<4].joined(separator: "\n") + "\n")
    let editor = try await place.editor()
    let state = try await editor.ask(
      "variables",
      ["variablesReference": editor.scope("State") ?? 0]
    )
    let list = state["body"]?["variables"]?.array?.last
    #expect(list?["name"] == "rows")
    #expect(list?["indexedVariables"] == 2500)
    let reference = list?["variablesReference"]
    #expect(
      try await editor.variables(reference, ["filter": "indexed", "start": 2498, "count": 10])
        == ["[2498] = 2498", "[2499] = 2499"]
    )
    #expect(try await editor.variables(reference, ["filter": "named"]) == [])
    #expect(
      try await editor.variables(reference, ["start": 9_007_199_254_740_991, "count": 1]) == []
    )
    // For a client that asks for everything.
    let ranges = try await editor.ask("variables", ["variablesReference": reference ?? 0])
    let groups = ranges["body"]?["variables"]?.array ?? []
    #expect(groups.count == 25)
    #expect(groups.last?["name"] == "[2400…2499]")
    #expect(
      try await editor.variables(groups.last?["variablesReference"]).last == "[2499] = 2499"
    )
    try await place.finish(editor)
  }

  @Test(arguments: ["live -o more.jsonl", "native gdb"])
  func `the console of an editor refuses commands that need the terminal`(
    _ line: String
  ) async throws {
    let place = try SessionPlace()
    let editor = try await place.editor(["at": 4])
    let answer = try await editor.ask("evaluate", ["expression": .string(line), "context": "repl"])
    let word = line.prefix { $0 != " " }
    #expect(answer["success"] == false)
    #expect(
      answer["message"]?.string
        == "'\(word)' needs the terminal: it makes another program of this one; use 'tca-replay debug'"
    )
    // The session goes on.
    #expect(try await editor.evaluate("count") == "7")
    try await place.finish(editor)
  }

  /// Expressions that have an error of their own, and what of it is shown.
  nonisolated static let wrongExpressions: [(text: String, message: String)] = [
    ("cuont", "there is nothing at 'cuont' after action 4; did you mean 'count'?"),
    ("cuont.text", "there is nothing at 'cuont.text' after action 4"),
    ("count = 3", "did you mean count == 3?"),
  ]

  @Test(arguments: wrongExpressions)
  func `the console of an editor shows the error message of an invalid expression`(
    text: String,
    message: String
  ) async throws {
    let place = try SessionPlace()
    let editor = try await place.editor(["at": 4])
    let answer = try await editor.ask("evaluate", ["expression": .string(text), "context": "repl"])
    #expect(answer["success"] == false)
    #expect(answer["message"]?.string?.contains(message) == true, "\(answer)")
    try await place.finish(editor)
  }

  @Test func `the console runs commands of the debugger and completes paths`() async throws {
    let place = try SessionPlace()
    let editor = try await place.editor(["at": 4])
    #expect(try await editor.evaluate("count", "repl") == "7")
    #expect(try await editor.evaluate("print count", "repl") == "7")
    let answer = try await editor.ask(
      "evaluate",
      ["expression": "reverse-step", "context": "repl"]
    )
    #expect(answer["success"] == true)
    #expect(try await editor.stop()["reason"] == "goto")
    #expect(try await editor.place() == "3  .load")
    let completions = try await editor.ask("completions", ["text": "print co", "column": 9])
    #expect(
      completions["body"]?["targets"] == [["label": "count", "start": 7, "length": 2]]
    )
    try await place.finish(editor)
  }

  @Test
  func `setVariable changes a value on a new timeline, and a restart restores the recorded one`()
    async throws
  {
    let place = try SessionPlace()
    let editor = try await place.editor(["at": 9])
    let state = try await editor.scope("State") ?? 0
    let answer = try await editor.ask(
      "setVariable",
      ["variablesReference": state, "name": "count", "value": "40"]
    )
    #expect(answer["success"] == true, "\(answer)")
    #expect(answer["body"]?["value"] == "40")
    _ = try await editor.stop()
    #expect(try await editor.evaluate("count") == "40")
    #expect(try await editor.go("continue")["reason"] == "pause")
    #expect(try await editor.evaluate("count") == "45")
    // The recorded timeline comes back.
    try await editor.ask("evaluate", ["expression": "undo", "context": "repl"])
    _ = try await editor.stop()
    #expect(try await editor.evaluate("count") == "10")
    let frame = try await editor.ask(
      "setVariable",
      ["variablesReference": try await editor.scope("Before") ?? 0, "name": "count", "value": "1"]
    )
    #expect(frame["success"] == false)
    try await place.finish(editor)
  }

  @Test func `the debug adapter sets a value repeatedly, and breakpoints work on the new timeline`()
    async throws
  {
    let place = try SessionPlace()
    let editor = try await place.editor(["at": 9])
    func set(_ value: JSON) async throws -> JSON {
      try await editor.ask(
        "setVariable",
        ["variablesReference": editor.scope("State") ?? 0, "name": "count", "value": value]
      )
    }
    func breakpoints(_ source: JSON, _ line: JSON) async throws -> JSON? {
      try await editor.ask(
        "setBreakpoints",
        ["source": source, "breakpoints": [["line": line]]]
      )["body"]?["breakpoints"]?.array?.first
    }
    let timeline: JSON = [
      "name": "counter.tca-timeline", "path": "counter.tca-timeline", "sourceReference": 1,
    ]
    #expect(try await breakpoints(timeline, 5)?["message"] == "4  .loaded(7)")
    #expect(try await set("40")["success"] == true)
    _ = try await editor.stop()
    #expect(try await editor.place() == "9+1  changed from outside")
    // Once more, where the state was changed from outside.
    let again = try await set("50")
    #expect(again["success"] == true, "\(again)")
    _ = try await editor.stop()
    #expect(try await editor.evaluate("count") == "50")
    let loaded = editor.received.filter { $0["event"] == "loadedSource" }
    #expect(
      loaded.map { [$0["body"]?["reason"], $0["body"]?["source"]?["sourceReference"]] } == [
        ["removed", 1], ["new", 2], ["removed", 2], ["new", 3],
      ]
    )
    // The document that the editor shows has the name of the one that takes its place.
    #expect(try await breakpoints(timeline, 5)?["verified"] == true)
    let file: JSON = ["path": .string(place.folder.path + "/counter.jsonl")]
    #expect(
      try await breakpoints(file, 7)?["message"]
        == "the file has the recorded timeline, and this is another one; set the breakpoint in the document of the timeline"
    )
    #expect(
      try await breakpoints(["path": "other.tca-timeline"], 7)?["message"]
        == "this is no document of the timeline; set the breakpoint in one that 'loadedSources' lists"
    )
    #expect(try await editor.go("reverseContinue")["reason"] == "breakpoint")
    #expect(try await editor.place() == "4  .loaded(7)")
    try await place.finish(editor)
  }

  @Test func `a long continue request reports progress, and can be paused or canceled`()
    async throws
  {
    var lines = Array(SampleLog.lines[0..<2])
    for seq in 1...20_000 {
      lines += [
        #"{"kind":"action","seq":\#(seq),"at":10,"origin":"view","action":{"increment":{}}}"#,
        #"{"kind":"change","seq":\#(seq),"patch":[{"op":"replace","path":"/count","value":\#(seq)}]}"#,
      ]
    }
    let place = try SessionPlace(lines.joined(separator: "\n") + "\n")
    let editor = try await place.editor(
      as: ["adapterID": "a", "supportsProgressReporting": true],
      tick: 0.3
    )
    #expect(try await editor.go("continue")["description"] == "End of the log")
    let events = editor.received.compactMap { $0["event"]?.string }
    #expect(events.count { $0 == "progressStart" } == 1)
    #expect(events.count { $0 == "progressUpdate" } > 10)
    #expect(events.count { $0 == "progressEnd" } == 1)
    // Nothing of it is left, so that the end of the log is the place where it stands.
    #expect(try await editor.place() == "20000  .increment")
    // A way that is cancelled, or paused, ends where it is.
    for command in ["pause", "cancel"] {
      let seq = try await editor.ask("reverseContinue", ["threadId": 1])["request_seq"] ?? 0
      editor.send(command, command == "pause" ? ["threadId": 1] : ["requestId": seq])
      #expect(["pause", "entry"].contains(try await editor.stop()["reason"]?.string))
      try await editor.go("continue")
    }
    try await place.finish(editor)
  }

  @Test func `the debug adapter exits with 0 when the editor disconnects`() async throws {
    let place = try SessionPlace()
    let editor = try await place.editor()
    editor.hangUp()
    #expect(await editor.end().status == .same)
  }

  @Test func `the debug adapter counts lines and columns from zero if the editor does`()
    async throws
  {
    let place = try SessionPlace()
    let editor = try await place.editor(
      ["at": 4],
      as: ["adapterID": "a", "linesStartAt1": false, "columnsStartAt1": false]
    )
    let frame = try await editor.frames()[0]
    #expect(frame["line"] == 4)
    #expect(frame["column"] == 0)
    try await place.finish(editor)
  }
}
