/// Text in Swift notation as it is written: its bytes, the columns that they take, and whether anything was left out.
struct NotationOutput {
  private(set) var bytes: [UInt8]
  /// The columns that have been written.
  private(set) var column = 0
  /// Whether anything was left out.
  private(set) var isCut = false

  /// - Parameter bytes: What stands before the text.
  init(appendingTo bytes: [UInt8] = []) { self.bytes = bytes }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ text: StaticString) {
    bytes.append(literal: text)
    column += text.utf8CodeUnitCount
  }

  /// Writes text that is known to be visible ASCII.
  mutating func append(ascii text: String) {
    bytes.append(text)
    column += text.utf8.count
  }

  /// Writes text that is known to be visible ASCII.
  mutating func append(ascii text: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: text)
    column += text.count
  }

  /// Writes `…` for what is left out, and ASCII after it.
  mutating func putEllipsis(and text: String = "") {
    isCut = true
    bytes.append("…")
    column += 1
    append(ascii: text)
  }

  /// Writes the end of an id after `…`.
  ///
  /// - Parameters:
  ///   - end: The last characters of the id.
  ///   - columns: The columns that are counted for it. An id that needs more characters, for there are others like it, does not
  ///     change what else has room.
  mutating func append(id end: Substring, columns: Int) {
    bytes.append("…" + end)
    column += 1 + columns
  }

  /// Writes text with hidden characters made visible.
  mutating func append(visible text: String, quote: Unicode.Scalar = "\"") {
    var visible = VisibleText(quote: quote)
    for scalar in text.unicodeScalars { append(scalar, &visible, upTo: .max) }
  }

  /// Writes a scalar of a text, if it does not take more columns than these.
  ///
  /// - Returns: The columns that it takes; `nil` if these are too many.
  @discardableResult
  mutating func append(
    _ scalar: Unicode.Scalar,
    _ text: inout VisibleText,
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

  /// Adds what was written elsewhere.
  mutating func append(_ other: NotationOutput) {
    bytes += other.bytes
    column += other.column
  }

  /// A place in the text to return to.
  typealias Mark = (bytes: Int, column: Int)

  var mark: Mark { (bytes.count, column) }

  /// Removes what was written after a mark.
  mutating func rewind(to mark: Mark) {
    bytes.removeSubrange(mark.bytes...)
    column = mark.column
  }

  /// Puts what was written after a mark into parentheses, unless it starts with one.
  mutating func parenthesize(from mark: Mark) {
    guard bytes.count > mark.bytes, bytes[mark.bytes] != UInt8(ascii: "(") else { return }
    bytes.insert(UInt8(ascii: "("), at: mark.bytes)
    bytes.append(UInt8(ascii: ")"))
    column += 2
  }
}
