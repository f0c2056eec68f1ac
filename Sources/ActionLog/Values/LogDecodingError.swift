/// Why a value cannot be read from what the log holds of it.
public struct LogDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place within the value.
  public let path: JSON.Pointer
  /// The type that was to be read there.
  public let type: String
  /// What is wrong there.
  public let problem: Problem

  /// What can be wrong with a value in the log.
  public enum Problem: Hashable, Sendable {
    /// The log has no such member, and there is no value to stand in for it.
    case missing
    /// The log holds something else than the type is written as.
    case mismatch(expected: String, found: JSON)
    /// The enum has no such case.
    case unknownCase(String)
    /// The log holds only the name of the type, for the type could not be written.
    case opaque(String)
    /// The type has no way of being read.
    case notDecodable
    /// The type's own `init(from:)` refused it.
    case refused(String)
  }

  /// The place, what was found and what was expected.
  public var description: String { Wording.describe(self) }
}

/// A part of a value that the log has and the code has not, or the other way round.
public struct SchemaDrift: Hashable, Sendable {
  /// The place of the part.
  public let path: JSON.Pointer
  /// Which side lacks it.
  public let kind: Kind

  /// A drift at a place.
  public init(path: JSON.Pointer, kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// Which side lacks the part.
  public enum Kind: String, Hashable, Sendable {
    /// The code has a member that the log lacks; it keeps the value that a fresh state has.
    case missingInLog
    /// The log has a member that the code no longer has.
    case unknownToCode
  }
}

/// An error as far as the log knows it: what takes the place of an error whose type cannot be read back.
public struct LoggedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the type.
  public let type: String
  /// How the error described itself.
  public let description: String

  /// An error of this type and description.
  public init(type: String, description: String) {
    self.type = type
    self.description = description
  }
}
