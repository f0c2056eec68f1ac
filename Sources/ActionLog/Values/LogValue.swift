/// A value that can be encoded to a log, decoded from it, and compared for changes.
///
/// The macros make the State and Action of a feature conform. A `Codable` type needs no conformance, because it is
/// logged through `Codable`. If a type conforms to both, `LogValue` is used.
///
/// ```swift
/// extension Celsius: LogValue {
///   public func encode(to encoder: inout LogEncoder) { encoder.value(degrees) }
///   public static func decode(from decoder: LogDecoder, over template: Celsius?) throws -> Celsius {
///     Celsius(degrees: try decoder.value(Double.self))
///   }
/// }
/// ```
public protocol LogValue: SendableMetatype {
  /// Writes this value as exactly one JSON value.
  ///
  /// Equal values must have the same text in every process.
  func encode(to encoder: inout LogEncoder)

  /// Decodes a value that `encode(to:)` has encoded.
  ///
  /// - Parameters:
  ///   - decoder: A decoder for the encoded value.
  ///   - template: A value that supplies the parts that the log lacks, or `nil` if there is none.
  /// - Returns: The decoded value.
  /// - Throws: A `LogDecodingError` if the value in the log doesn't have the expected form.
  static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self

  /// Decodes a value from the text that `encode(to:)` has written, without creating a tree.
  ///
  /// Generated code implements this function. The default implementation decodes from a tree.
  ///
  /// - Throws: Any error if the text has another layout and must be decoded from a tree.
  static func _$read(from text: inout LogText) throws -> Self

  /// Appends to a patch the operations that change one value into another.
  static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder)

  /// Lists the types of the logged parts of this type's values.
  ///
  /// A type without its own implementation is assumed to contain references. To compare its values, they are encoded.
  static func survey(_ type: inout LogTypeSurvey)

  /// Whether `encode(to:)` always writes exactly one value, as generated code does.
  ///
  /// If `false`, the output is checked by parsing it.
  static var _$isWellFormed: Bool { get }
}

/// A type whose values have no parts.
public protocol _$PlainLogValue: LogValue {}

extension _$PlainLogValue {
  /// Lists no types, because the value has no parts.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// Always `true`, because the encoder writes only well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

/// A type whose values are logged as an array of their elements.
public protocol _$ElementsLogValue: LogValue, Sequence {}

extension _$ElementsLogValue {
  /// Lists the type of the elements.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.contains(Element.self, below: 1)
  }

  /// Always `true`, because the encoder writes only well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension LogValue {
  /// Decodes the value from a tree, with `decode(from:over:)`.
  public static func _$read(from text: inout LogText) throws -> Self { try text.tree() }

  /// Encodes both values, and appends the differences between their texts.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.compareWritten(old, new)
  }

  /// Always `false`, because the output of handwritten code must be checked.
  public static var _$isWellFormed: Bool { false }

  /// Records that values can contain references, and can be written as `null`.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayHoldReferences()
    type.mayBeNull()
  }
}
