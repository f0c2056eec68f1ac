/// An error for a value in a log that can't be decoded.
///
/// ```swift
/// do { _ = try LogDecoder(["isDone": 1]).members().value("isDone", Bool.self) } catch { print(error) }
/// // 'isDone' should be a boolean for Bool; found 1
/// ```
public struct LogDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the value within the complete value.
  public let path: JSON.Pointer
  /// The name of the type that could not be decoded.
  public let type: String
  /// The reason why the value at the path can't be decoded.
  public let problem: Problem

  /// The reasons why a value can't be decoded.
  ///
  /// ```swift
  /// guard let color = Color(rawValue: name) else { throw decoder.error(.unknownCase(name), type: Color.self) }
  /// ```
  public enum Problem: Hashable, Sendable {
    /// The log lacks the member, and neither a template nor a default value supplies it.
    case missing
    /// The value in the log doesn't have the form that the type requires.
    case mismatch(expected: String, found: JSON)
    /// The enum doesn't have this case.
    case unknownCase(String)
    /// The log holds only the name of the value's type, because the value could not be encoded.
    case opaque(String)
    /// The type has no function that decodes its values.
    case notDecodable
    /// The type is a box, such as `any Sendable`, and the log lacks the type of the value inside it.
    case boxed
    /// The type's `init(from:)` threw an error with this description.
    case refused(String)
  }

  /// The path of the value and the reason why the value can't be decoded, as text for people.
  public var description: String { Wording.describe(self) }

  /// Returns `description`, with the log's own instruction for an opaque type in place of the default one.
  package func description(_ remedies: OpaqueTypeRemedies) -> String {
    Wording.describe(self, remedies)
  }
}
