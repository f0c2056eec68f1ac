/// The text of a value while it is read from front to back, without a tree of it.
///
/// It reads what encoders write: no blanks, all members and no others, in the order in which the code asks for them. Every method
/// throws `UnexpectedFormat` when the text looks different. The text is then read again as a tree, which also finds the words for
/// what is wrong, so there is one set of rules for what can be read and what it means. It is for code that macros generate, and
/// not `Sendable`.
///
/// ```swift
/// // What `@LogValue` generates for a point of two numbers, in short.
/// static func _$read(from text: inout LogText) throws -> Point {
///   try text.beginObject()
///   let point = Point(x: try text.member("x"), y: try text.member("y"))
///   try text.endObject()
///   return point
/// }
/// ```
public struct LogText: ~Copyable {
  var parser: JSON.Parser

  /// The error for a text that looks different from what encoders write.
  public struct UnexpectedFormat: Error {
    /// The text is to be read as a tree.
    public init() {}
  }

  /// Reads a text that holds one value and nothing else.
  ///
  /// - Throws: Something for a text that looks different, which is to be read as a tree then.
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
  /// Reads a value of any type.
  ///
  /// - Throws: `UnexpectedFormat`, or what the type throws.
  public mutating func value<Value>(_ type: Value.Type = Value.self) throws -> Value {
    guard let known = type as? any LogValue.Type else { return try tree() }
    return try self.known(known)
  }

  /// Reads a value of a type that describes itself.
  public mutating func value<Value: LogValue>(_ type: Value.Type = Value.self) throws -> Value {
    try Value._$read(from: &self)
  }

  private mutating func known<Known: LogValue, Value>(_ type: Known.Type) throws -> Value {
    guard let given = TypeEquality<Known, Value>() else { throw UnexpectedFormat() }
    return given(try Known._$read(from: &self))
  }

  /// Reads a value by way of a tree of it.
  mutating func tree<Value>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = LogDecoder(try parser.value())
    let value = try decoder.value(type)
    guard decoder.drift.isEmpty else { throw UnexpectedFormat() }
    return value
  }

  /// Reads a value of a type that describes itself, by way of a tree of it.
  mutating func tree<Value: LogValue>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = LogDecoder(try parser.value())
    let value = try decoder.value(type)
    guard decoder.drift.isEmpty else { throw UnexpectedFormat() }
    return value
  }
}

extension LogText {
  /// Opens an object whose members are to be read.
  public mutating func beginObject() throws { try enter(UInt8(ascii: "{")) }

  /// Closes an object.
  public mutating func endObject() throws {
    guard parser.consume(UInt8(ascii: "}")) else { throw UnexpectedFormat() }
    parser.depth -= 1
  }

  /// Reads a member, which must be the next one.
  public mutating func member<Value>(_ name: StaticString) throws -> Value {
    try key(name)
    return try value()
  }

  /// Reads a member of a type that describes itself, which must be the next one.
  public mutating func member<Value: LogValue>(_ name: StaticString) throws -> Value {
    try key(name)
    return try Value._$read(from: &self)
  }

  /// Ends a case without associated values.
  public mutating func _$case<Enum>(empty value: Enum) throws -> Enum {
    try endEnum()
    return value
  }

  /// Reads the payload of a case, which may be of a type without values, and makes the case of it.
  public mutating func _$case<Payload, Enum>(
    _ make: (Payload) -> Enum,
    as label: StaticString = "_0"
  ) throws -> Enum {
    let value = make(try member(label))
    try endEnum()
    return value
  }

  /// Reads the payload of a case, of a type that describes itself, and makes the case of it.
  public mutating func _$case<Payload: LogValue, Enum>(
    _ make: (Payload) -> Enum,
    as label: StaticString = "_0"
  ) throws -> Enum {
    let value = make(try member(label))
    try endEnum()
    return value
  }

  /// Reads a member that is an object of its own, such as a tuple.
  ///
  /// ```swift
  /// // Of {"size":{"width":3,"height":2}}, for a property that is a tuple.
  /// let size: (width: Int, height: Int) = try text.nested("size") {
  ///   (try $0.member("width"), try $0.member("height"))
  /// }
  /// ```
  ///
  /// - Throws: `UnexpectedFormat`, or what `read` throws.
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

  /// Steps to the value of the next member, which must have this name.
  private mutating func key(_ name: StaticString) throws {
    let isFirst = parser.position > 0 && parser.bytes[parser.position - 1] == UInt8(ascii: "{")
    guard isFirst || parser.consume(UInt8(ascii: ",")), parser.consume(UInt8(ascii: "\"")),
      !isReserved, parser.consume(name), parser.consume(#"":"#)
    else { throw UnexpectedFormat() }
  }
}

extension LogText {
  /// Opens the object that an enum is written as.
  ///
  /// ```swift
  /// // Of {"rename":{"_0":"Milk"}}.
  /// try text.beginEnum()
  /// guard text.takeCase("rename") else { throw LogText.UnexpectedFormat() }
  /// let action = Action.rename(try text.member("_0"))
  /// try text.endEnum()
  /// ```
  ///
  /// - Throws: `UnexpectedFormat`.
  public mutating func beginEnum() throws {
    parser.depth += 2
    guard parser.consume(#"{""#), parser.depth <= JSON.deepestNesting, !isReserved else {
      throw UnexpectedFormat()
    }
  }

  /// Opens the payload of a case, when it is the one that is written here.
  public mutating func takeCase(_ name: StaticString) -> Bool {
    let start = parser.position
    guard parser.consume(name), parser.consume(#"":{"#) else {
      parser.position = start
      return false
    }
    return true
  }

  /// Closes the payload of a case, and the enum.
  ///
  /// - Throws: `UnexpectedFormat`.
  public mutating func endEnum() throws {
    guard parser.consume("}}") else { throw UnexpectedFormat() }
    parser.depth -= 2
  }

  /// Whether a name begins here that is the format's own, or one of the user's with a dollar, which is written with two.
  private var isReserved: Bool { startsWith(UInt8(ascii: "$")) }

  /// Whether an object of the format's own begins here, such as `{"$double":"nan"}`.
  var isTagged: Bool {
    parser.bytes.count - parser.position > 2 && startsWith(UInt8(ascii: "{"))
      && parser.bytes[parser.position + 2] == UInt8(ascii: "$")
  }

  private func startsWith(_ byte: UInt8) -> Bool {
    parser.position < parser.bytes.count && parser.bytes[parser.position] == byte
  }
}

extension LogText {
  /// Reads the elements of an array.
  mutating func elements<Element>(of type: Element.Type = Element.self) throws -> [Element] {
    if let known = type as? any LogValue.Type { return try self.elements(known) }
    return try elements { try $0.tree() }
  }

  private mutating func elements<Known: LogValue, Element>(
    _ type: Known.Type
  ) throws -> [Element] {
    guard let given = TypeEquality<Known, Element>() else { throw UnexpectedFormat() }
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

// Scalars: `nil` for what does not look as expected, which is then read the long way.
extension LogText {
  /// Reads `null`.
  mutating func null() -> Bool { parser.consume("null") }

  /// Reads a truth value.
  mutating func bool() -> Bool? {
    if parser.consume("true") { return true }
    return parser.consume("false") ? false : nil
  }

  /// Reads a string.
  mutating func string() throws -> String {
    guard parser.position < parser.bytes.count,
      parser.bytes[parser.position] == UInt8(ascii: "\"")
    else { throw UnexpectedFormat() }
    return try parser.string()
  }

  /// Reads an integer of at most 18 digits.
  mutating func integer() -> Int? {
    let start = parser.position
    guard let number = decimal(), !number.hasPoint, !(number.isNegative && number.digits == 0)
    else {
      parser.position = start
      return nil
    }
    return number.isNegative ? -number.digits : number.digits
  }

  /// Reads a number that is the nearest `Double` to a quotient of two that `Double` holds exactly, and so rounded once.
  mutating func double() -> Double? {
    let start = parser.position
    guard let number = decimal(), number.digits <= 1 << 53 else {
      parser.position = start
      return nil
    }
    let value = Double(number.digits) / Self.powersOfTen[number.fractionDigits]
    return number.isNegative ? -value : value
  }

  /// 10^0 to 10^18, each of which `Double` holds exactly.
  private static let powersOfTen: [Double] = (0...18).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  private struct Decimal {
    var isNegative = false
    /// All digits, as one number.
    var digits = 0
    var fractionDigits = 0
    var hasPoint = false
  }

  /// Reads a number of at most 18 digits without an exponent.
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
