/// The bytes that a `NotationWriter` has written, the number of columns, and whether a part was omitted.
struct NotationOutput {
  private(set) var bytes: [UInt8]
  /// The number of terminal columns that were written.
  private(set) var column = 0
  /// Whether a part of the value was omitted.
  private(set) var isCut = false

  /// Creates an output that appends to existing text.
  ///
  /// - Parameter bytes: The existing text in UTF-8, which doesn't count as columns.
  init(appendingTo bytes: [UInt8] = []) { self.bytes = bytes }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ text: StaticString) {
    bytes.append(literal: text)
    column += text.utf8CodeUnitCount
  }

  /// Writes text that consists of visible ASCII.
  mutating func append(ascii text: String) {
    bytes.append(text)
    column += text.utf8.count
  }

  /// Writes text that consists of visible ASCII.
  mutating func append(ascii text: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: text)
    column += text.count
  }

  /// Writes `…` for an omitted part, followed by ASCII text.
  mutating func putEllipsis(and text: String = "") {
    isCut = true
    bytes.append("…")
    column += 1
    append(ascii: text)
  }

  /// Writes `…` and the end of an id.
  ///
  /// - Parameters:
  ///   - end: The last characters of the id.
  ///   - columns: The number of columns to count for `end`. If similar ids need a longer suffix, the additional
  ///     characters don't reduce the space for other parts.
  mutating func append(id end: Substring, columns: Int) {
    bytes.append("…" + end)
    column += 1 + columns
  }

  /// Writes a string with hidden characters made visible.
  mutating func append(visible text: String, quote: Unicode.Scalar = "\"") {
    var visible = EscapedText(quote: quote)
    for scalar in text.unicodeScalars { append(scalar, &visible, upTo: .max) }
  }

  /// Writes a scalar, unless it takes more than the given number of columns.
  ///
  /// - Returns: The number of columns written, or `nil` if the scalar doesn't fit.
  @discardableResult
  mutating func append(
    _ scalar: Unicode.Scalar,
    _ text: inout EscapedText,
    upTo columns: Int
  ) -> Int? {
    let start = bytes.count
    let width = text.append(scalar, to: &bytes)
    guard width <= columns else {
      bytes.removeSubrange(start...)
      return nil
    }
    column += width
    return width
  }

  /// Appends the contents of another output.
  mutating func append(_ other: NotationOutput) {
    bytes += other.bytes
    column += other.column
  }

  /// A position in the output, to which `rewind(to:)` returns.
  typealias Mark = (bytes: Int, column: Int)

  var mark: Mark { (bytes.count, column) }

  /// Removes the output that follows a mark.
  mutating func rewind(to mark: Mark) {
    bytes.removeSubrange(mark.bytes...)
    column = mark.column
  }

  /// Encloses the output that follows a mark in parentheses, unless it is empty or already starts with one.
  mutating func parenthesize(from mark: Mark) {
    guard bytes.count > mark.bytes, bytes[mark.bytes] != UInt8(ascii: "(") else { return }
    bytes.insert(UInt8(ascii: "("), at: mark.bytes)
    bytes.append(UInt8(ascii: ")"))
    column += 2
  }
}
