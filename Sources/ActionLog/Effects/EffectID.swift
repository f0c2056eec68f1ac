/// The name of an effect in a log: which action started it, and which of that action's effects it is.
///
/// Written as `1.0`, the first effect of the first action.
public struct EffectID: Hashable, Sendable {
  /// The number of the action that returned the effect, from 1.
  public var seq: Int
  /// The place among the effects of that action, from 0, in the order the effect's tree is read.
  public var index: Int

  /// Names an effect.
  public init(seq: Int, index: Int) {
    self.seq = seq
    self.index = index
  }
}

extension EffectID: LosslessStringConvertible {
  /// The name as a log has it, `1.0`.
  public var description: String { "\(seq).\(index)" }

  /// Reads a name, nil unless it is two decimal numbers with a dot between.
  public init?(_ description: String) {
    var text = description
    guard
      let (seq, index) = text.withUTF8({ bytes -> (Int, Int)? in
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")),
          let seq = Self.number(bytes[..<dot]), let index = Self.number(bytes[(dot + 1)...])
        else { return nil }
        return (seq, index)
      })
    else { return nil }
    self.init(seq: seq, index: index)
  }

  /// A number without sign and leading zeros, which would give one effect several names.
  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else {
      return nil
    }
    var number = 0
    for digit in digits {
      let value = Int(digit) - 0x30
      guard (0...9).contains(value) else { return nil }
      let (product, isLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = product.addingReportingOverflow(value)
      guard !isLarge, !isLarger else { return nil }
      number = sum
    }
    return number
  }
}

extension EffectID: Comparable {
  /// Orders effects as the log meets them.
  public static func < (lhs: EffectID, rhs: EffectID) -> Bool {
    (lhs.seq, lhs.index) < (rhs.seq, rhs.index)
  }
}
