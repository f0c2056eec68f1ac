/// A value that never leaves the process.
///
/// Logs contain a substitute instead of the value.
///
/// ```swift
/// struct State { var password: Masked<String> = "" }
/// state.password.value
/// ```
///
/// The substitute has the type of the value and reveals only equality. Equal values have equal substitutes if the same
/// process computed them. When a log is decoded, the substitute becomes the value. Replays don't compare substitutes.
public struct Masked<Value> {
  /// The secret value, for use within the process.
  public var value: Value {
    didSet { substitute = nil }
  }
  /// The substitute in the log from which the value was decoded, if any.
  private var substitute: JSON?

  /// Creates a masked value from the value to mask.
  public init(_ value: Value) { self.value = value }

  private init(_ value: Value, substitute: JSON) {
    self.value = value
    self.substitute = substitute
  }
}

/// The secret for values that are masked by their type.
///
/// All recordings of a process share this secret.
private enum MaskedTypeHashKey {
  static let key = SubstituteHashKey()
}

extension Masked: LogValue {
  /// Encodes a tagged substitute instead of the value, such as `{"$masked":"masked5d79b2e0bf06c886bd"}`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.secret(value)
    encoder.field(
      "$masked",
      substitute ?? MaskedTypeHashKey.key.substitute(for: JSON(logging: value))
    )
    encoder.endObject()
  }

  /// Decodes the substitute as a value.
  ///
  /// If the substitute can't be decoded, the result has the template's value. Without a template, the error is thrown.
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
  /// A copy in which all values that are masked by their type have the same substitute.
  ///
  /// Use it to compare logs of different processes, whose substitutes differ.
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
  /// Compares the values behind the substitutes.
  public static func == (lhs: Masked, rhs: Masked) -> Bool { lhs.value == rhs.value }
}
extension Masked: Hashable where Value: Hashable {
  /// Hashes the value behind the substitute, consistently with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Masked: CustomStringConvertible, CustomReflectable {
  /// A fixed string, which never shows the value.
  public var description: String { "Masked" }
  /// A mirror without children, so that dumps don't show the value.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Masked: ExpressibleByUnicodeScalarLiteral
where Value: ExpressibleByUnicodeScalarLiteral {
  /// Creates a masked value from a Unicode scalar literal.
  public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
    self.init(Value(unicodeScalarLiteral: value))
  }
}
extension Masked: ExpressibleByExtendedGraphemeClusterLiteral
where Value: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Creates a masked value from a character literal.
  public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
    self.init(Value(extendedGraphemeClusterLiteral: value))
  }
}
extension Masked: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
  /// Creates a masked value from a string literal.
  public init(stringLiteral value: Value.StringLiteralType) {
    self.init(Value(stringLiteral: value))
  }
}
