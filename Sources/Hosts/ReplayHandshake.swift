import ActionLog
import Foundation

/// The handshake of a tool with the host that replays for it.
///
/// The tool puts a token into the host's environment; the host puts it, as the member `replayer`, into every header that it
/// writes. A program that only copies its input does not.
package struct ReplayHandshake: Sendable, Equatable {
  /// The environment variable with the token: its presence tells a host that it works for a tool, which reads the same logs
  /// and reports their errors.
  package static let variable = "TCA_REPLAY_CHILD"

  let token: String

  /// A random token.
  package init() { token = UUID().uuidString }

  package init?(environment: [String: String]) {
    guard let token = environment[Self.variable], !token.isEmpty else { return nil }
    self.token = token
  }

  /// The description of a replaying program in the headers that it writes.
  ///
  /// - Parameter handshake: The handshake of the tool.
  /// - Returns: The member of the header.
  package static func replayer(_ handshake: ReplayHandshake?) -> JSON {
    var object: JSON.Object = ["version": .string(Version.current)]
    object["token"] = handshake.map { .string($0.token) }
    object["hashSeed"] = HashSeed.taken.map { .number(JSON.Number($0)) }
    return .object(object)
  }

  /// Whether the host with this token wrote a header.
  func matches(_ header: LogEvent.Header) -> Bool {
    header.rest["replayer"]?["token"]?.string == token
  }

  /// The header of an empty log: the host returns it after all events of the log before.
  var separator: LogEvent.Header { header("separator-\(token)") }

  /// The first event of a host's answer to a log that it does not replay.
  package var head: LogEvent {
    var header = header("refused-\(token)")
    header.rest["replayer"] = Self.replayer(self)
    return .header(header)
  }

  private func header(_ id: String) -> LogEvent.Header {
    LogEvent.Header(id: id, feature: "", stateType: "", startedAt: "", recorder: "")
  }
}
