/// A part of a value that exists only in the log or only in the code.
///
/// ```swift
/// for drift in decoder.drift { print(drift.path, drift.kind) }  // /todos/0/isDone missingInLog
/// ```
public struct SchemaDrift: Hashable, Sendable {
  /// The path of the part.
  public let path: JSON.Pointer
  /// The side that lacks the part.
  public let kind: Kind

  /// Creates a drift at a path.
  public init(path: JSON.Pointer, kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// The side that lacks a part.
  ///
  /// ```swift
  /// let isOlderLog = decoder.drift.contains { $0.kind == .missingInLog }
  /// ```
  public enum Kind: String, Hashable, Sendable {
    /// The log lacks a member of the code.
    ///
    /// The member keeps its value in the initial state.
    case missingInLog
    /// The code lacks a member of the log.
    case unknownToCode
  }
}
