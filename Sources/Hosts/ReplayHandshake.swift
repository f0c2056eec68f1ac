import ActionLog
import Foundation

/// The handshake by which a tool recognizes the output of its host.
///
/// The tool puts a token into the host's environment. The host writes the token as the member `replayer` into every
/// header. A program that only copies its input does not.
package struct ReplayHandshake: Sendable, Equatable {
  /// The name of the environment variable that contains the token.
  ///
  /// If a host finds this variable, a tool started it. The tool reads the same logs and reports their errors.
  package static let variable = "TCA_REPLAY_CHILD"

  let token: String

  /// Creates a handshake with a random token.
  package init() { token = UUID().uuidString }

  package init?(environment: [String: String]) {
    guard let token = environment[Self.variable], !token.isEmpty else { return nil }
    self.token = token
  }

  /// Returns the description of this program for the headers of logs that it replays.
  ///
  /// - Parameter handshake: The handshake with the tool, or `nil` if no tool started this process.
  /// - Returns: The value of the header's member `replayer`.
  package static func replayer(_ handshake: ReplayHandshake?) -> JSON {
    var object: JSON.Object = ["version": .string(Version.current)]
    object["token"] = handshake.map { .string($0.token) }
    object["hashSeed"] = HashSeed.taken.map { .number(JSON.Number($0)) }
    return .object(object)
  }

  /// Returns whether a header was written by the host with this token.
  func matches(_ header: LogEvent.Header) -> Bool {
    header.rest["replayer"]?["token"]?.string == token
  }

  /// The header of an empty log, which the host returns after all events of the previous log.
  var separator: LogEvent.Header { header("separator-\(token)") }

  /// The first event that a host returns for a log that it does not replay.
  package var head: LogEvent {
    var header = header("refused-\(token)")
    header.rest["replayer"] = Self.replayer(self)
    return .header(header)
  }

  private func header(_ id: String) -> LogEvent.Header {
    LogEvent.Header(id: id, feature: "", stateType: "", startedAt: "", recorder: "")
  }
}
