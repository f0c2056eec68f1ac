/// A member that exists only in the log, or only in the code.
///
/// ```swift
/// for drift in decoder.drift { print(drift.path, drift.kind) }  // /todos/0/isDone missingInLog
/// ```
public struct SchemaDrift: Hashable, Sendable {
  /// The path of the member within the decoded value.
  public let path: JSON.Pointer
  /// Whether the log or the code lacks the member.
  public let kind: Kind

  /// Creates a drift for the member at a path.
  public init(path: JSON.Pointer, kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// The kinds of drift: a member is missing in the log, or unknown to the code.
  ///
  /// ```swift
  /// let isOlderLog = decoder.drift.contains { $0.kind == .missingInLog }
  /// ```
  public enum Kind: String, Hashable, Sendable {
    /// The log lacks a member that the code has.
    ///
    /// The member gets its value from the template, such as the initial state, or else its default value.
    case missingInLog
    /// The code lacks a member that the log has.
    case unknownToCode
  }
}
