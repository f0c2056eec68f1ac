import ActionLog

/// A supported version of the Model Context Protocol.
enum ProtocolVersion: String, Sendable, CaseIterable {
  /// A version without sessions.
  ///
  /// Each request states the version and the client's capabilities.
  case stateless = "2026-07-28"
  /// A version with sessions, which start with `initialize`.
  case handshake = "2025-11-25"

  /// The versions in descending order.
  static let supported: [JSON] = allCases.map { .string($0.rawValue) }
}
