import ActionLog

/// A set of effects that takes little room where their numbers lie close together, as those of one log do: the effects of
/// a million actions take a megabyte.
struct EffectSet {
  /// Effects with the same place among those of 64 actions.
  private struct Block: Hashable {
    let seqs: Int
    let index: Int
  }

  private var blocks: [Block: UInt64] = [:]

  /// How many words the set takes.
  var blockCount: Int { blocks.count }

  private static func place(of id: EffectID) -> (block: Block, bit: UInt64) {
    (Block(seqs: id.seq >> 6, index: id.index), 1 << UInt64(id.seq & 63))
  }

  func contains(_ id: EffectID) -> Bool {
    let (block, bit) = Self.place(of: id)
    return (blocks[block] ?? 0) & bit != 0
  }

  /// Takes an effect in; `false` when it was there.
  mutating func insert(_ id: EffectID) -> Bool {
    let (block, bit) = Self.place(of: id)
    let bits = blocks[block] ?? 0
    guard bits & bit == 0 else { return false }
    blocks[block] = bits | bit
    return true
  }
}
