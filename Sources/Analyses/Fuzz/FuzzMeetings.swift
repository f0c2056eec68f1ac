/// The pairs of state parts that have occurred together.
///
/// Faults often need two of them, such as a short list and a high index.
struct FuzzMeetings {
  private var parts: Set<UInt64> = []
  private var pairs: Set<UInt64> = []

  /// The first occurrence of a pair.
  struct FirstMeeting {
    var steps: [FuzzStep]
    var position: FuzzRunner.Position
  }

  /// The maximum number of state parts that are paired.
  ///
  /// Bounds time and memory, because pairs grow quadratically.
  private static let mostParts = 64

  /// Registers the parts of a state.
  ///
  /// - Returns: The hashes of the new parts and pairs.
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
