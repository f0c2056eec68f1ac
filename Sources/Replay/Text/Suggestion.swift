/// Finds what somebody may have meant who wrote something unknown.
package enum Suggestion {
  /// The known word that takes the fewest edits, when these are few for its length.
  package static func closest(to text: String, among known: [String]) -> String? {
    guard text.utf8.count <= longest else { return nil }
    let candidates = known.map { (word: $0, distance: distance(text, $0)) }
    guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.word.count / 3) ? best.word : nil
  }

  /// Nobody means a short word who writes a page.
  private static let longest = 80

  /// How many insertions, removals, replacements and swaps of neighbours turn one text into the other.
  static func distance(_ first: String, _ second: String) -> Int {
    let old = Array(first.lowercased())
    let new = Array(second.lowercased())
    var beforeLast: [Int] = []
    var last = Array(0...new.count)
    for row in old.indices {
      var current = [row + 1]
      for column in new.indices {
        var cost = min(last[column + 1] + 1, current[column] + 1)
        cost = min(cost, last[column] + (old[row] == new[column] ? 0 : 1))
        if row > 0, column > 0, old[row] == new[column - 1], old[row - 1] == new[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[new.count]
  }
}
