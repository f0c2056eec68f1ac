import ActionLog
import Foundation

/// A connection to a running app, through which a debugger moves the app's timeline.
///
/// When the connection ends, the app returns to the present.
///
/// ```swift
/// let app = try AttachedApp(at: "/tmp/app.sock")
/// let log = try app.log()
/// try app.move(to: 12)
/// ```
package final class AttachedApp {
  private let socket: LineSocket

  /// Connects to an app, using the token that the app has written next to its socket.
  ///
  /// - Parameter path: The path of the app's socket.
  /// - Throws: `AttachError` if the token can't be read, the connection fails, or the app refuses the token.
  package init(at path: String) throws(AttachError) {
    let token: String
    do {
      let text = try String(contentsOfFile: AttachProtocol.tokenPath(of: path), encoding: .utf8)
      token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    } catch { throw .noToken(path: AttachProtocol.tokenPath(of: path)) }
    do throws(SocketError) { socket = try LineSocket(connectingTo: path) } catch {
      throw .socket(error)
    }
    _ = try ask([AttachProtocol.token: .string(token)])
  }

  /// Requests the bytes of the log that the app's timeline shows.
  ///
  /// - Throws: `AttachError` if the connection fails or the app returns an error.
  package func log() throws(AttachError) -> [UInt8] {
    let answer = try ask([AttachProtocol.request: "log"])
    guard let count = answer[AttachProtocol.bytes]?.int, count >= 0 else {
      throw .refused("it does not say how long its log is")
    }
    do throws(SocketError) { return try socket.receive(count: count) } catch {
      throw .socket(error)
    }
  }

  /// Moves the app's timeline to the state after an action.
  ///
  /// - Parameter seq: The number of the action to move to.
  /// - Throws: `AttachError` if the connection fails or the app refuses to move.
  package func move(to seq: Int) throws(AttachError) {
    _ = try ask([AttachProtocol.request: "move", AttachProtocol.seq: .number(JSON.Number(seq))])
  }

  private func ask(_ request: JSON) throws(AttachError) -> JSON {
    let answer: JSON?
    do throws(SocketError) {
      try socket.send(request)
      answer = try socket.receive()
    } catch { throw .socket(error) }
    guard let answer else { throw .socket(.closed) }
    if let problem = answer[AttachProtocol.error]?.string { throw .refused(problem) }
    return answer
  }
}

/// The names of the JSON members in messages between an app and a debugger.
package enum AttachProtocol {
  package static let token = "token"
  package static let request = "request"
  package static let seq = "seq"
  package static let bytes = "bytes"
  package static let error = "error"

  /// Returns the path of the file that contains the token for a socket.
  package static func tokenPath(of socket: String) -> String { socket + ".token" }
}

/// The reason why a debugger can't move an app.
package enum AttachError: Error, Hashable, CustomStringConvertible {
  /// The token file is missing or can't be read.
  case noToken(path: String)
  case socket(SocketError)
  /// The app has answered with an error message.
  case refused(String)

  package var description: String { Wording.describe(self) }
}
