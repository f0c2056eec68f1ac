import Foundation

extension JSON {
  /// The maximum nesting of arrays and objects in JSON text.
  ///
  /// Parsing deeper input throws a `JSON.ParseError`, because each level uses stack space.
  ///
  /// ```swift
  /// let text = String(repeating: "[", count: JSON.deepestNesting + 1)
  /// do { _ = try JSON(parsing: text) } catch { print(error) }
  /// // found more than 512 levels of nesting, at byte 512
  /// ```
  public static let deepestNesting = 512

  /// Parses a string that contains one JSON value.
  ///
  /// - Throws: A `JSON.ParseError` with the offset of the first error.
  public init(parsing text: String) throws(ParseError) {
    var text = text
    self = try text.withUTF8 { Self.parse($0) }.get()
  }

  /// Parses UTF-8 bytes that contain one JSON value.
  ///
  /// - Throws: A `JSON.ParseError` with the offset of the first error.
  public init(parsing bytes: some Sequence<UInt8>) throws(ParseError) {
    let result =
      bytes.withContiguousStorageIfAvailable { Self.parse($0) }
      ?? ContiguousArray(bytes).withUnsafeBufferPointer { Self.parse($0) }
    self = try result.get()
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<JSON, ParseError> {
    var parser = Parser(bytes: bytes)
    do throws(ParseError) { return .success(try parser.document()) } catch {
      return .failure(error)
    }
  }

  /// A recursive-descent parser for a text that is completely in memory.
  struct Parser {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    var depth = 0
    /// Whether skipping accepts only the encoder's layout, which has no whitespace and no unnecessary escapes.
    var isCompact = false

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func document() throws(ParseError) -> JSON {
      let value = try self.value()
      skipSpace()
      guard position == bytes.count else { throw failure(.trailingBytes) }
      return value
    }

    mutating func value() throws(ParseError) -> JSON {
      skipSpace()
      guard position < bytes.count else { throw failure(.unexpectedEnd) }
      switch bytes[position] {
      case UInt8(ascii: "{"): return try object()
      case UInt8(ascii: "["): return try array()
      case UInt8(ascii: "\""): return .string(try string())
      case UInt8(ascii: "t"): return try literal("true", .bool(true))
      case UInt8(ascii: "f"): return try literal("false", .bool(false))
      case UInt8(ascii: "n"): return try literal("null", .null)
      default: return try number()
      }
    }

    private mutating func object() throws(ParseError) -> JSON {
      try enter()
      var object = Object()
      skipSpace()
      if consume(UInt8(ascii: "}")) { return leave(.object(object)) }
      object.reserve()
      while true {
        skipSpace()
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        guard bytes[position] == UInt8(ascii: "\"") else { throw unexpected("a member name") }
        let key = try string()
        skipSpace()
        guard consume(UInt8(ascii: ":")) else { throw unexpected("':'") }
        object[key] = try value()
        skipSpace()
        if consume(UInt8(ascii: ",")) { continue }
        guard consume(UInt8(ascii: "}")) else { throw unexpected("',' or '}'") }
        return leave(.object(object))
      }
    }

    private mutating func array() throws(ParseError) -> JSON {
      try enter()
      var elements: [JSON] = []
      skipSpace()
      if consume(UInt8(ascii: "]")) { return leave(.array(elements)) }
      while true {
        elements.append(try value())
        skipSpace()
        if consume(UInt8(ascii: ",")) { continue }
        guard consume(UInt8(ascii: "]")) else { throw unexpected("',' or ']'") }
        return leave(.array(elements))
      }
    }

    private mutating func number() throws(ParseError) -> JSON {
      let start = position
      while position < bytes.count, Self.isNumberByte(bytes[position]) { position += 1 }
      guard position > start else { throw unexpected("a value") }
      let literal = UnsafeBufferPointer(rebasing: bytes[start..<position])
      guard Number.isNumber(literal) else {
        position = start
        throw unexpected("a number")
      }
      return .number(Number(scanned: String(decoding: literal, as: UTF8.self)))
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(ParseError) -> JSON {
      for index in 0..<text.utf8CodeUnitCount {
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        guard bytes[position] == text.utf8Start[index] else { throw unexpected("'\(text)'") }
        position += 1
      }
      return value
    }
  }
}

extension JSON.Parser {
  /// Reads a string, whose opening quote must be at the position.
  mutating func string() throws(JSON.ParseError) -> String {
    position += 1
    let start = position
    let isASCII = passPlainBytes()
    guard position < bytes.count else { throw failure(.unexpectedEnd) }
    switch bytes[position] {
    case UInt8(ascii: "\""):
      let bytes = UnsafeBufferPointer(rebasing: bytes[start..<position])
      guard
        let text = isASCII
          ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
      else { throw failure(.invalidUTF8, at: start) }
      position += 1
      return text
    case UInt8(ascii: "\\"): return try escapedString(from: start)
    default: throw unexpected("an escaped control character")
    }
  }

  private mutating func escapedString(from start: Int) throws(JSON.ParseError) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      let byte = bytes[position]
      guard byte >= 0x20 else { throw unexpected("an escaped control character") }
      position += 1
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: String(try escape()).utf8)
      } else {
        text.append(byte)
      }
    }
    guard position < bytes.count else { throw failure(.unexpectedEnd) }
    guard let string = String(validating: text, as: UTF8.self) else {
      throw failure(.invalidUTF8, at: start)
    }
    position += 1
    return string
  }

  mutating func escape() throws(JSON.ParseError) -> Unicode.Scalar {
    guard position < bytes.count else { throw failure(.unexpectedEnd) }
    defer { position += 1 }
    switch bytes[position] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw unexpected("an escape")
    }
  }

  /// Reads the digits after `\u`, and a second escape if the first one is half of a surrogate pair.
  ///
  /// Leaves the position at the last digit.
  private mutating func unicodeEscape() throws(JSON.ParseError) -> Unicode.Scalar {
    let start = position
    let first = try hexDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, position + 2 < bytes.count, bytes[position + 1] == UInt8(ascii: "\\"),
      bytes[position + 2] == UInt8(ascii: "u")
    else { throw failure(.loneSurrogate, at: start) }
    position += 2
    let second = try hexDigits()
    guard second >= 0xDC00, second <= 0xDFFF,
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw failure(.loneSurrogate, at: start) }
    return scalar
  }

  private mutating func hexDigits() throws(JSON.ParseError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      position += 1
      guard position < bytes.count else { throw failure(.unexpectedEnd) }
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
        throw unexpected("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  mutating func consume(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  // Inlined, so that a short text is compared as machine words without a call.
  @inline(__always)
  mutating func consume(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count, let base = bytes.baseAddress,
      memcmp(base + position, text.utf8Start, count) == 0
    else { return false }
    position += count
    return true
  }

  /// Skips to the first byte that must be escaped in a string: a quote, a backslash, or a control character.
  ///
  /// - Returns: Whether all skipped bytes are ASCII.
  mutating func passPlainBytes() -> Bool {
    let (end, isASCII) = bytes.plainBytes(from: position)
    position = end
    return isASCII
  }

  mutating func enter() throws(JSON.ParseError) {
    depth += 1
    guard depth <= JSON.deepestNesting else { throw failure(.nestedTooDeep) }
    position += 1
  }

  mutating func leave(_ value: JSON) -> JSON {
    depth -= 1
    return value
  }

  static func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  func failure(
    _ problem: JSON.ParseError.Problem,
    at offset: Int? = nil
  ) -> JSON.ParseError {
    JSON.ParseError(offset: offset ?? position, problem: problem)
  }

  func unexpected(_ expected: String) -> JSON.ParseError {
    guard position < bytes.count else { return failure(.unexpectedEnd) }
    return failure(.unexpectedByte(bytes[position], expected: expected))
  }
}

extension JSON {
  /// An error in JSON text, and its offset.
  ///
  /// ```swift
  /// do { _ = try JSON(parsing: "[1,") } catch { print(error) }
  /// // the text ends in the middle of a JSON value, at byte 3
  /// ```
  public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset of the first invalid byte, counted from 0.
    public let offset: Int
    /// The kind of error at `offset`.
    public let problem: Problem

    /// The kinds of errors in JSON text.
    ///
    /// ```swift
    /// do { _ = try JSON(parsing: text) } catch where error.problem == .trailingBytes {
    ///   print("more than one value")
    /// }
    /// ```
    public enum Problem: Hashable, Sendable {
      /// The text ends before the value is complete.
      case unexpectedEnd
      /// A byte is not allowed at its position, where the grammar requires `expected`.
      case unexpectedByte(UInt8, expected: String)
      /// More text follows the value.
      case trailingBytes
      /// The bytes are not valid UTF-8.
      case invalidUTF8
      /// A `\u` escape is half of a surrogate pair (RFC 8259, section 8.2).
      case loneSurrogate
      /// Arrays and objects are nested deeper than `JSON.deepestNesting`.
      case nestedTooDeep
    }

    /// The error and its offset, as text for people.
    public var description: String { Wording.describe(self) }
  }
}
