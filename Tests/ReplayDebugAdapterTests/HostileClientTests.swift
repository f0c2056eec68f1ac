import ActionLog
import Foundation
import ReplayCommands
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugAdapter

/// Clients that violate the protocol.
@Suite struct HostileClientTests {
  /// Requests that come too early or too late, and the responses.
  @Test func `the debug adapter explains requests in a wrong order or with wrong arguments`()
    async throws
  {
    let place = try SessionPlace()
    let editor = try TestEditor(in: place.folder.path)
    func message(_ command: String, _ arguments: JSON? = nil) async throws -> String {
      try await editor.ask(command, arguments)["message"]?.string ?? ""
    }
    #expect(
      try await message("launch", ["log": "counter.jsonl"])
        == "'launch' comes at the wrong time; send 'initialize' first"
    )
    #expect(
      try await message("threads")
        == "'threads' comes at the wrong time; a log is needed: send 'launch' or 'attach' first"
    )
    #expect(
      try await message("nonsense") == "the debug adapter has no request 'nonsense'"
    )
    #expect(
      try await message("contineu")
        == "the debug adapter has no request 'contineu'; did you mean 'continue'?"
    )
    try await editor.ask("initialize", ["adapterID": "a"])
    #expect(
      try await message("initialize", ["adapterID": "a"])
        == "'initialize' comes at the wrong time; it comes only once"
    )
    #expect(
      try await message("launch")
        == "no log is given; set 'log' in the launch configuration to a log"
    )
    #expect(
      try await message("launch", ["log": 3]) == "the argument 'log' is 3; expected a string"
    )
    #expect(
      try await message("launch", ["log": "counter.jsonl", "at": "soon"])
        == #"the argument 'at' is "soon"; expected the number of an action, or "end""#
    )
    #expect(
      try await message("launch", ["log": "nothing.jsonl"])
        == "there is no file \(place.folder.path)/nothing.jsonl"
    )
    #expect(
      try await message("launch", ["log": "counter.jsonl", "at": 99])
        == "there is no action 99: the log has actions up to 16"
    )
    try await editor.ask("launch", ["log": "counter.jsonl"])
    #expect(try await message("stackTrace", ["threadId": 1]) == "notStopped")
    try await editor.ask("configurationDone")
    _ = try await editor.stop()
    #expect(
      try await message("next", ["threadId": 7])
        == "there is no thread 7; a log has the thread 1 alone"
    )
    #expect(
      try await message("scopes", ["frameId": 77])
        == "there is no frame 77; ask for 'stackTrace' after each stop"
    )
    #expect(
      try await message("variables", ["variablesReference": 99])
        == "no variables have the reference 99; ask for 'scopes' after each stop"
    )
    #expect(
      try await message("source", ["sourceReference": 9])
        == "no source has the reference 9; 'loadedSources' lists them"
    )
    #expect(
      try await message("goto", ["threadId": 1, "targetId": 4])
        == "there is no target 4; ask for 'gotoTargets' first"
    )
    try await editor.ask("terminate")
    _ = try await editor.wait { $0["event"] == "terminated" }
    #expect(
      try await message("next", ["threadId": 1])
        == "'next' comes at the wrong time; a log is needed: send 'launch' or 'attach' first"
    )
    try await place.finish(editor)
  }

  @Test func `the debug adapter reports damaged messages, and continues`() async throws {
    let place = try SessionPlace()
    let editor = try await place.editor()
    let count = editor.received.count
    for text in ["[]", "{", "1", "{}", #"{"seq":5}"#, #"{"seq":6,"type":"request"}"#] {
      editor.send(Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8))
    }
    #expect(try await editor.place() == "0  the start of the log")
    let answers = editor.received.dropFirst(count).dropLast()
    #expect(answers.count { $0["event"] == "output" } == 4)
    #expect(answers.count { $0["success"] == false } == 2)
    try await place.finish(editor)
  }

  /// Randomly damaged requests: each is answered, and none ends the adapter.
  @Test(arguments: 0..<6 as Range<UInt64>) func `the debug adapter answers random damaged requests`(
    _ seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let place = try SessionPlace()
    let editor = try await place.editor()
    let requests: [(String, JSON)] = [
      ("setBreakpoints", ["source": ["sourceReference": 1], "breakpoints": [["line": 5]]]),
      ("setFunctionBreakpoints", ["breakpoints": [["name": ".load", "hitCondition": "2"]]]),
      ("setDataBreakpoints", ["breakpoints": [["dataId": "count", "condition": "$.seq > 2"]]]),
      ("setExceptionBreakpoints", ["filters": ["gap"], "filterOptions": [["filterId": "gap"]]]),
      ("dataBreakpointInfo", ["variablesReference": 2, "name": "count"]),
      ("stackTrace", ["threadId": 1, "startFrame": 0, "levels": 20]), ("scopes", ["frameId": 1]),
      ("variables", ["variablesReference": 2, "filter": "named", "start": 0, "count": 3]),
      ("evaluate", ["expression": "count", "context": "repl", "frameId": 1]),
      ("completions", ["text": "print co", "column": 9]), ("source", ["sourceReference": 1]),
      ("gotoTargets", ["source": ["name": "counter.tca-timeline"], "line": 4]),
      ("cancel", ["requestId": 3]), ("threads", [:]), ("loadedSources", [:]),
      ("exceptionInfo", ["threadId": 1]), ("restart", ["arguments": ["log": "counter.jsonl"]]),
    ]
    for _ in 0..<300 {
      guard let (command, arguments) = requests.randomElement(using: &random) else { return }
      var damaged = arguments
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        damaged = damaged.damaged(using: &random)
      }
      let answer = try await editor.ask(command, damaged)
      #expect(answer["command"]?.string == command, "seed \(seed): \(command) \(damaged)")
    }
    try await place.finish(editor)
  }

  /// Randomly damaged bytes: the adapter ends by itself, with a message if required.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the debug adapter ends without a trap when its stream is damaged`(
    _ seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let place = try SessionPlace()
    let editor = try TestEditor(in: place.folder.path)
    let texts = [
      #"{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"a"}}"#,
      #"{"seq":2,"type":"request","command":"launch","arguments":{"log":"counter.jsonl"}}"#,
      #"{"seq":3,"type":"request","command":"configurationDone"}"#,
      #"{"seq":4,"type":"request","command":"next","arguments":{"threadId":1}}"#,
    ]
    let stream = texts.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined()
    editor.send(Array(stream.damaged(with: "{}\"0:\r\n\\é", using: &random).utf8))
    editor.hangUp()
    let end = await editor.end()
    #expect(end.status == .same || end.status == .inputOutput, "seed \(seed)")
    #expect((end.status == .same) == end.error.isEmpty, "seed \(seed): \(end.error)")
  }
}
