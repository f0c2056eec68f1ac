import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ReplayAssistant

/// Messages, versions, and the handling of requests.
@Suite struct ProtocolTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(SampleLog.text + "\n", to: "counter.jsonl")
  }

  @Test func `the MCP server states both supported versions when it is discovered`() async throws {
    let client = try TestClient(in: folder.path)
    let result = try await client.ask("server/discover")["result"]
    #expect(result?["supportedVersions"] == ["2026-07-28", "2025-11-25"])
    #expect(result?["resultType"] == "complete")
    #expect(result?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "tca-replay")
    #expect(try client.problems() == [])
    #expect(await client.end() == .same)
  }

  @Test func `the MCP server begins a session with the handshake`() async throws {
    let client = try TestClient(in: folder.path)
    try await client.initialize()
    let result = client.received[0]["result"]
    #expect(result?["protocolVersion"] == "2025-11-25")
    #expect(
      result?["serverInfo"] == ["name": "tca-replay", "title": "tca-replay", "version": "1.2.3"]
    )
    #expect(result?["resultType"] == nil)
    let ping = try await client.ask("ping", isStateless: false)
    #expect(ping["result"] == [:])
    let tools = try await client.ask("tools/list", isStateless: false)["result"]
    #expect(tools?["ttlMs"] == nil)
    #expect(tools?["tools"]?.array?.count == Tool.all.count)
    #expect(try client.problems(.handshake) == [])
    #expect(await client.end() == .same)
  }

  /// Messages, and the codes and prefixes of their errors.
  private static let wrong: [(String, Int, String)] = [
    ("{", -32700, "the message is not JSON: "),
    (String(repeating: "[", count: 100_000), -32700, "the message is not JSON: "),
    ("[]", -32600, "the message is no request; expected an object"),
    ("7", -32600, "the message is no request; expected an object"),
    ("{}", -32600, "the member 'jsonrpc' of the message is wrong; expected \"2.0\""),
    (
      #"{"jsonrpc":"2.0","id":1}"#, -32600,
      "the member 'method' of the message is wrong; expected a text"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32600,
      "the member 'params' of the message is wrong; expected an object"
    ),
    (
      #"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600,
      "the member 'id' of the message is wrong; expected a text or a whole number"
    ),
    (
      #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600,
      "the member 'id' of the message is wrong; expected a text or a whole number"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, -32602,
      "'tools/list' comes without a version; expected 'initialize' before it, or 'io.modelcontextprotocol/protocolVersion' and 'io.modelcontextprotocol/clientCapabilities' in '_meta'"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, -32602,
      "'protocolVersion' is wrong; expected a text"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}}"#,
      -32022,
      "protocol version '1900-01-01' is not supported; expected 2026-07-28 or 2025-11-25"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
      -32602,
      "'_meta.io.modelcontextprotocol/clientCapabilities' is wrong; expected an object"
    ),
  ]

  @Test(arguments: wrong)
  func `the MCP server answers an invalid message with an error`(
    message: String,
    code: Int,
    text: String
  ) async throws {
    let client = try TestClient(in: folder.path)
    client.send(Array((message + "\n").utf8))
    let error = try #require(await client.next())["error"]
    #expect(error?["code"]?.int == code)
    #expect(error?["message"]?.string?.hasPrefix(text) == true, "\(error ?? .null)")
    // The next message is still read.
    #expect(try await client.ask("server/discover")["result"] != nil)
    #expect(await client.end() == .same)
  }

  /// Requests, and the codes and messages of their errors.
  private static let unanswerable: [(String, JSON.Object, Int, String)] = [
    ("tools/call", ["name": "nothing"], -32602, "there is no tool 'nothing'"),
    (
      "tools/call", ["name": "list_log"], -32602,
      "there is no tool 'list_log'; did you mean 'list_logs'?"
    ),
    ("tools/call", [:], -32602, "'name' is wrong; expected a text"),
    (
      "tools/call", ["name": "list_logs", "arguments": []], -32602,
      "'arguments' is wrong; expected an object"
    ),
    ("prompts/get", ["name": "nothing"], -32602, "there is no prompt 'nothing'"),
    (
      "prompts/get", ["name": "debug_log"], -32602,
      "'arguments.log' is wrong; expected the log's name"
    ),
    (
      "prompts/get", ["name": "debug_log", "arguments": ["x": "y"]], -32602,
      "'arguments.x' is wrong; expected log or complaint, each a text"
    ),
    (
      "resources/read", ["uri": "file:///etc/passwd"], -32602,
      "there is no resource 'file:///etc/passwd'; resources/list has those that there are"
    ),
    (
      "resources/read", ["uri": "tca-replay://log/..%2F..%2Fetc%2Fpasswd"], -32602,
      "there is no resource 'tca-replay://log/..%2F..%2Fetc%2Fpasswd'; resources/list has those that there are"
    ),
    (
      "tools/list", ["cursor": "x"], -32602,
      "'cursor' is wrong; expected none: the list has one part"
    ),
    ("ping", [:], -32601, "protocol version 2026-07-28 has no method 'ping' here"),
    ("nonsense", [:], -32601, "protocol version 2026-07-28 has no method 'nonsense' here"),
  ]

  @Test(arguments: unanswerable)
  func `the MCP server answers a request with an unknown or invalid part with an error`(
    method: String,
    params: JSON.Object,
    code: Int,
    text: String
  ) async throws {
    let client = try TestClient(in: folder.path)
    let error = try await client.ask(method, params)["error"]
    #expect(error?["code"]?.int == code)
    #expect(error?["message"]?.string == text)
    #expect(try client.problems() == [])
    #expect(await client.end() == .same)
  }

  @Test func `the MCP server answers a message that is too long with an error, and continues`()
    async throws
  {
    let client = try TestClient(in: folder.path)
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: MessageLines.longest + 2)
    Thread.detachNewThread { [client = Sent(client)] in client.value.send(long + [0x0A]) }
    let error = try #require(await client.next())["error"]
    #expect(error?["code"] == -32600)
    #expect(error?["message"] == "the message is too long; expected at most 4194304 bytes")
    #expect(try await client.ask("server/discover")["result"] != nil)
    #expect(await client.end() == .same)
  }

  /// A client that another thread uses to send, while this one only reads.
  private struct Sent: @unchecked Sendable {
    let value: TestClient
    init(_ value: TestClient) { self.value = value }
  }

  @Test func `the MCP server ignores a response and an unknown notification`() async throws {
    let client = try TestClient(in: folder.path)
    client.send(["jsonrpc": "2.0", "id": 9, "result": [:]] as JSON)
    client.send(["jsonrpc": "2.0", "method": "notifications/nothing"] as JSON)
    client.send(
      ["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 77]] as JSON
    )
    let id = client.send("server/discover")
    #expect(try #require(await client.next())["id"]?.int == id)
    #expect(await client.end() == .same)
  }

  @Test func `the MCP server refuses a second handshake`() async throws {
    let client = try TestClient(in: folder.path)
    try await client.initialize()
    let error = try await client.ask("initialize", isStateless: false)["error"]
    #expect(error?["code"] == -32600)
    #expect(error?["message"] == "the session is initialized already")
    #expect(await client.end() == .same)
  }

  /// A replay that waits until it is canceled.
  private final class Waiting: ReplayEventSource {
    private let options: ReplayOptions
    private let began: @Sendable () -> Void

    init(_ options: ReplayOptions, _ began: @escaping @Sendable () -> Void) {
      (self.options, self.began) = (options, began)
    }

    var hostOutput: [String] { [] }

    func next() throws -> LogEvent? {
      let end = DispatchSemaphore(value: 0)
      _ = options.cancellation?.onRequest { end.signal() }
      began()
      end.wait()
      try options.checkInterruption()
      return nil
    }

    func end(isDone: Bool) -> ReplayEnd { .waiting }
  }

  @Test func `the MCP server answers queries during a replay, which a notification cancels`()
    async throws
  {
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let client = try TestClient(
      in: folder.path,
      makeReplayStarter: { { _, options in Waiting(options) { begin.yield() } } }
    )
    let replay = client.send(
      "tools/call",
      ["name": "replay_log", "arguments": ["log": "counter.jsonl"]]
    )
    var iterator = begun.makeAsyncIterator()
    await iterator.next()
    // A second request with this id is refused while the first one is running.
    client.send(
      [
        "jsonrpc": "2.0", "id": .number(JSON.Number(replay)), "method": "server/discover",
        "params": .object(TestClient.stateless),
      ] as JSON
    )
    let refused = try #require(await client.next())
    #expect(
      refused["error"]?["message"]
        == "a request with this id is still being worked on; expected another id"
    )
    #expect(try await client.text("list_logs").hasPrefix("There is 1 log:"))
    client.send(
      [
        "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": ["requestId": .number(JSON.Number(replay))],
      ] as JSON
    )
    // The lane is free for the next request, and the canceled one has no answer.
    let second = client.send(
      "tools/call",
      ["name": "replay_log", "arguments": ["log": "counter.jsonl"]]
    )
    await iterator.next()
    #expect(client.received.allSatisfy { $0["id"]?.int != replay || $0["error"] != nil })
    // The end of the input ends requests that wait for a host.
    #expect(await client.end() == .same)
    #expect(client.received.allSatisfy { $0["id"]?.int != second })
  }

  @Test func `the MCP server reports progress from the start of a call`() async throws {
    let client = try TestClient(in: folder.path)
    let id = client.send(
      "tools/call",
      [
        "name": "replay_log", "arguments": ["log": "counter.jsonl"],
        "_meta": ["progressToken": "p"],
      ]
    )
    let progress = try await client.wait { $0["method"] == "notifications/progress" }
    #expect(progress["params"]?["progressToken"] == "p")
    #expect(progress["params"]?["progress"] == 0)
    let response = try await client.wait { $0["id"]?.int == id }
    #expect(response["result"]?["structuredContent"]?["verdict"] == "identical")
    #expect(try client.problems() == [])
    #expect(await client.end() == .same)
  }

  @Test func `the MCP server answers queries received before its input ended`()
    async throws
  {
    let client = try TestClient(in: folder.path)
    let ids = (1...5).map { seq in
      client.send(
        "tools/call",
        [
          "name": "state_at",
          "arguments": ["log": "counter.jsonl", "action": .number(JSON.Number(seq))],
        ]
      )
    }
    #expect(await client.end() == .same)
    #expect(client.received.compactMap { $0["id"]?.int } == ids)
    #expect(client.received.allSatisfy { $0["result"] != nil })
  }

  @Test
  func `resources, prompts and completions of the MCP server conform to the protocol's schemas`()
    async throws
  {
    for version in ProtocolVersion.allCases {
      let client = try TestClient(in: folder.path)
      let isStateless = version == .stateless
      if !isStateless { try await client.initialize() }
      func result(_ method: String, _ params: JSON.Object = [:]) async throws -> JSON {
        try await client.ask(method, params, isStateless: isStateless)["result"] ?? .null
      }
      let resources = try await result("resources/list")["resources"]?.array ?? []
      #expect(
        resources.map { $0["uri"] } == [
          "tca-replay://log/counter.jsonl", "tca-replay://page/counter.jsonl",
        ]
      )
      let log = try await result("resources/read", ["uri": "tca-replay://log/counter.jsonl?line=3"])
      let lines = SampleLog.lines.dropFirst(2).joined(separator: "\n") + "\n"
      #expect(log["contents"]?.array?[0]["text"]?.string == lines)
      let page = try await result("resources/read", ["uri": "tca-replay://page/counter.jsonl"])
      #expect(page["contents"]?.array?[0]["text"]?.string?.hasPrefix("<!") == true)
      let templates = try await result("resources/templates/list")["resourceTemplates"]
      #expect(templates?.array?.count == 2)
      let prompts = try await result("prompts/list")["prompts"]?.array ?? []
      #expect(prompts.map { $0["name"] } == ["debug_log", "explain_run"])
      let prompt = try await result(
        "prompts/get",
        ["name": "debug_log", "arguments": ["log": "counter.jsonl\nIgnore this"]]
      )
      let text = prompt["messages"]?.array?[0]["content"]?["text"]?.string ?? ""
      #expect(text.hasPrefix(#"Debug the action log "counter.jsonl\nIgnore this" with the tools"#))
      let completion = try await result(
        "completion/complete",
        [
          "ref": ["type": "ref/prompt", "name": "debug_log"],
          "argument": ["name": "log", "value": "cou"],
        ]
      )
      #expect(completion["completion"]?["values"] == ["counter.jsonl"])
      #expect(try client.problems(version) == [])
      #expect(await client.end() == .same)
    }
  }

  /// Valid requests, which are changed randomly.
  private static let requests: [(String, JSON.Object)] =
    Tool.all.filter { $0.worker == .lookup }.map { tool in
      (
        "tools/call",
        [
          "name": .string(tool.name),
          "arguments": [
            "log": "counter.jsonl", "other": "counter.jsonl", "path": "count", "action": 3,
            "condition": "$.state.count > 3",
          ],
        ]
      )
    } + [
      ("resources/read", ["uri": "tca-replay://log/counter.jsonl?line=3"]),
      ("prompts/get", ["name": "debug_log", "arguments": ["log": "counter.jsonl"]]),
      ("resources/list", [:]), ("tools/list", [:]), ("server/discover", [:]),
    ]

  @Test func `the MCP server answers random messages as the protocol requires`() async throws {
    var random = SplitMix64(seed: 54)
    let client = try TestClient(in: folder.path)
    for number in 0..<Thoroughness.count(2_000, thorough: 10_000) {
      let (method, params) = Self.requests[Int.random(in: 0..<Self.requests.count, using: &random)]
      var all = params
      all["_meta"] = TestClient.stateless["_meta"]
      var message: JSON = [
        "jsonrpc": "2.0", "id": .number(JSON.Number(number)), "method": .string(method),
        "params": .object(all),
      ]
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        message = message.damaged(using: &random)
      }
      var bytes = message.bytes
      if Int.random(in: 0..<10, using: &random) == 0, !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255,
          using: &random
        )
        bytes.removeAll { $0 == 0x0A }
      }
      client.send(bytes + [0x0A])
      // A request with a guaranteed answer, which marks the end of earlier answers.
      let mark = client.send("server/discover")
      _ = try await client.wait {
        $0["id"]?.int == mark && $0["result"]?["supportedVersions"] != nil
      }
    }
    let schema = try MessageSchema.load(.stateless)
    for message in client.received {
      #expect(message["jsonrpc"] == "2.0")
      let problems =
        message["error"] != nil
        ? schema?.problems(of: message, as: "JSONRPCErrorResponse")
        : schema?.problems(of: message, as: "JSONRPCMessage")
      #expect(problems ?? [] == [])
    }
    #expect(await client.end() == .same)
  }
}
