/// A JSON value (RFC 8259) as it stands in a log: numbers keep every digit, objects keep the order of their members.
///
/// ```swift
/// let json = try JSON(parsing: #"{"count":9007199254740993,"isDone":true,"due":null}"#)
/// json["count"]?.number?.int  // 9007199254740993
/// json["isDone"]?.bool        // true
/// json["due"]?.isNull         // true
/// json.description            // {"count":9007199254740993,"isDone":true,"due":null}
/// ```
///
/// Two values are equal when they hold the same data: the order of members does not count, numbers are compared as
/// exact decimals (`1.0` equals `1`, `0.1` does not equal `0.10000000000000001`) and strings scalar by scalar, so that
/// canonically equal strings with different bytes are different values, as they are for every other reader of JSON.
public enum JSON: Sendable {
  /// The literal `null`.
  case null
  /// The literals `true` and `false`.
  case bool(Bool)
  /// A number with all its digits.
  case number(Number)
  /// A string.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object with its members in the order in which they were written.
  case object(Object)
}

extension JSON: Equatable {
  /// Compares two values as data.
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
  /// Hashes what `==` compares.
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
  /// The members, when this is an object.
  public var object: Object? { if case .object(let object) = self { object } else { nil } }

  /// The elements, when this is an array.
  public var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

  /// The text, when this is a string.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The number, when this is one.
  public var number: Number? { if case .number(let number) = self { number } else { nil } }

  /// The truth value, when this is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The number as an integer, when it is one that `Int` can hold exactly.
  public var int: Int? { number?.int }

  /// Whether this is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The value of a member, when this is an object that has it.
  public subscript(name: String) -> JSON? { object?[name] }

  /// The kind of this value in the words of RFC 8259, for messages.
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
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .number(Number(value)) }
  /// A number in the shortest form that reads back as the same `Double`; not finite, `null`.
  public init(floatLiteral value: Double) { self = Number(value).map(JSON.number) ?? .null }
  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// An object; of members with the same name the last one counts.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Object(members: elements.map { (key: $0.0, value: $0.1) }))
  }
}

extension JSON: CustomStringConvertible {
  /// The value as JSON text on one line.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// The value as JSON text in UTF-8, on one line and without spaces.
  public var bytes: [UInt8] {
    var encoder = LogEncoder()
    encode(to: &encoder)
    return encoder.bytes
  }
}

extension [UInt8] {
  /// Appends a value as JSON text on one line and without spaces.
  package mutating func append(_ json: JSON) {
    let written = self
    // One owner, so that it is not copied.
    self = []
    var encoder = LogEncoder(appendingTo: written)
    json.encode(to: &encoder)
    self = encoder.releaseBytes()
  }
}
