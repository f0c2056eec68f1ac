/// The id of an effect in a log: the number of the action that returned the effect, and an index.
///
/// The first effect of the first action is written as `1.0`.
///
/// ```swift
/// EffectID(seq: 2, index: 0)  // 2.0 in the log: the first effect of action 2
/// ```
public struct EffectID: Hashable, Sendable {
  /// The number of the action that returned the effect, from 1.
  public var seq: Int
  /// The index among the action's effects, from 0, in the order of the effect tree.
  public var index: Int

  /// Creates the id of an effect from its action's number and its index.
  public init(seq: Int, index: Int) {
    self.seq = seq
    self.index = index
  }
}

extension EffectID: LosslessStringConvertible {
  /// The id as a log contains it, such as `1.0`.
  public var description: String { "\(seq).\(index)" }

  /// Creates an id from a string, or returns `nil` unless the string is two decimal numbers separated by a dot.
  public init?(_ description: String) {
    var text = description
    guard
      let (seq, index) = text.withUTF8({ bytes -> (Int, Int)? in
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")),
          let seq = Self.number(bytes[..<dot], upTo: .max),
          // The index is limited, too, because later effects of the action get the following indexes.
          let index = Self.number(bytes[(dot + 1)...], upTo: EventMembers.largestSeq)
        else { return nil }
        return (seq, index)
      })
    else { return nil }
    self.init(seq: seq, index: index)
  }

  /// Parses a decimal number, or returns `nil` if the text is not a number or the number exceeds a limit.
  ///
  /// Rejects signs and leading zeros, so that each effect id has only one spelling.
  private static func number(
    _ digits: Slice<UnsafeBufferPointer<UInt8>>,
    upTo limit: Int
  ) -> Int? {
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else {
      return nil
    }
    var number = 0
    for digit in digits {
      let value = Int(digit) - 0x30
      guard (0...9).contains(value) else { return nil }
      let (product, isLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = product.addingReportingOverflow(value)
      guard !isLarge, !isLarger, sum <= limit else { return nil }
      number = sum
    }
    return number
  }
}

extension EffectID: Comparable {
  /// Orders effects by action, and then by index.
  public static func < (lhs: EffectID, rhs: EffectID) -> Bool {
    (lhs.seq, lhs.index) < (rhs.seq, rhs.index)
  }
}
