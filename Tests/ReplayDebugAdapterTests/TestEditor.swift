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

/// An editor without windows: it sends requests to an adapter in this process, and keeps what comes.
final class TestEditor {
  private let socket: FileHandle
  private var messages: AsyncStream<JSON>.Iterator
  private var seq = 0
  /// Everything that the adapter has sent.
  private(set) var received: [JSON] = []
  private let ending: Ending

  /// How the adapter ended.
  private final class Ending: Sendable {
    let state = Mutex((status: ReplayCommands.ExitStatus?.none, error: ""))
  }

  /// The other end of the socket.
  private final class SocketSink: ByteSink {
    private let descriptor: Int32
    init(descriptor: Int32) { self.descriptor = descriptor }

    func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
      let code = bytes.write(to: descriptor)
      guard code == 0 else { throw StreamError(name: "socket", code: code) }
    }
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
  ///   - tick: How many seconds the adapter's clock goes on each time it is read.
  /// - Throws: `StreamError`.
  init(in folder: String = "/", tick: Double = 0) throws {
    var ends: [Int32] = [0, 0]
    #if canImport(Darwin)
    let kind = SOCK_STREAM
    #else
    let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw StreamError(name: "socket", code: errno)
    }
    // An adapter that does not answer fails the test.
    var patience = timeval(tv_sec: 1800, tv_usec: 0)
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    socket = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let (stream, continuation) = AsyncStream<JSON>.makeStream()
    messages = stream.makeAsyncIterator()
    // On a thread of its own: those of the tests may all be needed by adapters.
    let reading = socket.fileDescriptor
    Thread.detachNewThread {
      var reader = MessageReader(FileHandle(fileDescriptor: reading, closeOnDealloc: false))
      while let message = try? reader.next() {
        if case .json(let json) = message { continuation.yield(json) }
      }
      continuation.finish()
    }
    let (end, ending) = (ends[1], Ending())
    self.ending = ending
    Task { @MainActor in
      let handle = FileHandle(fileDescriptor: end, closeOnDealloc: false)
      let features = FeatureCatalog([
        FeatureEntry(name: "Counter", stateType: "CounterState") { CounterEngine() }
      ])
      let starter: @Sendable () -> CommandContext.ReplayStarter = {
        { log, options in
          InProcessReplay(
            ReplaySession(
              until: options.until ?? .max,
              isResyncing: options.isContinuing,
              ignored: options.comparison.ignored,
              isPruning: options.isPruning,
              keepsStandIns: options.keepsStandIns,
              events: try log.events(),
              makeEngine: { try features.entry(for: $0, named: options.feature).makeEngine() }
            )
          )
        }
      }
      var context = CommandContext(
        program: Program(name: "tca-replay", version: "1.2.3", executable: "self"),
        features: features,
        console: Console(
          input: handle,
          output: SocketSink(descriptor: end),
          error: ErrorSink(ending)
        ),
        makeReplayStarter: starter
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
      shutdown(end, Int32(SHUT_RDWR))
    }
  }

  // What still reads or writes at either end is told.
  deinit { shutdown(socket.fileDescriptor, Int32(SHUT_RDWR)) }

  /// Sends bytes as they are.
  func send(_ bytes: [UInt8]) { _ = bytes.write(to: socket.fileDescriptor) }

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
  func hangUp() { shutdown(socket.fileDescriptor, Int32(SHUT_WR)) }

  /// The next message of the adapter; `nil` at the end.
  func next() async -> JSON? {
    guard let message = await messages.next() else { return nil }
    received.append(message)
    return message
  }

  /// Waits for a message that is like this.
  func wait(for isLooked: (JSON) -> Bool) async throws -> JSON {
    while let message = await next() { if isLooked(message) { return message } }
    throw EndedEarly()
  }

  struct EndedEarly: Error {}

  /// Sends a request and waits for its response.
  @discardableResult
  func ask(_ command: String, _ arguments: JSON? = nil) async throws -> JSON {
    let seq = send(command, arguments)
    return try await wait { $0["request_seq"]?.int == seq }
  }

  /// Sends a request and waits until the log stands still.
  @discardableResult
  func go(_ command: String, _ arguments: JSON = ["threadId": 1]) async throws -> JSON {
    try await ask(command, arguments)
    return try await stop()
  }

  /// Waits until the log stands still.
  func stop() async throws -> JSON { try await wait { $0["event"] == "stopped" }["body"] ?? .null }

  /// Waits for the end of the adapter.
  ///
  /// - Returns: Its status, or `nil` when it could not write; and its diagnostics.
  func end() async -> (status: ReplayCommands.ExitStatus?, error: String) {
    while await next() != nil {}
    return ending.state.withLock { $0 }
  }

  /// Begins a session over a log.
  func launch(_ arguments: JSON.Object, as client: JSON = ["adapterID": "tca-replay"]) async throws
  {
    try await ask("initialize", client)
    try await ask("launch", .object(arguments))
    try await ask("configurationDone")
  }

  /// What is wrong with the messages that have come, by the protocol's schema; and whether their numbers are in order.
  func problems(_ schema: ProtocolSchema?) -> [String] {
    let numbers = received.compactMap { $0["seq"]?.int }
    let order =
      numbers == (0..<numbers.count).map { $0 + 1 } ? [] : ["the numbers are not in order"]
    return order + received.flatMap { schema?.problems(of: $0) ?? [] }
  }
}
