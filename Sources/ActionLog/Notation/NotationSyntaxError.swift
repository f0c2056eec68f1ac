/// An error in text in Swift notation, and its position.
package struct NotationSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package let text: String
  /// The position of the error in Unicode scalars, from 1.
  package let column: Int
  /// The text at the position, or `nil` at the end.
  package let found: String?
  /// The text that the grammar requires at the position.
  package let expected: String

  package init(text: String, column: Int, found: String?, expected: String) {
    self.text = text
    self.column = column
    self.found = found
    self.expected = expected
  }

  package var description: String { Wording.describe(self) }
}
