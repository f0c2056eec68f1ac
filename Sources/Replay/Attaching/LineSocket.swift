import ActionLog
import Foundation
import Synchronization

/// A socket connection that transfers lines of JSON and raw bytes.
///
/// Only one thread at a time may use the connection, except for `shutDown()`. If the peer has closed the connection,
/// sending fails but does not end the process.
package final class LineSocket {
  private let descriptor: Int32
  private var received: [UInt8] = []

  /// The value of `SOCK_STREAM`, whose type differs between platforms.
  package static let stream: Int32 = 1

  /// The maximum length of a received line in bytes: 1 MiB.
  ///
  /// Requests are short, and the log is sent separately after its length.
  private static let longest = 1 << 20

  /// Takes ownership of a connected socket.
  ///
  /// - Parameter descriptor: The file descriptor of the socket, which is closed when this object is deallocated.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    #if canImport(Darwin)
    var isOn: Int32 = 1
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_NOSIGPIPE,
      &isOn,
      socklen_t(MemoryLayout<Int32>.size)
    )
    #endif
  }

  deinit { close(descriptor) }

  /// Connects to a listening socket.
  ///
  /// - Parameter path: The path of the socket.
  /// - Throws: `SocketError` if the path is too long or the connection fails.
  package convenience init(connectingTo path: String) throws(SocketError) {
    let descriptor = try SocketAddress(path).open { connect($0, $1, $2) }
    self.init(descriptor: descriptor)
  }

  /// Sends a JSON value as one line.
  ///
  /// - Throws: `SocketError` if the peer has closed the connection.
  package func send(_ json: JSON) throws(SocketError) {
    try send(Array(json.description.utf8) + [UInt8(ascii: "\n")])
  }

  /// Sends bytes.
  ///
  /// - Throws: `SocketError` if the peer has closed the connection.
  package func send(_ bytes: [UInt8]) throws(SocketError) {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, flags)
      }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw .closed }
    }
  }

  /// Receives a line, or returns `nil` if the peer has closed the connection.
  ///
  /// - Throws: `SocketError` if the line is too long or is not JSON.
  package func receive() throws(SocketError) -> JSON? {
    while true {
      if let feed = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(received[..<feed])
        received.removeSubrange(...feed)
        guard let json = try? JSON(parsing: line) else { throw .notJSON }
        return json
      }
      guard received.count < Self.longest else { throw .tooLong }
      guard try fill() else { return nil }
    }
  }

  /// Receives exactly `count` bytes.
  ///
  /// - Throws: `SocketError` if the peer sends fewer bytes.
  package func receive(count: Int) throws(SocketError) -> [UInt8] {
    while received.count < count { guard try fill() else { throw .closed } }
    let bytes = Array(received[..<count])
    received.removeSubrange(..<count)
    return bytes
  }

  /// Shuts down the connection, which wakes a thread that is blocked on it.
  package func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func fill() throws(SocketError) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count > 0 {
        received += chunk[..<count]
        return true
      }
      if count == 0 { return false }
      if errno != EINTR { throw .closed }
    }
  }
}

/// A Unix socket that accepts connections from its owner only.
package final class SocketListener: Sendable {
  /// The path of the socket file.
  package let path: String
  private let descriptor: Int32
  private let isClosed = Atomic(false)

  /// Creates a socket, and replaces an abandoned one at the path.
  ///
  /// - Parameter path: The path of the socket file.
  /// - Throws: `SocketError` if the path is too long or in use, or if a system call fails.
  package init(at path: String) throws(SocketError) {
    self.path = path
    try Self.removeAbandoned(path)
    descriptor = try SocketAddress(path).open { bind($0, $1, $2) }
    // Sets the permissions before the socket accepts connections.
    guard chmod(path, 0o600) == 0, listen(descriptor, 1) == 0 else {
      let error = SocketError.system(path: path, code: errno)
      close(descriptor)
      unlink(path)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Waits for the next connection.
  ///
  /// - Returns: The connection, or `nil` after the listener has been shut down or a system call has failed.
  package func accept() -> LineSocket? {
    while true {
      let connection = Foundation.accept(descriptor, nil, nil)
      if connection >= 0 {
        let socket = LineSocket(descriptor: connection)
        return isClosed.load(ordering: .acquiring) ? nil : socket
      }
      if errno != EINTR, errno != ECONNABORTED { return nil }
    }
  }

  /// Stops accepting connections, and removes the socket file.
  package func shutDown() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // On some platforms, only a new connection ends a blocked `accept`.
    _ = try? LineSocket(connectingTo: path)
    unlink(path)
  }

  private static func removeAbandoned(_ path: String) throws(SocketError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .taken(path: path) }
    do throws(SocketError) {
      _ = try LineSocket(connectingTo: path)
    } catch {
      guard case .system(_, ECONNREFUSED) = error else { throw error }
      unlink(path)
      return
    }
    throw .taken(path: path)
  }
}

/// A failure of a Unix socket.
package enum SocketError: Error, Hashable, CustomStringConvertible {
  /// A system call failed with an `errno` code.
  case system(path: String, code: Int32)
  /// The path is longer than `longest` bytes, the maximum for a socket address.
  case pathTooLong(path: String, longest: Int)
  /// The path belongs to another file or to a socket in use.
  case taken(path: String)
  /// The peer has closed the connection.
  case closed
  /// A received line is longer than 1 MiB.
  case tooLong
  /// A received line is not JSON.
  case notJSON

  package var description: String { Wording.describe(self) }
}

/// The path of a Unix socket, converted for system calls.
private struct SocketAddress {
  private let path: String
  private var address = sockaddr_un()

  init(_ path: String) throws(SocketError) {
    self.path = path
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard bytes.count <= room else { throw .pathTooLong(path: path, longest: room) }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Creates a socket, and binds or connects it with the given system call.
  func open(
    _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SocketError) -> Int32 {
    let descriptor = socket(AF_UNIX, LineSocket.stream, 0)
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let result = withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let error = SocketError.system(path: path, code: errno)
      close(descriptor)
      throw error
    }
    return descriptor
  }
}
