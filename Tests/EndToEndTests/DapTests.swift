import ActionLog
import Foundation
import TestSupport
import Testing

/// The debug adapter as a process.
@Suite struct DapTests {
  private static let log: JSON = ["log": .string(Project.sample("todos.jsonl")), "at": 6]

  @Test func `dap launches a log, answers requests of an editor and exits with 0`() throws {
    let (result, messages) = try Tool.replay.edit([
      ("initialize", ["adapterID": "tca-replay"]), ("launch", Self.log), ("configurationDone", nil),
      ("stackTrace", ["threadId": 1]), ("evaluate", ["expression": "saveError"]),
      ("nonsense", nil), ("disconnect", nil),
    ])
    #expect(result.status == 0)
    #expect(result.error == "")
    func response(_ command: String) -> JSON? {
      messages.first { $0["command"]?.string == command }
    }
    #expect(response("stackTrace")?["body"]?["totalFrames"] == 2)
    #expect(
      response("evaluate")?["body"]?["result"]
        == #""emptyTitle(B583F91F-9CAF-4178-93A6-3B39C6F2E68E)""#
    )
    #expect(response("nonsense")?["success"] == false)
    #expect(response("disconnect")?["success"] == true)
  }

  @Test func `dap reports an invalid header of a message, and exits with 74`() throws {
    let result = try Tool.replay.run("dap", input: "Content-Length: many\r\n\r\n{}")
    #expect(result.status == 74)
    #expect(
      result.error
        == "tca-replay: the header line 'Content-Length: many' of a message is invalid; expected 'Content-Length: ' and a number\n"
    )
  }

  @Test func `dap exits with 0 when its input is empty`() throws {
    let result = try Tool.replay.run("dap")
    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(result.error == "")
  }

  /// An editor changes the state in a scope.
  ///
  /// The host, which is this executable, replays the following actions.
  @Test func `an editor changes the history of a log with setExpression`() throws {
    let (result, messages) = try Tool.replay.edit([
      ("initialize", ["adapterID": "tca-replay"]), ("launch", Self.log), ("configurationDone", nil),
      ("setExpression", ["expression": "saveError", "value": "nil"]),
      ("evaluate", ["expression": "saveError"]), ("disconnect", nil),
    ])
    #expect(result.status == 0)
    let changed = messages.first { $0["command"] == "setExpression" }
    #expect(changed?["success"] == true, "\(changed ?? .null)")
    #expect(messages.first { $0["command"] == "evaluate" }?["body"]?["result"] == "nil")
  }
}

extension Tool {
  /// Runs the debug adapter with the requests of an editor, and returns the responses.
  func edit(_ requests: [(String, JSON?)]) throws -> (Result, [JSON]) {
    var input = ""
    for (index, (command, arguments)) in requests.enumerated() {
      var message: JSON.Object = [
        "seq": .number(JSON.Number(index + 1)), "type": "request", "command": .string(command),
      ]
      message["arguments"] = arguments
      let text = JSON.object(message).description
      input += "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }
    let result = try run("dap", input: input)
    let parts = result.output.components(separatedBy: "Content-Length: ").dropFirst()
    return (result, try parts.map { try JSON(parsing: $0.drop { $0 != "{" }.utf8) })
  }
}
