/// A value that never leaves the process: wherever it is logged, a substitute is written.
///
/// ```swift
/// struct State { var password: Masked<String> = "" }
/// state.password.value
/// ```
///
/// The substitute has the type of the value, is the same for equal values as long as the process lives, and reveals nothing
/// else. Read back from a log, the substitute is the value. Replays do not compare substitutes.
public struct Masked<Value> {
  /// The value.
  public var value: Value {
    didSet { substitute = nil }
  }
  /// The log's substitute, if the value was read from a log.
  private var substitute: JSON?

  /// Masks a value.
  public init(_ value: Value) { self.value = value }

  private init(_ value: Value, substitute: JSON) {
    self.value = value
    self.substitute = substitute
  }
}

/// The secret for values that are masked by their type; it belongs to the process, not to a recording.
private enum MaskedValues {
  static let key = MaskKey()
}

extension Masked: LogValue {
  /// Writes the substitute, tagged: `{"$masked":"masked5d79b2e0bf06c886bd"}`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.secret(value)
    encoder.field(
      "$masked",
      substitute ?? MaskedValues.key.substitute(for: JSON(logging: value))
    )
    encoder.endObject()
  }

  /// Reads the substitute; if that cannot be read as such a value, the template's value is used.
  public static func decode(from decoder: LogDecoder, over template: Masked?) throws -> Masked {
    let json = decoder.json["$masked"] ?? decoder.json
    let inner = LogDecoder(json, context: decoder.context)
    if let template {
      let value = try? inner.value(Value.self, over: template.value)
      return Masked(value ?? template.value, substitute: json)
    }
    return Masked(try inner.value(Value.self), substitute: json)
  }
}

extension JSON {
  /// The value with equal substitutes for all values that are masked by their type, because those of another process cannot be
  /// compared.
  package var ignoringSubstitutes: JSON {
    switch self {
    case .object(let object):
      object.firstKey == "$masked"
        ? ["$masked": .null]
        : .object(
          JSON.Object(members: object.map { (key: $0.key, value: $0.value.ignoringSubstitutes) })
        )
    case .array(let elements): .array(elements.map(\.ignoringSubstitutes))
    default: self
    }
  }
}

extension Masked: Sendable where Value: Sendable {}
extension Masked: Equatable where Value: Equatable {
  /// Compares the values.
  public static func == (lhs: Masked, rhs: Masked) -> Bool { lhs.value == rhs.value }
}
extension Masked: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Masked: CustomStringConvertible, CustomReflectable {
  /// Never the value.
  public var description: String { "Masked" }
  /// Without the value, so that no dump shows it.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Masked: ExpressibleByUnicodeScalarLiteral
where Value: ExpressibleByUnicodeScalarLiteral {
  /// Masks a literal.
  public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
    self.init(Value(unicodeScalarLiteral: value))
  }
}
extension Masked: ExpressibleByExtendedGraphemeClusterLiteral
where Value: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Masks a literal.
  public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
    self.init(Value(extendedGraphemeClusterLiteral: value))
  }
}
extension Masked: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
  /// Masks a literal.
  public init(stringLiteral value: Value.StringLiteralType) {
    self.init(Value(stringLiteral: value))
  }
}
