import ActionLog
import ReplayCommands
import ReplayEngine

/// The texts of `pictures`.
extension Wording {
  static let folderOperand = "a folder of pictures"
  static let noPicture = "no picture"

  static func wrote(_ set: PictureSet, to folder: String) -> String {
    "\(folder): \(counted(set.pictures.count, "picture")) of \(actions(set.rows.count))"
  }

  static func wroteReport(_ path: String) -> String { "wrote \(path)" }

  /// Returns a line for each reason, with the actions that have no picture.
  static func notes(_ set: PictureSet) -> [String] {
    var reasons: [String] = []
    var numbers: [String: [Int]] = [:]
    for (action, note) in set.notes {
      let reason = "\(note)"
      if numbers[reason] == nil { reasons.append(reason) }
      numbers[reason, default: []].append(action)
    }
    return reasons.map { "\(named(numbers[$0] ?? [])): \($0)" }
  }

  static func title(_ comparison: PictureComparison) -> String {
    let count = counted(comparison.differences.count, "picture")
    return comparison.comparesStates
      ? "\(count) \(comparison.differences.count == 1 ? "differs" : "differ"), though the states are the same"
      : "\(count) \(comparison.differences.count == 1 ? "differs" : "differ"); states were not compared"
  }

  /// Returns the lines of a comparison's findings.
  static func lines(_ comparison: PictureComparison) -> [String] {
    var lines = comparison.differences.map { difference($0, comparison) }
    lines += remarks(comparison)
    if comparison.differences.isEmpty {
      lines.append(
        comparison.sameCount == 0
          ? "no action has pictures on both sides with the same state"
          : "the pictures of \(actions(comparison.sameCount)) are the same"
      )
    }
    return lines
  }

  static func difference(
    _ difference: PictureComparison.Difference,
    _ comparison: PictureComparison
  ) -> String {
    let name = "action \(difference.action): "
    let state = comparison.comparesStates ? "state is the same, " : ""
    if difference.after.picture == nil {
      let reason = difference.after.note.map { " (\($0))" } ?? ""
      return name + state + "there is no picture any more" + reason
    }
    if difference.before.picture == nil { return name + state + "there was no picture" }
    return name + state + "picture differs"
  }

  /// Returns remarks in addition to the differences.
  static func remarks(_ comparison: PictureComparison) -> [String] {
    var lines: [String] = []
    if !comparison.comparesStates {
      let folder = comparison.before.hasStates ? comparison.after.folder : comparison.before.folder
      lines.append(
        "\(folder) has no \(PictureIndexFile.name): pictures are compared by action, and states were not"
      )
    }
    for (actions, text) in [
      (comparison.changedStates, "the state is another one, so the pictures were not compared"),
      (comparison.onlyBefore, "only in the earlier pictures"),
      (comparison.onlyAfter, "only in the new pictures"),
    ] where !actions.isEmpty { lines.append("\(named(actions)): \(text)") }
    return lines
  }

  static func notShown(_ actions: [Int]) -> String {
    "not shown here: \(named(actions))"
  }

  /// Returns actions by number, with consecutive ones as a range: `actions 1, 4 to 9 and 12`.
  private static func named(_ actions: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for action in actions {
      if let last = ranges.last, last.upperBound + 1 == action {
        ranges[ranges.count - 1] = last.lowerBound...action
      } else {
        ranges.append(action...action)
      }
    }
    var words = ranges.prefix(mostRanges).flatMap { range in
      range.count < 3
        ? range.map { "\($0)" } : ["\(range.lowerBound) to \(range.upperBound)"]
    }
    if ranges.count > mostRanges { words.append("\(ranges.count - mostRanges) more ranges") }
    let last = words.removeLast()
    let list = words.isEmpty ? last : "\(words.joined(separator: ", ")) and \(last)"
    return "\(actions.count == 1 ? "action" : "actions") \(list)"
  }

  private static let mostRanges = 12
}
