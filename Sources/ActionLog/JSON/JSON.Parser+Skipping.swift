// Skips values without creating trees, for events whose values are counted or kept as text. Skipping accepts the input
// that `value()` accepts or, if `isCompact` is set, only the part of it that has the encoder's layout.
extension JSON.Parser {
  /// Skips a value.
  ///
  /// - Returns: `false` if `value()` would throw an error here. If `isCompact` is set, also `false` for a value that
  ///   doesn't have the encoder's layout.
  mutating func skipValue() -> Bool {
    skipBlanks()
    guard position < bytes.count else { return false }
    switch bytes[position] {
    case UInt8(ascii: "{"): return skipObject()
    case UInt8(ascii: "["): return skipArray()
    case UInt8(ascii: "\""): return skipString()
    case UInt8(ascii: "t"): return consume("true")
    case UInt8(ascii: "f"): return consume("false")
    case UInt8(ascii: "n"): return consume("null")
    default: return skipNumber()
    }
  }

  /// The result of skipping a value.
  enum SkipResult {
    /// The range of a value that has the encoder's layout.
    case text(Range<Int>)
    /// The tree of a value that has any other layout.
    case json(JSON)
  }

  /// Skips a value, and returns its range if it has the encoder's layout, or otherwise its tree.
  ///
  /// Returns `nil` if `value()` would throw an error here.
  mutating func skipped() -> SkipResult? {
    skipSpace()
    let (start, level) = (position, depth)
    isCompact = true
    let isSkipped = skipValue()
    isCompact = false
    if isSkipped { return .text(start..<position) }
    (position, depth) = (start, level)
    return (try? value()).map { .json($0) }
  }

  /// Reads an input that consists of one object, and passes the members to a function in order.
  ///
  /// - Parameter body: Receives a name and its value. The first argument is the range of the name in the input. If the
  ///   name has escapes or isn't ASCII, the range is empty, and the second argument is the unescaped name.
  /// - Returns: Whether the input is one object.
  mutating func members(_ body: (Range<Int>, String?, SkipResult) -> Void) -> Bool {
    skipSpace()
    guard consume(UInt8(ascii: "{")) else { return false }
    depth = 1
    skipSpace()
    if !consume(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return false }
        let start = position + 1
        var name: Range<Int>?
        var unescaped: String?
        let (end, isASCII) = bytes.plainBytes(from: start)
        if isASCII, end < bytes.count, bytes[end] == UInt8(ascii: "\"") {
          name = start..<end
          position = end + 1
        } else {
          unescaped = try? string()
          guard unescaped != nil else { return false }
        }
        skipSpace()
        guard consume(UInt8(ascii: ":")), let value = skipped() else { return false }
        body(name ?? start..<start, unescaped, value)
        skipSpace()
      } while consume(UInt8(ascii: ","))
      guard consume(UInt8(ascii: "}")) else { return false }
    }
    skipSpace()
    return position == bytes.count
  }

  /// Reads a nonnegative integer of at most 15 digits, or returns `nil` for another value.
  mutating func wholeNumber() -> Int? {
    let start = position
    var value = 0
    var end = start
    while end < bytes.count {
      let digit = bytes[end] &- 0x30
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      end &+= 1
    }
    position = end
    let count = end - start
    // A number of 15 digits is less than 2^53, the limit for numbers in a log.
    guard count > 0, count <= 15, count == 1 || bytes[start] != 0x30 else { return nil }
    return value
  }

  /// Skips a value and returns its text without leading whitespace, or returns `nil` if the value is invalid.
  mutating func skippedValue() -> UnsafeBufferPointer<UInt8>? {
    skipBlanks()
    let start = position
    guard skipValue() else { return nil }
    return UnsafeBufferPointer(rebasing: bytes[start..<position])
  }

  private mutating func skipObject() -> Bool {
    guard descend() else { return false }
    skipBlanks()
    if consume(UInt8(ascii: "}")) { return ascend() }
    while true {
      skipBlanks()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\""), skipString() else {
        return false
      }
      skipBlanks()
      guard consume(UInt8(ascii: ":")), skipValue() else { return false }
      skipBlanks()
      if consume(UInt8(ascii: ",")) { continue }
      return consume(UInt8(ascii: "}")) && ascend()
    }
  }

  private mutating func skipArray() -> Bool {
    guard descend() else { return false }
    skipBlanks()
    if consume(UInt8(ascii: "]")) { return ascend() }
    while true {
      guard skipValue() else { return false }
      skipBlanks()
      if consume(UInt8(ascii: ",")) { continue }
      return consume(UInt8(ascii: "]")) && ascend()
    }
  }

  private mutating func skipBlanks() {
    if !isCompact { skipSpace() }
  }

  /// Consumes the opening bracket of an array or object.
  ///
  /// - Returns: `false` if the nesting would exceed `JSON.deepestNesting`.
  mutating func descend() -> Bool {
    depth += 1
    position += 1
    return depth <= JSON.deepestNesting
  }

  private mutating func ascend() -> Bool {
    depth -= 1
    return true
  }

  /// Skips a string, whose opening quote must be at the position.
  ///
  /// - Returns: `false` if the string is invalid.
  mutating func skipString() -> Bool {
    position += 1
    let start = position
    var isASCII = true
    while true {
      isASCII = passPlainBytes() && isASCII
      guard position < bytes.count else { return false }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        // Escapes are ASCII and stand for complete scalars. If the text is valid UTF-8, so are the parts between
        // escapes.
        let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
        position += 1
        return isASCII || String(validating: text, as: UTF8.self) != nil
      case UInt8(ascii: "\\"):
        position += 1
        if isCompact, !isWrittenEscape() { return false }
        guard (try? escape()) != nil else { return false }
      default: return false
      }
    }
  }

  /// Whether the escape at the position has the form that encoders write: the shortest one, in lowercase letters.
  private func isWrittenEscape() -> Bool {
    guard position < bytes.count else { return false }
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
      return true
    case UInt8(ascii: "u"):
      let digits = bytes[(position + 1)...].prefix(4)
      guard digits.starts(with: "00".utf8), digits.count == 4, let last = digits.last else {
        return false
      }
      switch digits[position + 3] {
      // Some of these control characters have a shorter escape.
      case UInt8(ascii: "0"): return "01234567bef".utf8.contains(last)
      case UInt8(ascii: "1"): return "0123456789abcdef".utf8.contains(last)
      default: return false
      }
    default: return false
    }
  }

  private mutating func skipNumber() -> Bool {
    _ = consume(UInt8(ascii: "-"))
    if consume(UInt8(ascii: "0")) {
      // No digit may follow a leading zero.
    } else if skipDigits() == 0 {
      return false
    }
    if consume(UInt8(ascii: ".")), skipDigits() == 0 { return false }
    if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
      _ = consume(UInt8(ascii: "+")) || consume(UInt8(ascii: "-"))
      guard skipDigits() > 0 else { return false }
    }
    return position == bytes.count || !Self.isNumberByte(bytes[position])
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
    return position - start
  }
}
