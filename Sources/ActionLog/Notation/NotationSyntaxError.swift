/// An error in Swift notation, and its position.
package struct NotationSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package let text: String
  /// The position of the error in Unicode scalars, counted from 1.
  package let column: Int
  /// The character at the position, or `nil` at the end of the text.
  package let found: String?
  /// The form that the grammar requires at the position, as text for people.
  package let expected: String

  package init(text: String, column: Int, found: String?, expected: String) {
    self.text = text
    self.column = column
    self.found = found
    self.expected = expected
  }

  package var description: String { Wording.describe(self) }
}
