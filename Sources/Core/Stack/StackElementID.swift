public import ActionLog

/// Which element of a stack: `#0`, `#1` and so on, in the order in which they came into the store.
public struct StackElementID: Hashable, Sendable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

extension StackElementID: ExpressibleByIntegerLiteral {
  /// The id of an element by its place among all that came, from 0, as tests write it.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension StackElementID: CustomStringConvertible {
  /// The number behind a `#`.
  public var description: String { "#\(number)" }
}

extension StackElementID: LogValue {
  /// Writes the number.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(number)
  }

  /// Reads a number.
  public static func decode(
    from decoder: LogDecoder,
    over _: StackElementID?
  ) throws -> StackElementID {
    StackElementID(try decoder.value(Int.self))
  }

  /// Reads a number.
  public static func _$read(from text: inout LogText) throws -> StackElementID {
    StackElementID(try text.value(Int.self))
  }

  /// Replaces one id by another.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    if old != new { patch.replace(with: new) }
  }

  /// A value of its own.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}
