/// The text of a value, which is decoded from start to end without creating a tree.
///
/// The text must have the encoder's layout: no whitespace, and exactly the expected members in the order in which the
/// code reads them. For any other layout, decoding throws an error, such as `UnexpectedFormat`. The value is then
/// decoded again from a tree, which also determines the error message. Therefore, there is only one set of decoding
/// rules. This type is for code that macros generate, and is not `Sendable`.
///
/// ```swift
/// // A short version of the code that `@LogValue` generates for a point of two numbers.
/// static func _$read(from text: inout LogText) throws -> Point {
///   try text.beginObject()
///   let point = Point(x: try text.member("x"), y: try text.member("y"))
///   try text.endObject()
///   return point
/// }
/// ```
public struct LogText: ~Copyable {
  var parser: JSON.Parser

  /// The error for text that doesn't have the encoder's layout, and must be decoded from a tree.
  public struct UnexpectedFormat: Error {
    /// Creates the error, for generated code that finds another layout.
    public init() {}
  }

  /// Decodes text that consists of one value.
  ///
  /// - Throws: Any error if the text has another layout and must be decoded from a tree.
  package static func whole<Value>(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ read: (inout LogText) throws -> Value
  ) throws -> Value {
    var text = LogText(parser: JSON.Parser(bytes: bytes))
    let value = try read(&text)
    guard text.parser.position == bytes.count else { throw UnexpectedFormat() }
    return value
  }
}

extension LogText {
  /// Decodes a value of any type.
  ///
  /// - Throws: `UnexpectedFormat` for another layout, or the error that the type's decoding throws.
  public mutating func value<Value>(_ type: Value.Type = Value.self) throws -> Value {
    guard let known = type as? any LogValue.Type else { return try tree() }
    return try self.known(known)
  }

  /// Decodes a value whose type conforms to `LogValue`.
  public mutating func value<Value: LogValue>(_ type: Value.Type = Value.self) throws -> Value {
    try Value._$read(from: &self)
  }

  private mutating func known<Known: LogValue, Value>(_ type: Known.Type) throws -> Value {
    guard let given = SameTypeProof<Known, Value>() else { throw UnexpectedFormat() }
    return given(try Known._$read(from: &self))
  }

  /// Parses the next value into a tree and decodes it.
  ///
  /// Unlike the other methods, this one accepts text in any layout.
  mutating func tree<Value>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = LogDecoder(try parser.value())
    let value = try decoder.value(type)
    guard decoder.drift.isEmpty else { throw UnexpectedFormat() }
    return value
  }

  /// Parses the next value into a tree, and decodes it as a type that conforms to `LogValue`.
  ///
  /// Unlike the other methods, this one accepts text in any layout.
  mutating func tree<Value: LogValue>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = LogDecoder(try parser.value())
    let value = try decoder.value(type)
    guard decoder.drift.isEmpty else { throw UnexpectedFormat() }
    return value
  }
}

extension LogText {
  /// Opens an object, whose members can then be read.
  public mutating func beginObject() throws { try enter(UInt8(ascii: "{")) }

  /// Closes an object, which must have no further members.
  public mutating func endObject() throws {
    guard parser.consume(UInt8(ascii: "}")) else { throw UnexpectedFormat() }
    parser.depth -= 1
  }

  /// Decodes the next member, which must have the given name.
  public mutating func member<Value>(_ name: StaticString) throws -> Value {
    try key(name)
    return try value()
  }

  /// Decodes the next member, which must have the given name and a type that conforms to `LogValue`.
  public mutating func member<Value: LogValue>(_ name: StaticString) throws -> Value {
    try key(name)
    return try Value._$read(from: &self)
  }

  /// Closes a case without associated values, and returns `value`.
  public mutating func _$case<Enum>(empty value: Enum) throws -> Enum {
    try endEnum()
    return value
  }

  /// Decodes a case's payload, which can have an uninhabited type, and creates the case with it.
  public mutating func _$case<Payload, Enum>(
    _ make: (Payload) -> Enum,
    as label: StaticString = "_0"
  ) throws -> Enum {
    let value = make(try member(label))
    try endEnum()
    return value
  }

  /// Decodes a case's payload, which has a type that conforms to `LogValue`, and creates the case with it.
  public mutating func _$case<Payload: LogValue, Enum>(
    _ make: (Payload) -> Enum,
    as label: StaticString = "_0"
  ) throws -> Enum {
    let value = make(try member(label))
    try endEnum()
    return value
  }

  /// Decodes a member that is an object, such as a tuple.
  ///
  /// ```swift
  /// // Decodes {"size":{"width":3,"height":2}} for a property that is a tuple.
  /// let size: (width: Int, height: Int) = try text.nested("size") {
  ///   (try $0.member("width"), try $0.member("height"))
  /// }
  /// ```
  ///
  /// - Throws: `UnexpectedFormat` for another layout, or the error that `read` throws.
  public mutating func nested<Value>(
    _ name: StaticString,
    _ read: (inout LogText) throws -> Value
  ) throws -> Value {
    try key(name)
    try beginObject()
    let value = try read(&self)
    try endObject()
    return value
  }

  /// Advances to the value of the next member, which must have the given name.
  private mutating func key(_ name: StaticString) throws {
    let isFirst = parser.position > 0 && parser.bytes[parser.position - 1] == UInt8(ascii: "{")
    guard isFirst || parser.consume(UInt8(ascii: ",")), parser.consume(UInt8(ascii: "\"")),
      !isReserved, parser.consume(name), parser.consume(#"":"#)
    else { throw UnexpectedFormat() }
  }
}

extension LogText {
  /// Opens the object of an enum.
  ///
  /// ```swift
  /// // Decodes {"rename":{"_0":"Milk"}}.
  /// try text.beginEnum()
  /// guard text.takeCase("rename") else { throw LogText.UnexpectedFormat() }
  /// let action = Action.rename(try text.member("_0"))
  /// try text.endEnum()
  /// ```
  ///
  /// - Throws: `UnexpectedFormat` for another layout.
  public mutating func beginEnum() throws {
    parser.depth += 2
    guard parser.consume(#"{""#), parser.depth <= JSON.deepestNesting, !isReserved else {
      throw UnexpectedFormat()
    }
  }

  /// Opens the payload of a case, if the text has that case.
  ///
  /// - Returns: `false` if the text has another case.
  public mutating func takeCase(_ name: StaticString) -> Bool {
    let start = parser.position
    guard parser.consume(name), parser.consume(#"":{"#) else {
      parser.position = start
      return false
    }
    return true
  }

  /// Closes the payload of a case and the object of the enum.
  ///
  /// - Throws: `UnexpectedFormat` for another layout.
  public mutating func endEnum() throws {
    guard parser.consume("}}") else { throw UnexpectedFormat() }
    parser.depth -= 2
  }

  /// Whether the next name starts with a dollar sign.
  ///
  /// Such a name belongs to the format, or is a name of the app with a second dollar sign.
  private var isReserved: Bool { startsWith(UInt8(ascii: "$")) }

  /// Whether the next value is tagged, as in `{"$double":"nan"}`.
  var isTagged: Bool {
    parser.bytes.count - parser.position > 2 && startsWith(UInt8(ascii: "{"))
      && parser.bytes[parser.position + 2] == UInt8(ascii: "$")
  }

  private func startsWith(_ byte: UInt8) -> Bool {
    parser.position < parser.bytes.count && parser.bytes[parser.position] == byte
  }
}

extension LogText {
  /// Decodes an array, and returns its elements.
  mutating func elements<Element>(of type: Element.Type = Element.self) throws -> [Element] {
    if let known = type as? any LogValue.Type { return try self.elements(known) }
    return try elements { try $0.tree() }
  }

  private mutating func elements<Known: LogValue, Element>(
    _ type: Known.Type
  ) throws -> [Element] {
    guard let given = SameTypeProof<Known, Element>() else { throw UnexpectedFormat() }
    return given(try elements { try Known._$read(from: &$0) })
  }

  private mutating func elements<Element>(
    _ read: (inout LogText) throws -> Element
  ) throws -> [Element] {
    try enter(UInt8(ascii: "["))
    var elements: [Element] = []
    if !parser.consume(UInt8(ascii: "]")) {
      repeat { elements.append(try read(&self)) } while parser.consume(UInt8(ascii: ","))
      guard parser.consume(UInt8(ascii: "]")) else { throw UnexpectedFormat() }
    }
    parser.depth -= 1
    return elements
  }

  private mutating func enter(_ byte: UInt8) throws {
    parser.depth += 1
    guard parser.consume(byte), parser.depth <= JSON.deepestNesting else {
      throw UnexpectedFormat()
    }
  }
}

// Functions for scalars. For other layouts, they return `nil` or `false`, or throw an error. The value is then decoded
// from a tree.
extension LogText {
  /// Consumes `null`.
  ///
  /// - Returns: `false` if other text is at the position.
  mutating func null() -> Bool { parser.consume("null") }

  mutating func bool() -> Bool? {
    if parser.consume("true") { return true }
    return parser.consume("false") ? false : nil
  }

  mutating func string() throws -> String {
    guard parser.position < parser.bytes.count,
      parser.bytes[parser.position] == UInt8(ascii: "\"")
    else { throw UnexpectedFormat() }
    return try parser.string()
  }

  /// Decodes an integer of at most 18 digits, or returns `nil` for other values.
  mutating func integer() -> Int? {
    let start = parser.position
    guard let number = decimal(), !number.hasPoint, !(number.isNegative && number.digits == 0)
    else {
      parser.position = start
      return nil
    }
    return number.isNegative ? -number.digits : number.digits
  }

  /// Decodes a number that is the quotient of two numbers that `Double` represents exactly.
  ///
  /// The result is rounded only once. For other numbers, it is `nil`.
  mutating func double() -> Double? {
    let start = parser.position
    guard let number = decimal(), number.digits <= 1 << 53 else {
      parser.position = start
      return nil
    }
    let value = Double(number.digits) / Self.powersOfTen[number.fractionDigits]
    return number.isNegative ? -value : value
  }

  /// The powers from 10^0 to 10^18, which `Double` represents exactly.
  private static let powersOfTen: [Double] = (0...18).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  private struct Decimal {
    var isNegative = false
    /// All digits of the number as one integer, regardless of the decimal point.
    var digits = 0
    var fractionDigits = 0
    var hasPoint = false
  }

  /// Decodes a number of at most 18 digits without an exponent, or returns `nil` for other values.
  private mutating func decimal() -> Decimal? {
    let bytes = parser.bytes
    var number = Decimal()
    var index = parser.position
    func next() -> UInt8 { index < bytes.count ? bytes[index] : 0 }
    if next() == UInt8(ascii: "-") {
      number.isNegative = true
      index += 1
    }
    let start = index
    func digits() -> Int {
      let start = index
      while next() >= 0x30, next() <= 0x39 {
        number.digits = number.digits &* 10 &+ Int(next() & 0x0F)
        index += 1
      }
      return index - start
    }
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
    if next() == UInt8(ascii: ".") {
      index += 1
      number.hasPoint = true
      number.fractionDigits = digits()
      guard number.fractionDigits > 0 else { return nil }
    }
    guard whole + number.fractionDigits <= 18, !JSON.Parser.isNumberByte(next()) else {
      return nil
    }
    parser.position = index
    return number
  }
}
