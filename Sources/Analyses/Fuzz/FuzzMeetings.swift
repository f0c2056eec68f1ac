/// The pairs of parts of states that were seen together: a fault often needs two of them, such as a short list and a high index.
struct FuzzMeetings {
  private var parts: Set<UInt64> = []
  private var pairs: Set<UInt64> = []

  /// Where two parts were first seen together.
  struct FirstMeeting {
    var steps: [FuzzStep]
    var position: FuzzRunner.Position
  }

  /// The most parts of a state of which pairs are made.
  private static let mostParts = 64

  /// Notes the parts of a state.
  ///
  /// - Returns: What stands for the parts and pairs that are new.
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
