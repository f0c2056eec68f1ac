/// The pairs of state parts that have occurred in the same state.
///
/// A fault often needs two conditions at the same time, such as a short list and a high index.
struct StatePairCoverage {
  private var parts: Set<UInt64> = []
  private var pairs: Set<UInt64> = []

  /// The sequence and position at which a state part or a pair occurred for the first time.
  struct FirstOccurrence {
    var steps: [FuzzStep]
    var position: FuzzRunner.Snapshot
  }

  /// The maximum number of parts in a state whose pairs are registered.
  ///
  /// The limit bounds time and memory, because the number of pairs grows quadratically.
  private static let mostParts = 64

  /// Registers the parts of a state, and all pairs of them.
  ///
  /// - Parameter state: The hashes of the parts.
  /// - Returns: The hashes of the parts and pairs that occur for the first time.
  mutating func new(among state: [UInt64]) -> [UInt64] {
    var new: [UInt64] = []
    for part in state where parts.insert(part).inserted { new.append(part) }
    guard state.count <= Self.mostParts else { return new }
    for (index, first) in state.enumerated() {
      for second in state[..<index] {
        let pair = StateShape.hash([], min(first, second), max(first, second))
        if pairs.insert(pair).inserted { new.append(pair) }
      }
    }
    return new
  }
}
