extension JSON {
  /// Why a text is not JSON, and where.
  public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The byte at which the text stops being JSON, counted from 0.
    public let offset: Int
    /// What is wrong there.
    public let problem: Problem

    /// What can be wrong with a text that should be JSON.
    public enum Problem: Hashable, Sendable {
      /// The text ends in the middle of a value.
      case unexpectedEnd
      /// A byte that cannot stand there, and what could.
      case unexpectedByte(UInt8, expected: String)
      /// Text after the value.
      case trailingBytes
      /// Bytes that are not UTF-8.
      case invalidUTF8
      /// A `\u` escape with half of a surrogate pair (RFC 8259, section 8.2).
      case loneSurrogate
      /// Arrays and objects within each other, deeper than `JSON.deepestNesting`.
      case nestedTooDeep
    }

    /// The problem in words, with its place.
    public var description: String { Wording.describe(self) }
  }
}
