/// A JSON value (RFC 8259).
///
/// Numbers keep all digits, and objects keep the order of their members.
///
/// ```swift
/// let json = try JSON(parsing: #"{"count":9007199254740993,"isDone":true,"due":null}"#)
/// json["count"]?.number?.int  // 9007199254740993
/// json["isDone"]?.bool        // true
/// json["due"]?.isNull         // true
/// json.description            // {"count":9007199254740993,"isDone":true,"due":null}
/// ```
///
/// Two values are equal if they contain the same data. The order of members doesn't matter. Numbers are compared as
/// exact decimals: `1.0` equals `1`, and `0.1` doesn't equal `0.10000000000000001`. Strings are compared scalar by
/// scalar. Canonically equivalent strings with different bytes are different values, as for other JSON readers.
public enum JSON: Sendable {
  /// The literal `null`.
  case null
  /// The literal `true` or `false`.
  case bool(Bool)
  /// A number in its literal form, with all digits.
  case number(Number)
  /// A string without escapes.
  case string(String)
  /// An array of values.
  case array([JSON])
  /// An object, with its members in order of insertion.
  case object(Object)
}

extension JSON: Equatable {
  /// Compares two values as data: without regard to the order of members, and numbers as exact decimals.
  public static func == (lhs: JSON, rhs: JSON) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let lhs), .bool(let rhs)): lhs == rhs
    case (.number(let lhs), .number(let rhs)): lhs == rhs
    case (.string(let lhs), .string(let rhs)): lhs.hasSameBytes(as: rhs)
    case (.array(let lhs), .array(let rhs)): lhs == rhs
    case (.object(let lhs), .object(let rhs)): lhs == rhs
    default: false
    }
  }
}

extension JSON: Hashable {
  /// Hashes the value consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): value.hashBytes(into: &hasher)
    case .array(let elements): hasher.combine(elements)
    case .object(let object): hasher.combine(object)
    }
  }
}

extension JSON {
  /// The members, or `nil` if the value is not an object.
  public var object: Object? { if case .object(let object) = self { object } else { nil } }

  /// The elements, or `nil` if the value is not an array.
  public var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

  /// The string, or `nil` if the value is not a string.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The number, or `nil` if the value is not a number.
  public var number: Number? { if case .number(let number) = self { number } else { nil } }

  /// The Boolean value, or `nil` if the value is not a Boolean.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The number as an `Int`, or `nil` if the value is not an integer or doesn't fit.
  public var int: Int? { number?.int }

  /// Whether the value is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The value of a member, or `nil` if this value is not an object with such a member.
  public subscript(name: String) -> JSON? { object?[name] }

  /// The kind of value in the terms of RFC 8259, for messages.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates a Boolean from a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a string from a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a number from an integer literal.
  public init(integerLiteral value: Int) { self = .number(Number(value)) }
  /// Creates a number in the shortest form that parses to the same `Double`, or `null` if the value is not finite.
  public init(floatLiteral value: Double) { self = Number(value).map(JSON.number) ?? .null }
  /// Creates an array from a literal.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// Creates an object from a dictionary literal.
  ///
  /// If a name occurs twice, its last value is used.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Object(members: elements.map { (key: $0.0, value: $0.1) }))
  }
}

extension JSON: CustomStringConvertible {
  /// The value as JSON text on one line.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// The value as JSON text in UTF-8, on one line without spaces.
  public var bytes: [UInt8] {
    var encoder = LogEncoder()
    encode(to: &encoder)
    return encoder.bytes
  }
}

extension [UInt8] {
  /// Appends a value as JSON text, on one line without spaces.
  package mutating func append(_ json: JSON) {
    let written = self
    // Moves the array out of `self`, so that it has one owner and is changed without a copy.
    self = []
    var encoder = LogEncoder(appendingTo: written)
    json.encode(to: &encoder)
    self = encoder.releaseBytes()
  }
}
