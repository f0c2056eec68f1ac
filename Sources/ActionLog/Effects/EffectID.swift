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
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard
      parts.count == 2,
      let seq = Int(parts[0]), seq >= 0,
      let index = Int(parts[1]), index >= 0,
      // Signs and leading zeros would give one effect several names.
      "\(seq).\(index)" == description
    else { return nil }
    self.init(seq: seq, index: index)
  }
}

extension EffectID: Comparable {
  /// Orders effects as the log meets them.
  public static func < (lhs: EffectID, rhs: EffectID) -> Bool {
    (lhs.seq, lhs.index) < (rhs.seq, rhs.index)
  }
}
