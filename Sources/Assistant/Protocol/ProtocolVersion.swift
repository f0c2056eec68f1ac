import ActionLog

/// A version of the Model Context Protocol that the server speaks.
enum ProtocolVersion: String, Sendable, CaseIterable {
  /// Without a session: each request states the version and the client's capabilities.
  case stateless = "2026-07-28"
  /// With a session, which begins with `initialize`.
  case handshake = "2025-11-25"

  /// The versions, the newest first.
  static let supported: [JSON] = allCases.map { .string($0.rawValue) }
}
