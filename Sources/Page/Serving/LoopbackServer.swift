import Foundation
import ReplayCommands
import ReplayEngine

/// A server that only this machine can reach.
///
/// It answers one request at a time on a port of 127.0.0.1.
///
/// ```swift
/// let server = try LoopbackServer()
/// while !isDone { server.answer(within: 0.2) { request in … } }
/// ```
final class LoopbackServer {
  private let socket: Int32
  let port: Int

  /// The number of seconds after which a silent client is disconnected.
  private static let patience = 5

  /// Opens a free port.
  ///
  /// - Throws: `StreamError`.
  init() throws(StreamError) {
    let socket = Foundation.socket(AF_INET, LineSocket.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && listen(socket, 16) == 0
          && getsockname(socket, address, &length) == 0
      }
    }
    guard socket >= 0, isListening else {
      let code = errno
      if socket >= 0 { close(socket) }
      throw StreamError(name: "127.0.0.1", code: code, isCreation: true)
    }
    (self.socket, port) = (socket, Int(UInt16(bigEndian: address.sin_port)))
    // Hosts that start later must not inherit the port.
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(socket) }

  /// Waits for a request, and answers it.
  ///
  /// - Parameters:
  ///   - seconds: The maximum time to wait.
  ///   - respond: Returns the response.
  func answer(within seconds: Double, _ respond: (HTTPRequest) -> HTTPResponse) {
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, Int32(seconds * 1000)) > 0 else { return }
    let client = accept(socket, nil, nil)
    guard client >= 0 else { return }
    let connection = LineSocket(descriptor: client)
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      _ = setsockopt(client, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    withExtendedLifetime(connection) {
      // A disconnected client needs no response.
      try? connection.send(answer(to: client, respond).bytes)
      shutdown(client, Int32(SHUT_WR))
    }
  }

  private func answer(
    to client: Int32,
    _ respond: (HTTPRequest) -> HTTPResponse
  ) -> HTTPResponse {
    switch head(from: client) {
    case .text(let head):
      guard let request = HTTPRequest(head) else { return .refusal(400, "not a request") }
      return respond(request)
    case .tooLong: return .refusal(413, "the request is too long")
    case .none: return .refusal(400, "the request did not come")
    }
  }

  private enum Head {
    case text(String)
    case tooLong
    case none
  }

  /// Reads the head of a request, which may arrive in several parts.
  ///
  /// A body is not read.
  private func head(from client: Int32) -> Head {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    let deadline = Date.now.addingTimeInterval(Double(Self.patience))
    var part = [UInt8](repeating: 0, count: 4096)
    while Date.now < deadline {
      let count = recv(client, &part, part.count, 0)
      guard count > 0 else { return .none }
      bytes += part[..<count]
      if bytes.count > HTTPRequest.longest { return .tooLong }
      if let range = bytes.firstRange(of: end) {
        guard let text = String(validating: bytes[..<range.lowerBound], as: UTF8.self) else {
          return .none
        }
        return .text(text)
      }
    }
    return .none
  }
}
