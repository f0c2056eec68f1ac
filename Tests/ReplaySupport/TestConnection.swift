import ActionLog
import Foundation
import ReplayCommands

/// A connection with both ends in this process, one for a test and one for a server.
///
/// The test stores the received messages.
package final class TestConnection {
  private let socket: FileHandle
  private var messages: AsyncStream<JSON>.Iterator
  /// The descriptor of the server's end.
  package let serverEnd: Int32
  /// All messages from the server.
  package private(set) var received: [JSON] = []

  /// Connects both ends.
  ///
  /// - Parameter read: Passes on the messages of a stream until its end.
  /// - Throws: `StreamError`.
  package init(
    _ read: @escaping @Sendable (FileHandle, _ message: (JSON) -> Void) -> Void
  ) throws {
    var ends: [Int32] = [0, 0]
    #if canImport(Darwin)
    let kind = SOCK_STREAM
    #else
    let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw StreamError(name: "socket", code: errno)
    }
    // A server that does not answer fails the test.
    var patience = timeval(tv_sec: 1800, tv_usec: 0)
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    socket = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    serverEnd = ends[1]
    let (stream, continuation) = AsyncStream<JSON>.makeStream()
    messages = stream.makeAsyncIterator()
    // On a separate thread, because servers may need all threads of the tests.
    let reading = ends[0]
    Thread.detachNewThread {
      read(FileHandle(fileDescriptor: reading, closeOnDealloc: false)) { continuation.yield($0) }
      continuation.finish()
    }
  }

  // Wakes readers and writers at both ends.
  deinit { shutdown(socket.fileDescriptor, Int32(SHUT_RDWR)) }

  /// Sends bytes unchanged.
  package func send(_ bytes: [UInt8]) { _ = bytes.write(to: socket.fileDescriptor) }

  /// Ends the stream to the server.
  package func hangUp() { shutdown(socket.fileDescriptor, Int32(SHUT_WR)) }

  /// Returns the next message of the server; `nil` at the end.
  package func next() async -> JSON? {
    guard let message = await messages.next() else { return nil }
    received.append(message)
    return message
  }

  /// The server ended before the expected message arrived.
  package struct EndedEarly: Error {}

  /// Waits for a message that satisfies a condition.
  package func wait(for isLooked: (JSON) -> Bool) async throws -> JSON {
    while let message = await next() { if isLooked(message) { return message } }
    throw EndedEarly()
  }
}

/// The streams of a server at its end of a connection.
package struct ServerStreams: Sendable {
  private let descriptor: Int32

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package var input: FileHandle { FileHandle(fileDescriptor: descriptor, closeOnDealloc: false) }

  package var output: any ByteSink { DescriptorSink(descriptor: descriptor) }

  /// Signals the end of the server to the test.
  package func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

private final class DescriptorSink: ByteSink {
  private let descriptor: Int32
  init(descriptor: Int32) { self.descriptor = descriptor }

  func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
    let code = bytes.write(to: descriptor)
    guard code == 0 else { throw StreamError(name: "socket", code: code) }
  }
}
