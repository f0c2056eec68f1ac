/// An error that occurs when a value in a log can't be decoded.
///
/// ```swift
/// do { _ = try LogDecoder(["isDone": 1]).members().value("isDone", Bool.self) } catch { print(error) }
/// // 'isDone' should be a boolean for Bool; found 1
/// ```
public struct LogDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path in the decoded value.
  public let path: JSON.Pointer
  /// The name of the type that could not be decoded.
  public let type: String
  /// The problem at the path.
  public let problem: Problem

  /// A reason why a value can't be decoded.
  ///
  /// ```swift
  /// guard let color = Color(rawValue: name) else { throw decoder.error(.unknownCase(name), type: Color.self) }
  /// ```
  public enum Problem: Hashable, Sendable {
    /// The log lacks the member, and there is no template or default value.
    case missing
    /// The value in the log doesn't have the form of the type.
    case mismatch(expected: String, found: JSON)
    /// The enum doesn't have this case.
    case unknownCase(String)
    /// The log holds only the name of the type, because the value could not be encoded.
    case opaque(String)
    /// The type can't be decoded.
    case notDecodable
    /// The type is a box, such as `any Sendable`, and the log lacks the type of the value inside.
    case boxed
    /// The type's `init(from:)` threw an error.
    case refused(String)
  }

  /// The path, the value that was found and the expected form, for people.
  public var description: String { Wording.describe(self) }

  /// Returns the description with the log's own instructions for its types.
  package func description(_ remedies: LogRemedies) -> String { Wording.describe(self, remedies) }
}
