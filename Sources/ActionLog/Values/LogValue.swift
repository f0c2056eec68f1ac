/// A value that describes itself to the log: how it is written, how it is read back, and what changed in it.
///
/// The macros make the State and Action of a feature conform. A type that is `Codable` needs nothing: it comes into the
/// log through that. Where a type is both, `LogValue` is asked.
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
  /// Writes this value as exactly one JSON value, the same for equal values in every process.
  func encode(to encoder: inout LogEncoder)

  /// Reads a value that `encode(to:)` wrote.
  ///
  /// - Parameters:
  ///   - decoder: What was written.
  ///   - template: A value whose parts stand in for those that the log does not hold.
  /// - Returns: The value.
  /// - Throws: `LogDecodingError`.
  static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self

  /// Reads a value from the text that `encode(to:)` wrote, without a tree of it, as generated code does.
  ///
  /// What others have written reads a tree at this place.
  ///
  /// - Throws: Something for a text that looks different, which is to be read as a tree then.
  static func _$read(from text: inout LogText) throws -> Self

  /// Adds to a patch what turns one value into the other, walking both in step.
  static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder)

  /// Names the types of what values of this type hold, as far as it is written.
  ///
  /// A type that does not say is taken to hold references, whatever it is: its values are written to be compared.
  static func survey(_ type: inout LogTypeSurvey)

  /// Whether `encode(to:)` is known to write exactly one value, as generated code does; what others have written is read to
  /// see.
  static var _$isWellFormed: Bool { get }
}

/// A type of values that hold no others.
public protocol _$PlainLogValue: LogValue {}

extension _$PlainLogValue {
  /// A value of its own.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

/// A type of values that are written as an array of their elements.
public protocol _$ElementsLogValue: LogValue, Sequence {}

extension _$ElementsLogValue {
  /// Names the type of the elements.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.contains(Element.self, below: 1)
  }

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

extension LogValue {
  /// Reads a tree.
  public static func _$read(from text: inout LogText) throws -> Self { try text.tree() }

  /// Writes both values and adds what differs in the text.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.compareWritten(old, new)
  }

  /// What is written by hand may be anything.
  public static var _$isWellFormed: Bool { false }

  /// Says that nothing is known of the values.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayHoldReferences()
    type.mayBeNull()
  }
}
