/// The text of a value while it is read from front to back, without a tree of it.
///
/// What is read is what encoders write: no blanks, members in the order in which the code asks for them, all of them and no
/// others. Whatever looks different is thrown out as a `Surprise` and read again as a tree, which also finds the words for what
/// is wrong: so there is one set of rules for what can be read and what it means. It is for code that macros generate, and no
/// `Sendable` type.
public struct LogText: ~Copyable {
  var parser: JSON.Parser

  /// What is thrown where a text looks different.
  public struct Surprise: Error {
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
    guard text.parser.position == bytes.count else { throw Surprise() }
    return value
  }
}

extension LogText {
  /// Reads a value of any type.
  public mutating func value<Value>(_ type: Value.Type = Value.self) throws -> Value {
    guard let known = type as? any LogValue.Type else { return try tree() }
    return try self.known(known)
  }

  /// Reads a value of a type that describes itself.
  public mutating func value<Value: LogValue>(_ type: Value.Type = Value.self) throws -> Value {
    try Value._$read(from: &self)
  }

  private mutating func known<Known: LogValue, Value>(_ type: Known.Type) throws -> Value {
    renamed(try Known._$read(from: &self))
  }

  /// Reads a value by way of a tree of it.
  mutating func tree<Value>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = LogDecoder(try parser.value())
    let value = try decoder.value(type)
    guard decoder.drift.isEmpty else { throw Surprise() }
    return value
  }

  /// Reads a value of a type that describes itself, by way of a tree of it.
  mutating func tree<Value: LogValue>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = LogDecoder(try parser.value())
    let value = try decoder.value(type)
    guard decoder.drift.isEmpty else { throw Surprise() }
    return value
  }
}

extension LogText {
  /// Opens an object whose members are to be read.
  public mutating func beginObject() throws { try enter(UInt8(ascii: "{")) }

  /// Closes an object.
  public mutating func endObject() throws {
    guard parser.take(UInt8(ascii: "}")) else { throw Surprise() }
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

  /// Reads the payload of a case, which may be of a type without values, and makes the case of it.
  public mutating func member<Payload, Enum>(
    _ name: StaticString,
    in make: (Payload) -> Enum
  ) throws -> Enum {
    make(try member(name))
  }

  /// Reads the payload of a case, of a type that describes itself, and makes the case of it.
  public mutating func member<Payload: LogValue, Enum>(
    _ name: StaticString,
    in make: (Payload) -> Enum
  ) throws -> Enum {
    make(try member(name))
  }

  /// Reads a member that is an object of its own, such as a tuple.
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
    guard isFirst || parser.take(UInt8(ascii: ",")), parser.take(UInt8(ascii: "\"")),
      !isReserved, parser.take(name), parser.take(#"":"#)
    else { throw Surprise() }
  }
}

extension LogText {
  /// Opens the object that an enum is written as.
  public mutating func beginEnum() throws {
    parser.depth += 2
    guard parser.take(#"{""#), parser.depth <= JSON.deepestNesting, !isReserved else {
      throw Surprise()
    }
  }

  /// Opens the payload of a case, when it is the one that is written here.
  public mutating func takeCase(_ name: StaticString) -> Bool {
    let start = parser.position
    guard parser.take(name), parser.take(#"":{"#) else {
      parser.position = start
      return false
    }
    return true
  }

  /// Closes the payload of a case, and the enum.
  public mutating func endEnum() throws {
    guard parser.take("}}") else { throw Surprise() }
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
    renamed(try elements { try Known._$read(from: &$0) } as [Known])
  }

  private mutating func elements<Element>(
    _ read: (inout LogText) throws -> Element
  ) throws -> [Element] {
    try enter(UInt8(ascii: "["))
    var elements: [Element] = []
    if !parser.take(UInt8(ascii: "]")) {
      repeat { elements.append(try read(&self)) } while parser.take(UInt8(ascii: ","))
      guard parser.take(UInt8(ascii: "]")) else { throw Surprise() }
    }
    parser.depth -= 1
    return elements
  }

  private mutating func enter(_ byte: UInt8) throws {
    parser.depth += 1
    guard parser.take(byte), parser.depth <= JSON.deepestNesting else { throw Surprise() }
  }
}
