import ActionLog
import ReplayCommands

/// A set of effect ids that stores each id as one bit.
///
/// The ids of a million actions with one effect each take about a megabyte.
struct EffectIDBitSet {
  /// The key of a word, which stores the ids of 64 consecutive actions with the same effect index.
  private struct WordKey: Hashable {
    let seqs: Int
    let index: Int
  }

  private var blocks: [WordKey: UInt64] = [:]

  /// The number of 64-bit words in the set, for tests of the memory use.
  var blockCount: Int { blocks.count }

  private static func position(of id: EffectID) -> (block: WordKey, bit: UInt64) {
    (WordKey(seqs: id.seq >> 6, index: id.index), 1 << UInt64(id.seq & 63))
  }

  func contains(_ id: EffectID) -> Bool {
    let (block, bit) = Self.position(of: id)
    return (blocks[block] ?? 0) & bit != 0
  }

  /// Inserts an effect id, and returns `false` if the set already contains it.
  mutating func insert(_ id: EffectID) -> Bool {
    let (block, bit) = Self.position(of: id)
    let bits = blocks[block] ?? 0
    guard bits & bit == 0 else { return false }
    blocks[block] = bits | bit
    return true
  }
}

extension EffectIDBitSet {
  /// Inserts the effect ids of another set.
  mutating func formUnion(_ other: EffectIDBitSet) {
    for (block, bits) in other.blocks { blocks[block, default: 0] |= bits }
  }

  /// Returns whether the sets have no effect id in common.
  func isDisjoint(with other: EffectIDBitSet) -> Bool {
    blocks.allSatisfy { block, bits in bits & (other.blocks[block] ?? 0) == 0 }
  }
}
