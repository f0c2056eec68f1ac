import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ReplayAssistant

/// A client of the protocol.
///
/// It sends messages to a server in this process and stores the responses.
final class TestClient {
  private let connection: TestConnection
  private var number = 0
  /// All messages from the server.
  var received: [JSON] { connection.received }
  /// The methods of sent requests by their ids.
  private(set) var methods: [JSON: String] = [:]
  private let ending: Ending

  /// The end of the server.
  private final class Ending: Sendable {
    let status = Mutex(ReplayCommands.ExitStatus?.none)
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - folder: The folder with logs.
  ///   - output: The folder for results.
  ///   - tokens: The budget of an answer in tokens.
  ///   - clock: The server's clock.
  ///   - makeReplayStarter: Replays logs. By default, the counter does.
  /// - Throws: `StreamError`, `LogReadError`.
  init(
    in folder: String,
    output: String? = nil,
    tokens: Int = 4000,
    clock: @escaping @Sendable () -> Double = { 0 },
    makeReplayStarter: (@Sendable () -> CommandContext.ReplayStarter)? = nil
  ) throws {
    connection = try TestConnection { handle, message in
      var buffer: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = read(handle.fileDescriptor, &part, part.count), count > 0 {
        buffer += part[..<count]
        while let feed = buffer.firstIndex(of: 0x0A) {
          if let json = try? JSON(parsing: buffer[..<feed]) { message(json) }
          buffer.removeSubrange(...feed)
        }
      }
    }
    let features = FeatureCatalog.counter
    let folders = try LogFolders([folder], output: output, base: "/")
    let (streams, ending) = (ServerStreams(connection.serverEnd), Ending())
    self.ending = ending
    Task { @MainActor in
      let context = CommandContext(
        program: Program(name: "tca-replay", version: "1.2.3", executable: "self"),
        features: features,
        console: Console(
          input: streams.input,
          output: streams.output,
          error: MemorySink()
        ),
        now: clock,
        processors: 1,
        makeReplayStarter: makeReplayStarter ?? { features.inProcessStarter }
      )
      let setup = AssistantSetup(
        context,
        folders: folders,
        budget: tokens * 4,
        options: ReplayOptions(host: "self")
      )
      let status = try? await AssistantServer(setup, context.console).run()
      ending.status.withLock { $0 = status }
      streams.close()
    }
  }

  /// Sends bytes unchanged.
  func send(_ bytes: [UInt8]) { connection.send(bytes) }

  /// Sends a message.
  func send(_ message: JSON) {
    if let id = message["id"], let method = message["method"]?.string { methods[id] = method }
    send(message.bytes + [0x0A])
  }

  /// The parameters of a request without a session.
  static let stateless: JSON.Object = [
    "_meta": [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": [:],
    ]
  ]

  /// Sends a request.
  ///
  /// - Returns: Its id.
  @discardableResult
  func send(_ method: String, _ params: JSON.Object = [:], isStateless: Bool = true) -> Int {
    number += 1
    var params = params
    if isStateless {
      var meta = params["_meta"]?.object ?? [:]
      for (name, value) in Self.stateless["_meta"]?.object ?? [:] { meta[name] = value }
      params["_meta"] = .object(meta)
    }
    send([
      "jsonrpc": "2.0", "id": .number(JSON.Number(number)), "method": .string(method),
      "params": .object(params),
    ])
    return number
  }

  /// Ends the stream to the server.
  func hangUp() { connection.hangUp() }

  /// Returns the next message of the server; `nil` at the end.
  func next() async -> JSON? { await connection.next() }

  /// Waits for a message that satisfies a condition.
  func wait(for isLooked: (JSON) -> Bool) async throws -> JSON {
    try await connection.wait(for: isLooked)
  }

  /// Sends a request and waits for its response.
  @discardableResult
  func ask(
    _ method: String,
    _ params: JSON.Object = [:],
    isStateless: Bool = true
  ) async throws -> JSON {
    let id = send(method, params, isStateless: isStateless)
    return try await wait { $0["id"]?.int == id }
  }

  /// Begins a session.
  func initialize() async throws {
    try await ask(
      "initialize",
      [
        "protocolVersion": "2025-11-25", "capabilities": [:],
        "clientInfo": ["name": "test", "version": "1"],
      ],
      isStateless: false
    )
    send(["jsonrpc": "2.0", "method": "notifications/initialized"] as JSON)
  }

  /// Calls a tool.
  ///
  /// - Returns: The result.
  func call(_ tool: String, _ arguments: JSON = [:]) async throws -> JSON {
    let response = try await ask(
      "tools/call",
      ["name": .string(tool), "arguments": arguments]
    )
    return response["result"] ?? response["error"] ?? .null
  }

  /// Calls a tool.
  ///
  /// - Returns: The text of the answer.
  func text(_ tool: String, _ arguments: JSON = [:]) async throws -> String {
    try await call(tool, arguments)["content"]?.array?.first?["text"]?.string ?? ""
  }

  /// Closes the connection, and waits for the end of the server.
  ///
  /// - Returns: The exit status.
  @discardableResult
  func end() async -> ReplayCommands.ExitStatus? {
    hangUp()
    while await next() != nil {}
    return ending.status.withLock { $0 }
  }

  /// Returns the problems of the received messages according to the protocol's schemas.
  func problems(_ version: ProtocolVersion = .stateless) throws -> [String] {
    guard let schema = try MessageSchema.load(version) else { return [] }
    return received.flatMap { message -> [String] in
      let problems = schema.problems(of: message, as: "JSONRPCMessage")
      if message["method"] != nil {
        return problems + schema.problems(of: message, as: "ProgressNotification")
      }
      guard let result = message["result"] else {
        return problems + schema.problems(of: message, as: "JSONRPCErrorResponse")
      }
      let method = message["id"].flatMap { methods[$0] } ?? ""
      guard let name = MessageSchema.results[method] else { return ["no result of '\(method)'"] }
      return problems + schema.problems(of: result, as: name)
    }
  }
}
