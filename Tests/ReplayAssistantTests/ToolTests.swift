import ActionLog
import Foundation
import ReplayCommands
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayAssistant

/// The answers of tools.
@Suite struct ToolTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(SampleLog.text + "\n", to: "Logs/counter.jsonl")
    let other = SampleLog.text.replacing(
      #""path":"/count","value":8}"#,
      with: #""path":"/count","value":80}"#
    )
    try folder.write(other + "\n", to: "Logs/other.jsonl")
  }

  private var logs: String { folder.path + "/Logs" }

  /// Calls, and the complete text of their answers.
  static let answers: [(String, JSON, String)] = [
    (
      "list_logs", [:],
      """
      There are 2 logs:
      | counter.jsonl  \(SampleLog.text.utf8.count + 1) bytes  Counter  2026-01-01T00:00:00Z
      | other.jsonl  \(SampleLog.text.utf8.count + 2) bytes  Counter  2026-01-01T00:00:00Z
      Next: summarize_log or replay_log, with the log that you want to look at.
      """
    ),
    (
      "state_at", ["log": "counter.jsonl", "action": 5],
      """
      After action 5:
      | (count: 7, id: "A-1")
      """
    ),
    (
      "state_at", ["log": "counter.jsonl", "action": 5, "path": "count"],
      """
      After action 5:
      | 7
      Next:
      | who_changed(log: "counter.jsonl", path: "count", action: 5)  who set this value, and why
      """
    ),
    (
      "who_changed", ["log": "counter.jsonl", "path": "count", "action": 9],
      """
      The value, and what set it:
      | count = 10
      |   set by action 9  .third  (effect 7.0)
      |   because of action 7  .first  (effect 6.0)
      |   because of action 6  .burst  (view)
      |   before: 9
      Next:
      | list_actions(log: "counter.jsonl", from: 9, to: 9, details: true)  what that action read, changed and started
      | list_actions(log: "counter.jsonl", changes: "count")  every change of this value
      """
    ),
    (
      "find_first", ["log": "counter.jsonl", "condition": "$.state.count > 7"],
      """
      It first holds after action 7.
      | action 7  .first  (effect 6.0)
      | because of action 6  .burst  (view)
      | action 7  state count  before: 7  after: 8
      Next:
      | list_actions(log: "counter.jsonl", from: 7, to: 7, details: true)  what that action read, changed and started
      """
    ),
    (
      "find_first", ["log": "counter.jsonl", "condition": "$.state.cuont > 7"],
      """
      It never holds; the log's last action is 16.
      | condition: no state of the log has anything at '$.state.cuont'; did you mean '$.state.count'?
      """
    ),
    (
      "compare_logs", ["log": "counter.jsonl", "other": "other.jsonl"],
      """
      The logs differ in 1 place:
      | actions 1 to 16 match; 16 actions each
      | action 7  state count  first: 8  second: 80
      Next:
      | list_actions(log: "counter.jsonl", from: 5, to: 7, details: true)  what that action read, changed and started
      """
    ),
    (
      "replay_log", ["log": "counter.jsonl"],
      """
      The code does what was recorded.
      | identical, through action 16
      Next:
      | list_actions(log: "counter.jsonl")  what happens in it
      | explore_orders(log: "counter.jsonl")  whether a fault comes and goes with the order of effects
      """
    ),
    (
      "replay_log", ["log": "other.jsonl"],
      """
      The code does not do what was recorded, or cannot be asked:
      | diverged at action 7: state count
      | action 7  .first
      |   sent by effect 6.0 of action 6  .burst
      |   action 6 sent by the view
      | action 7  state count  recorded: 80  replayed: 8
      Next:
      | who_changed(log: "other.jsonl", path: "count", action: 7)  who set this value, and why
      | list_actions(log: "other.jsonl", from: 5, to: 7, details: true)  what that action read, changed and started
      """
    ),
    (
      "list_actions", ["log": "counter.jsonl", "changes": "id"],
      """
      1 action; the log's last action is 16.
      |    2    +0.000 s  .add  id: "" → "A-1"
      Next:
      | state_at(log: "counter.jsonl", action: 2)  the state after that action
      """
    ),
    (
      "list_actions", ["log": "counter.jsonl", "name": ".incremnt"],
      """
      No such action; the log's last action is 16.
      | did you mean .increment?
      """
    ),
    (
      "minimize_log", ["log": "counter.jsonl", "condition": "$.state.count > 7"],
      """
      6 actions from outside are left; none of them can go.
      Nothing was written: start the server with --output FOLDER to get the result as a log.
      | action 6  .burst
      | action 10  .chain
      | action 11  .increment
      | action 14  .increment
      | action 15  .increment
      | action 16  .increment
      """
    ),
    (
      "what_if", ["log": "counter.jsonl", "edits": ["skip 2"]],
      """
      With these edits the history continues as follows:
      | skip 2
      The end differs:
      | action 15  state id  before: "A-1"  after: ""
      Nothing was written: start the server with --output FOLDER to get the result as a log.
      """
    ),
  ]

  @Test(arguments: answers)
  func `an MCP tool answers valid arguments with readable text that suggests the next tool`(
    tool: String,
    arguments: JSON,
    text: String
  ) async throws {
    let client = try TestClient(in: logs)
    let found = try await client.text(tool, arguments)
    #expect(found == text)
    #expect(try client.problems() == [])
    await client.end()
  }

  /// Invalid arguments of tools, and the answers.
  private static let wrong: [(String, JSON, String)] = [
    (
      "state_at", [:],
      "'log' is missing; expected the log's name, as in list_logs; 'name.jsonl#2' is the second log of a file"
    ),
    ("state_at", ["log": 3, "action": 1], "'log' is 3; expected a text"),
    (
      "state_at", ["log": "counter.jsonl", "action": -1],
      "'action' is -1; expected a whole number from 0"
    ),
    (
      "state_at", ["log": "counter.jsonl", "action": 1, "x": 1],
      "there is no argument 'x'; expected log, action, path or depth"
    ),
    (
      "state_at", ["log": "counter.jsonl", "action": 99],
      "there is no action 99: the log has actions up to 16"
    ),
    (
      "state_at", ["log": "couter.jsonl", "action": 1],
      "there is no log 'couter.jsonl'; did you mean 'counter.jsonl'?"
    ),
    (
      "state_at", ["log": "counter.jsonl#2", "action": 1],
      "there is no log 'counter.jsonl#2'; the file has 1"
    ),
    (
      "list_actions", ["log": "counter.jsonl", "cursor": "x"],
      "'x' is no cursor of this answer; expected the 'cursor' of the last one, with the same arguments"
    ),
    (
      "list_actions", ["log": "counter.jsonl", "sender": "nobody"],
      "'sender' is \"nobody\"; expected view, effect, parent or action"
    ),
    (
      "what_if", ["log": "counter.jsonl", "edits": ["jump 3"]],
      "'jump 3' is no edit; expected one that begins with skip, edit, insert, reorder, answer or set"
    ),
    (
      "what_if", ["log": "counter.jsonl", "edits": []],
      "'edits' is empty; expected one edit or more, such as \"skip 4\""
    ),
    (
      "minimize_log", ["log": "counter.jsonl", "keep": "condition"],
      "'condition' is missing; expected the condition to keep"
    ),
    (
      "minimize_log", ["log": "counter.jsonl", "condition": "$.state.count > 700"],
      "the replay of counter.jsonl does not show it: nothing to minimize; 'run' and 'bisect --when' show what happens in the log"
    ),
    (
      "write_test", ["log": "counter.jsonl", "imports": ["a b"]],
      "'imports' has a text that is no name of a module"
    ),
  ]

  @Test(arguments: wrong)
  func `a tool of the MCP server reports invalid arguments as its error`(
    tool: String,
    arguments: JSON,
    text: String
  ) async throws {
    let client = try TestClient(in: logs)
    let result = try await client.call(tool, arguments)
    #expect(result["isError"] == true)
    #expect(result["content"]?.array?.first?["text"]?.string == "| " + text)
    #expect(result["structuredContent"] == nil)
    #expect(try client.problems() == [])
    await client.end()
  }

  /// Every structured answer matches the schema of its tool, including answers with all possible members.
  @Test func `the answer of each MCP tool conforms to the output schema of the tool`() async throws
  {
    let client = try TestClient(in: logs, output: folder.path + "/Findings")
    let more: [(String, JSON)] = [
      ("summarize_log", ["log": "counter.jsonl"]),
      ("list_actions", ["log": "counter.jsonl", "details": true, "limit": 3]),
      ("list_actions", ["log": "counter.jsonl", "sender": "effect", "cause": 6]),
      ("list_actions", ["log": "counter.jsonl", "effect": "load", "where": "$.seq > 3"]),
      ("who_changed", ["log": "counter.jsonl", "path": "*"]),
      ("explore_orders", ["log": "counter.jsonl", "invariant": "$.state.count < 8"]),
      ("explore_orders", ["log": "counter.jsonl"]),
      ("minimize_log", ["log": "counter.jsonl", "condition": "$.state.count > 7"]),
      ("what_if", ["log": "counter.jsonl", "edits": ["skip 3"]]),
      ("write_test", ["log": "counter.jsonl"]),
      ("write_test", ["log": "counter.jsonl", "style": "store"]),
      ("replay_log", ["log": "other.jsonl", "all": true, "ignore": ["id"]]),
    ]
    for (name, arguments) in Self.answers.map({ ($0.0, $0.1) }) + more {
      let tool = try #require(Tool.all.first { $0.name == name })
      let result = try await client.call(name, arguments)
      #expect(result["isError"] == nil, "\(name) \(arguments): \(result)")
      let schema = tool.json["outputSchema"] ?? .null
      let found = result["structuredContent"] ?? .null
      #expect(MessageSchema.problems(of: found, against: schema, at: name) == [])
      #expect(Schema.object("", tool.input).problem(of: arguments, named: name) == nil)
    }
    #expect(try client.problems() == [])
    await client.end()
  }

  @Test func `tools of the MCP server write their results to new logs that other tools can read`()
    async throws
  {
    let client = try TestClient(in: logs, output: folder.path + "/Findings")
    let arguments: JSON = ["log": "counter.jsonl", "condition": "$.state.count > 7"]
    for name in ["output/counter-minimal.jsonl", "output/counter-minimal-2.jsonl"] {
      let result = try await client.call("minimize_log", arguments)
      #expect(result["structuredContent"]?["output"]?.string == name)
      let replay = try await client.call("replay_log", ["log": .string(name)])
      #expect(replay["structuredContent"]?["verdict"] == "identical")
    }
    let fork = try await client.call("what_if", ["log": "counter.jsonl", "edits": ["skip 2"]])
    #expect(fork["structuredContent"]?["output"] == "output/counter-fork.jsonl")
    _ = try await client.call("write_test", ["log": "counter.jsonl"])
    await client.end()
    let written = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Findings")
    #expect(
      written.sorted() == [
        "counter-fork.jsonl", "counter-minimal-2.jsonl", "counter-minimal.jsonl",
        "counter-test.swift",
      ]
    )
  }

  /// Returns a log with long answers.
  private func longLog() throws -> [String] {
    var lines = SampleLog.lines
    let end = lines.removeLast()
    for seq in 17...150 {
      let text = String(repeating: "x", count: seq * 2 % 300)
      lines.append(
        #"{"kind":"action","seq":\#(seq),"at":\#(seq * 10),"origin":"view","action":{"increment":{"note":"\#(text)"}}}"#
      )
      lines.append(
        #"{"kind":"change","seq":\#(seq),"patch":[{"op":"add","path":"/notes\#(seq)","value":["\#(text)",{"deep":[[[\#(seq)]]]}]}]}"#
      )
    }
    return lines + [end.replacing(#""seq":16"#, with: #""seq":150"#)]
  }

  @Test(arguments: [500, 4000])
  func `each answer of the MCP server stays within the budget, and cursors lead to all pages`(
    tokens: Int
  ) async throws {
    try folder.write(try longLog().joined(separator: "\n") + "\n", to: "Logs/long.jsonl")
    let client = try TestClient(in: logs, tokens: tokens)
    let calls: [(String, JSON)] = [
      ("list_logs", [:]), ("summarize_log", ["log": "long.jsonl"]),
      ("state_at", ["log": "long.jsonl", "action": 150]),
      ("state_at", ["log": "long.jsonl", "action": 150, "path": "*"]),
      ("state_at", ["log": "long.jsonl", "action": 150, "depth": 1]),
      ("who_changed", ["log": "long.jsonl", "path": "*"]),
      ("find_first", ["log": "long.jsonl", "condition": "$.seq > 3"]),
      ("compare_logs", ["log": "counter.jsonl", "other": "long.jsonl"]),
      ("replay_log", ["log": "long.jsonl", "all": true]),
      ("write_test", ["log": "long.jsonl", "style": "store"]),
      ("write_test", ["log": "long.jsonl"]),
      ("list_actions", ["log": "long.jsonl", "details": true]),
    ]
    for (name, arguments) in calls {
      let result = try await client.call(name, arguments)
      #expect(result["isError"] == nil, "\(name): \(result)")
      #expect(result.bytes.count <= tokens * 4, "\(name) \(arguments)")
    }
    var (seen, cursor): ([Int], String?) = ([], nil)
    repeat {
      var arguments: JSON.Object = ["log": "long.jsonl", "details": true, "from": 75]
      arguments["cursor"] = cursor.map(JSON.string)
      let result = try await client.call("list_actions", .object(arguments))
      #expect(result.bytes.count <= tokens * 4)
      let rows = result["structuredContent"]?["actions"]?.array ?? []
      seen += rows.compactMap { $0["action"]?.int }
      cursor = result["structuredContent"]?["cursor"]?.string
    } while cursor != nil
    #expect(seen == Array(75...150))
    await client.end()
  }
}
