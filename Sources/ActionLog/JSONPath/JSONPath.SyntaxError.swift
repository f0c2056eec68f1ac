extension JSONPath {
  /// Why a text is no query or no expression, and where.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String
    /// The place at which it goes wrong, in Unicode scalars from 1.
    public let column: Int
    /// What stands there; `nil` for the end of the text.
    public let found: String?
    /// What is wrong there.
    public let problem: Problem

    /// What can be wrong with a query.
    public enum Problem: Hashable, Sendable {
      /// Something else was expected.
      case expected(String)
      /// An index beyond what I-JSON can hold exactly (RFC 9535, section 2.1).
      case integerOutOfRange
      /// A function that RFC 9535 does not define.
      case unknownFunction(suggestion: String?)
      /// A function with the wrong number of arguments.
      case argumentCount(function: String, expected: Int, found: Int)
      /// A query that can select many values, where one is needed.
      case notSingular
      /// A value that is no condition by itself.
      case notACondition
      /// A test that has no value to compare.
      case notAValue
      /// A function whose argument must be a query.
      case notAQuery(function: String)
      /// Parentheses and filters within each other, deeper than what a reader could follow.
      case nestedTooDeep
    }

    /// The problem in words, with its place and the text under which a mark stands.
    public var description: String { Wording.describe(self) }
  }
}
