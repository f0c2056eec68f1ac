import ActionLog
import Foundation

/// How a tool and the host that replays for it know each other.
///
/// The tool puts a token into the host's environment; the host puts it, as the member `replayer`, into every header that it
/// writes. What merely copies its input cannot.
package struct ReplayHandshake: Sendable, Equatable {
  /// The variable of the environment that holds the token: its presence tells a host that it works for a tool, which
  /// reads the same logs and reports what is wrong with them.
  package static let variable = "TCA_REPLAY_CHILD"

  package let token: String

  /// A token that nobody else knows.
  package init() { token = UUID().uuidString }

  package init?(environment: [String: String]) {
    guard let token = environment[Self.variable], !token.isEmpty else { return nil }
    self.token = token
  }

  /// What a replaying program says of itself in the headers that it writes.
  ///
  /// - Parameters:
  ///   - handshake: What the tool has said.
  ///   - isPassing: Whether actions that come out as recorded are passed.
  /// - Returns: The member of the header.
  package static func replayer(_ handshake: ReplayHandshake?, isPassing: Bool = false) -> JSON {
    var object: JSON.Object = ["version": .string(Version.current)]
    object["token"] = handshake.map { .string($0.token) }
    object["hashSeed"] = HashSeed.taken.map { .number(JSON.Number($0)) }
    if isPassing { object["passes"] = true }
    return .object(object)
  }

  /// Whether a header was written by a host that passes actions that come out as recorded.
  package static func isPassing(_ header: LogEvent.Header) -> Bool {
    header.rest["replayer"]?["passes"] == true
  }

  /// Whether a header was written by the host that was given the token.
  func isEvident(in header: LogEvent.Header) -> Bool {
    header.rest["replayer"]?["token"]?.string == token
  }

  /// A header that starts a log of nothing: once the host has given it back, it has given all before it.
  package var separator: LogEvent.Header { header("separator-\(token)") }

  /// What a host begins its answer with to a log that it does not replay.
  package var head: LogEvent {
    var header = header("refused-\(token)")
    header.rest["replayer"] = Self.replayer(self)
    return .header(header)
  }

  private func header(_ id: String) -> LogEvent.Header {
    LogEvent.Header(id: id, feature: "", stateType: "", startedAt: "", recorder: "")
  }
}
