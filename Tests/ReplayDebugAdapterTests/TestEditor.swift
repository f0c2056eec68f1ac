import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts
import ReplayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ReplayDebugAdapter

/// An editor without windows.
///
/// It sends requests to an adapter in this process and stores the responses.
final class TestEditor {
  private let connection: TestConnection
  private var seq = 0
  /// All messages from the adapter.
  var received: [JSON] { connection.received }
  private let ending: Ending

  /// The end of the adapter.
  private final class Ending: Sendable {
    let state = Mutex((status: ReplayCommands.ExitStatus?.none, error: ""))
  }

  private final class ErrorSink: ByteSink {
    private let ending: Ending
    init(_ ending: Ending) { self.ending = ending }

    func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
      ending.state.withLock { $0.error += String(decoding: bytes, as: UTF8.self) }
    }
  }

  /// Starts an adapter.
  ///
  /// - Parameters:
  ///   - folder: The folder for relative paths.
  ///   - tick: The number of seconds by which the adapter's clock advances with each reading.
  /// - Throws: `StreamError`.
  init(in folder: String = "/", tick: Double = 0) throws {
    connection = try TestConnection { handle, receive in
      var reader = MessageReader(handle)
      while let message = try? reader.next() {
        if case .json(let json) = message { receive(json) }
      }
    }
    let (streams, ending) = (ServerStreams(connection.serverEnd), Ending())
    self.ending = ending
    Task { @MainActor in
      let features = FeatureCatalog.counter
      var context = CommandContext(
        program: Program(name: "tca-replay", version: "1.2.3", executable: "self"),
        features: features,
        console: Console(
          input: streams.input,
          output: streams.output,
          error: ErrorSink(ending)
        ),
        makeReplayStarter: { features.inProcessStarter }
      )
      context.folder = folder
      let clock = Mutex(0.0)
      context.now = {
        clock.withLock { now in
          now += tick
          return now
        }
      }
      let status = try? await DebugAdapter(context).run()
      ending.state.withLock { $0.status = status }
      streams.close()
    }
  }

  /// Sends bytes unchanged.
  func send(_ bytes: [UInt8]) { connection.send(bytes) }

  /// Sends a message.
  func send(_ message: JSON) {
    let bytes = message.bytes
    send(Array("Content-Length: \(bytes.count)\r\n\r\n".utf8) + bytes)
  }

  /// Sends a request.
  ///
  /// - Returns: Its number.
  @discardableResult
  func send(_ command: String, _ arguments: JSON? = nil) -> Int {
    seq += 1
    var message: JSON.Object = [
      "seq": .number(JSON.Number(seq)), "type": "request", "command": .string(command),
    ]
    message["arguments"] = arguments
    send(.object(message))
    return seq
  }

  /// Ends the stream to the adapter.
  func hangUp() { connection.hangUp() }

  /// Returns the next message of the adapter; `nil` at the end.
  func next() async -> JSON? { await connection.next() }

  /// Waits for a message that satisfies a condition.
  func wait(for isLooked: (JSON) -> Bool) async throws -> JSON {
    try await connection.wait(for: isLooked)
  }

  /// Sends a request and waits for its response.
  @discardableResult
  func ask(_ command: String, _ arguments: JSON? = nil) async throws -> JSON {
    let seq = send(command, arguments)
    return try await wait { $0["request_seq"]?.int == seq }
  }

  /// Sends a request and waits until the log stops.
  @discardableResult
  func go(_ command: String, _ arguments: JSON = ["threadId": 1]) async throws -> JSON {
    try await ask(command, arguments)
    return try await stop()
  }

  /// Waits until the log stops.
  func stop() async throws -> JSON { try await wait { $0["event"] == "stopped" }["body"] ?? .null }

  /// Waits for the end of the adapter.
  ///
  /// - Returns: Its status, or `nil` if it could not write, and its diagnostics.
  func end() async -> (status: ReplayCommands.ExitStatus?, error: String) {
    while await next() != nil {}
    return ending.state.withLock { $0 }
  }

  /// Begins a session on a log.
  func launch(_ arguments: JSON.Object, as client: JSON = ["adapterID": "tca-replay"]) async throws
  {
    try await ask("initialize", client)
    try await ask("launch", .object(arguments))
    try await ask("configurationDone")
  }

  /// Returns the problems of the received messages according to the protocol's schema, and errors in their numbers.
  func problems(_ schema: ProtocolSchema?) -> [String] {
    let numbers = received.compactMap { $0["seq"]?.int }
    let order =
      numbers == (0..<numbers.count).map { $0 + 1 } ? [] : ["the numbers are not in order"]
    return order + received.flatMap { schema?.problems(of: $0) ?? [] }
  }
}
