import ActionLog
import Foundation

/// The handshake between a tool and the host that replays for it.
///
/// The tool puts a token into the host's environment. The host writes the token as the member `replayer` into every
/// header. A program that only copies its input does not.
package struct ReplayHandshake: Sendable, Equatable {
  /// The environment variable with the token.
  ///
  /// If it is set, a tool started the host. The tool reads the same logs and reports their errors.
  package static let variable = "TCA_REPLAY_CHILD"

  let token: String

  /// Creates a handshake with a random token.
  package init() { token = UUID().uuidString }

  package init?(environment: [String: String]) {
    guard let token = environment[Self.variable], !token.isEmpty else { return nil }
    self.token = token
  }

  /// Returns the description of a replaying program for the headers that it writes.
  ///
  /// - Parameter handshake: The handshake of the tool.
  /// - Returns: The member of the header.
  package static func replayer(_ handshake: ReplayHandshake?) -> JSON {
    var object: JSON.Object = ["version": .string(Version.current)]
    object["token"] = handshake.map { .string($0.token) }
    object["hashSeed"] = HashSeed.taken.map { .number(JSON.Number($0)) }
    return .object(object)
  }

  /// Whether the host with this token wrote the header.
  func matches(_ header: LogEvent.Header) -> Bool {
    header.rest["replayer"]?["token"]?.string == token
  }

  /// The header of an empty log.
  ///
  /// The host returns it after all events of the previous log.
  var separator: LogEvent.Header { header("separator-\(token)") }

  /// The first event of a host's response to a log that it does not replay.
  package var head: LogEvent {
    var header = header("refused-\(token)")
    header.rest["replayer"] = Self.replayer(self)
    return .header(header)
  }

  private func header(_ id: String) -> LogEvent.Header {
    LogEvent.Header(id: id, feature: "", stateType: "", startedAt: "", recorder: "")
  }
}
