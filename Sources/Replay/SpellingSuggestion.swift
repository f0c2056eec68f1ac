import ActionLog
import Foundation

/// Functions that find the known word that an unknown word probably stands for.
package enum SpellingSuggestion {
  /// Returns the known word with the smallest edit distance, if the distance is small compared with the word's length.
  package static func closest(to text: String, among known: [String]) -> String? {
    guard text.utf8.count <= longest else { return nil }
    let candidates = known.map { (word: $0, distance: distance(text, $0)) }
    guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.word.count / 3) ? best.word : nil
  }

  /// Returns the path of cases or members that a text probably stands for, or `nil` if no path is similar.
  ///
  /// The text may contain the last names of the path, or some of its names in order: `.path[].visit.saved` for
  /// `visit.saved` and `path.saved`. Otherwise, the path whose end has the smallest edit distance is returned:
  /// `.path[].visit.saved` for `.svaed`.
  package static func closestPath(to text: String, among paths: [String]) -> String? {
    if let path = exactPath(to: text, among: paths) {
      // The case exists, but none of its logged values matches the text.
      return text.contains("(") ? nil : path
    }
    let typed = names(text)
    return similarPath(to: typed, among: paths)
      ?? (typed.count > 1 ? similarPath(to: typed.suffix(1), among: paths) : nil)
  }

  /// Returns the shortest path that ends with the names in a text, or contains them in order.
  package static func exactPath(to text: String, among paths: [String]) -> String? {
    let typed = names(text)
    guard !typed.isEmpty else { return nil }
    let paths = paths.sorted { ($0.count, $0) < ($1.count, $1) }
    return paths.first { names($0).suffix(typed.count) == typed[...] }
      ?? paths.first { path in
        var rest = typed[...]
        for name in names(path) where name == rest.first { rest.removeFirst() }
        return rest.isEmpty
      }
  }

  /// Returns the path whose end has the smallest edit distance to the typed names.
  private static func similarPath(to typed: [String], among paths: [String]) -> String? {
    guard !typed.isEmpty else { return nil }
    func end(_ path: String) -> String {
      names(path).suffix(typed.count).joined(separator: ".")
    }
    // In a long path, even a completely different last name adds only a few edits, so it is compared separately.
    let similar = paths.filter { path in
      guard let last = names(path).last, let typedLast = typed.last else { return false }
      return closest(to: typedLast, among: [last]) != nil
    }
    let ends = Dictionary(similar.sorted().map { (end($0), $0) }) {
      $0.count <= $1.count ? $0 : $1
    }
    return closest(to: typed.joined(separator: "."), among: ends.keys.sorted())
      .flatMap { ends[$0] }
  }

  /// Returns the names in a path, without the parts in brackets or parentheses.
  package static func names(_ path: String) -> [String] {
    var names = [""]
    var open = 0
    for character in path {
      switch character {
      case "[": open += 1
      case "]": open -= 1
      case "(" where open <= 0: return names.filter { !$0.isEmpty }
      case ".",
        "/" where open <= 0:
        names.append("")
      case _ where open <= 0: names[names.count - 1].append(character)
      default: break
      }
    }
    // A JSON Pointer contains array indexes among its names.
    return names.filter { !$0.isEmpty && (!path.hasPrefix("/") || Int($0) == nil) }
  }

  /// The maximum length of a word for which a suggestion is computed.
  ///
  /// Bounds the time.
  private static let longest = 80

  /// Returns the edit distance between two texts, regardless of upper and lower case.
  ///
  /// The distance is the minimum number of insertions, deletions, replacements, and swaps of adjacent characters.
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
