import ActionLog
import ReplayEngine

/// Formats the comparison of two aligned logs as text.
package struct AlignedText {
  private let logs: AlignedComparisonResult
  private let names: (first: String, second: String)

  /// Creates the formatter for a comparison.
  ///
  /// - Parameters:
  ///   - logs: The result of the comparison.
  ///   - first: The name of the first log, as shown to the user.
  ///   - second: The name of the second log, as shown to the user.
  package init(_ logs: AlignedComparisonResult, _ first: String, _ second: String) {
    self.logs = logs
    names = (Notation.visible(first), Notation.visible(second))
  }

  /// A summary that lists the paired actions, the actions without a counterpart, and the numbers of mapped ids and
  /// dates.
  package var summary: String {
    var parts = correspondence
    if let mapped = Wording.mapped(logs.mappedCounts) { parts.append(mapped) }
    return parts.joined(separator: "; ")
  }

  /// Returns one line with the summary, the number of actions in each log, and the states that were not compared.
  ///
  /// - Parameter most: The maximum number of characters for the summary.
  /// - Returns: The line, without a newline.
  package func overview(most: Int = .max) -> String {
    let gaps = notCompared
    return
      ([String(summary.prefix(most)), lengths] + (gaps.isEmpty ? [] : [Wording.notCompared(gaps)]))
      .joined(separator: "; ")
  }

  /// A sentence with the number of differing values and the first difference, or `nil` if no values differ.
  package var values: String? {
    let count = logs.valueDifferences.count
    guard let group = logs.groups.first(where: { !$0.differences.isEmpty }),
      let first = group.differences.first
    else { return nil }
    return Wording.differing(count, first: "\(DifferenceText().line(first)) (\(title(group)))")
  }

  /// The number of actions in each log, as text.
  package var lengths: String {
    let (first, second) = (logs.first.actions, logs.second.actions)
    guard first != second else { return "\(Wording.actions(first)) each" }
    return "\(names.first) has \(Wording.actions(first)), \(names.second) \(second)"
  }

  /// Descriptions of the states that were not compared.
  ///
  /// Values that a log holds only as a type name are reported elsewhere, in `AlignedComparisonResult.notes`.
  package var notCompared: [String] {
    var parts: [String] = []
    if logs.unknownStates > 0 { parts.append(Wording.unknownStates(logs.unknownStates)) }
    if logs.comparedChanges > 0 { parts.append(Wording.comparedChanges(logs.comparedChanges)) }
    return parts
  }

  private func name(_ side: AlignedComparisonResult.Side) -> String {
    side == .first ? names.first : names.second
  }

  /// The maximum number of ranges in a summary, chosen so that the summary stays readable.
  private static let mostParts = 12
}

// MARK: - Summary

extension AlignedText {
  private struct PositionedText {
    /// The action number in the first log by which the parts are sorted.
    let place: Int
    var text: String
  }

  private var correspondence: [String] {
    var parts = logs.matches.map { match in
      PositionedText(place: match.first.lowerBound, text: Wording.match(match.first, match.second))
    }
    for side in [AlignedComparisonResult.Side.first, .second] {
      parts += runs(side).map {
        PositionedText(place: $0.place, text: Wording.only($0.seqs, name(side)))
      }
    }
    for one in logs.lone where one.side == .first && one.isAction {
      guard let second = one.movedTo else { continue }
      parts.append(
        PositionedText(place: one.seq, text: Wording.moved(one.seq, to: second, names.second))
      )
    }
    // Parts of the first log come before parts of the second log at the same action, so the sort must be stable.
    let ordered = parts.enumerated().sorted {
      ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
    }
    var texts = ordered.prefix(Self.mostParts).map(\.element.text)
    if parts.count > Self.mostParts {
      texts.append(Wording.moreStretches(parts.count - Self.mostParts))
    }
    let isMatch = logs.matches.first?.first.lowerBound == ordered.first?.element.place
    if isMatch, let first = texts.first, let match = logs.matches.first {
      texts[0] = (match.first.count == 1 ? "action " : "actions ") + first
    }
    return texts + turns
  }

  /// Returns ranges of consecutive actions that only one log has, each with its position in the first log.
  private func runs(_ side: AlignedComparisonResult.Side) -> [(seqs: ClosedRange<Int>, place: Int)]
  {
    var runs: [(seqs: ClosedRange<Int>, place: Int)] = []
    for one in logs.lone where one.side == side && one.isAction && one.movedTo == nil {
      if let last = runs.last, last.seqs.upperBound + 1 == one.seq {
        runs[runs.count - 1].seqs = last.seqs.lowerBound...one.seq
      } else {
        runs.append((one.seq...one.seq, one.place))
      }
    }
    return runs
  }

  /// Phrases that count the moved and unmatched steps, without actions.
  private var turns: [String] {
    let others = logs.lone.filter { !$0.isAction }
    let moved = others.count { $0.movedTo != nil && $0.side == .first }
    var texts: [String] = []
    if moved > 0 { texts.append(Wording.movedEvents(moved)) }
    for side in [AlignedComparisonResult.Side.first, .second] {
      let count = others.count { $0.movedTo == nil && $0.side == side }
      if count > 0 { texts.append(Wording.onlyEvents(count, name(side))) }
    }
    return texts
  }
}

// MARK: - Differences

extension AlignedText {
  /// Returns the differences as text, with a title for each group.
  package func groups(_ style: Style) -> String {
    var text = ""
    for group in logs.groups {
      var lines = lone(group, style)
      lines += DifferenceText(style: style).lines(group.differences).map { "  \($0)" }
      // Values that keep differing are listed at the end of the text, so there can be no lines for a group.
      guard !lines.isEmpty else { continue }
      text += "\n" + style.bold(title(group)) + "\n" + lines.map { "\($0)\n" }.joined()
    }
    return text + continuing(style)
  }

  private func title(_ group: AlignedComparisonResult.PositionedDifferences) -> String {
    switch group.place {
    case .start: return Wording.heading(0)
    case .end: return Wording.atEnd
    case .after(let seq): return Wording.afterAction(seq)
    case .actions(let first, let second):
      return Wording.heading(first) + (first == second ? "" : Wording.inOther(second, names.second))
    case .lone:
      let sides = [AlignedComparisonResult.Side.first, .second].compactMap { side -> String? in
        let seqs = group.lone.filter { $0.side == side && $0.isAction }.map(\.seq)
        // The actions of a damaged log may be out of order, so `first` and `last` don't suffice.
        guard let first = seqs.min(), let last = seqs.max() else { return nil }
        let isOnly = group.lone.contains { $0.side == side && $0.isAction && $0.movedTo == nil }
        return Wording.lone(first...last, name(side), isOnly: isOnly)
      }
      if !sides.isEmpty { return sides.joined(separator: ", ") }
      return Wording.afterAction(group.lone.first?.place ?? 0)
    }
  }

  /// The maximum number of steps that are listed for one group, chosen so that the output stays readable.
  private static let mostSteps = 20

  private func lone(
    _ group: AlignedComparisonResult.PositionedDifferences,
    _ style: Style
  ) -> [String] {
    let lines = group.lone.prefix(Self.mostSteps).map { one in
      let isFirst = one.side == .first
      let text = "  \(isFirst ? "−" : "+") \(describe(one, style.notation))"
      let moved = one.movedTo.map { seq in
        "  " + style.dim(Wording.movedTo(seq, name(isFirst ? .second : .first), one.isAction))
      }
      return (isFirst ? style.red(text) : style.green(text)) + (moved ?? "")
    }
    let rest = group.lone.count - Self.mostSteps
    return rest > 0 ? lines + ["  \(Wording.more(rest))"] : lines
  }

  private func describe(_ one: AlignedComparisonResult.UnpairedStep, _ notation: Notation) -> String
  {
    switch one.event {
    case .action(let action):
      let sender =
        action.origin == .view ? "" : "  " + Wording.origin(action.origin, of: action.origin.cause)
      return "\(one.seq)  \(notation.action(action.action))\(sender)"
    case .effect(let effect): return Wording.turn(effect, notation)
    default: return "\(one.seq)  \(Wording.onlyHere(one.event))"
    }
  }

  /// Returns a list of the paths whose values already differed and now differ in another way.
  ///
  /// Each path is followed by the numbers of the actions after which its values differ in another way.
  private func continuing(_ style: Style) -> String {
    var places: [(place: String, seqs: [Int])] = []
    var indexes: [String: Int] = [:]
    for group in logs.groups {
      for difference in group.continuing {
        let place = Wording.locationText(difference, style.notation)
        if let index = indexes[place] {
          if places[index].seqs.last != difference.seq { places[index].seqs.append(difference.seq) }
        } else {
          indexes[place] = places.count
          places.append((place, [difference.seq]))
        }
      }
    }
    guard !places.isEmpty else { return "" }
    let lines = places.prefix(Self.mostSteps).map {
      "  \($0.place)  \(Wording.actionList($0.seqs))\n"
    }
    let rest = places.count - Self.mostSteps
    return "\n" + style.bold(Wording.continuing) + "\n" + lines.joined()
      + (rest > 0 ? "  \(Wording.more(rest))\n" : "")
  }
}

/// Titles and phrases that describe aligned logs.
extension Wording {
  static let continuing = "with other values again"
  static let atEnd = "at the end"
  static let otherID = "the same text for another value: the second log has other ids and dates"

  static func heading(_ seq: Int) -> String {
    seq == 0 ? "before the first action" : "action \(seq)"
  }

  static func afterAction(_ seq: Int) -> String {
    seq == 0 ? heading(0) : "after action \(seq)"
  }

  static func inOther(_ seq: Int, _ name: String) -> String {
    ", which is action \(seq) of \(name)"
  }

  static func match(_ first: ClosedRange<Int>, _ second: ClosedRange<Int>) -> String {
    let verb = first.count == 1 ? "matches" : "match"
    return "\(range(first)) \(verb)" + (first == second ? "" : " \(range(second))")
  }

  static func range(_ seqs: ClosedRange<Int>) -> String {
    seqs.count == 1 ? "\(seqs.lowerBound)" : "\(seqs.lowerBound) to \(seqs.upperBound)"
  }

  static func only(_ seqs: ClosedRange<Int>, _ name: String) -> String {
    seqs.count == 1
      ? "action \(seqs.lowerBound) is only in \(name)"
      : "actions \(range(seqs)) are only in \(name)"
  }

  /// Returns the title for actions of one log that have no counterpart at the same position.
  ///
  /// - Parameters:
  ///   - seqs: The range from the smallest to the largest action number.
  ///   - name: The name of the log.
  ///   - isOnly: Whether at least one of the actions is missing in the other log.
  /// - Returns: The title, such as `actions 3 to 5 are only in b.jsonl`.
  static func lone(_ seqs: ClosedRange<Int>, _ name: String, isOnly: Bool) -> String {
    isOnly ? only(seqs, name) : "action\(seqs.count == 1 ? "" : "s") \(range(seqs)) of \(name)"
  }

  static func moved(_ seq: Int, to second: Int, _ name: String) -> String {
    "action \(seq) is action \(second) of \(name)"
  }

  static func movedTo(_ seq: Int, _ name: String, _ isAction: Bool) -> String {
    isAction ? "is action \(seq) of \(name)" : "\(afterAction(seq)) in \(name)"
  }

  static func movedStep(isAction: Bool, to seq: Int) -> String {
    isAction ? "the other log has it as action \(seq)" : "the other log has it \(afterAction(seq))"
  }

  static func movedEvents(_ count: Int) -> String {
    count == 1 ? "1 event of an effect has moved" : "\(count) events of effects have moved"
  }

  static func onlyEvents(_ count: Int, _ name: String) -> String {
    count == 1 ? "1 other event is only in \(name)" : "\(count) other events are only in \(name)"
  }

  static func differing(_ count: Int, first: String) -> String {
    count == 1 ? "1 value differs: \(first)" : "\(count) values differ, first \(first)"
  }

  static func moreStretches(_ count: Int) -> String {
    "\(count) more \(count == 1 ? "stretch" : "stretches"), which --format json has"
  }

  /// Returns a phrase for an event that is neither an action nor an effect event, such as a gap.
  static func onlyHere(_ event: LogEvent) -> String {
    switch event {
    case .gap(let gap): "a gap: \(missing(gap.dropped))"
    case .external: changedFromOutside
    case .excluded: leftOut
    default: event.kind
    }
  }

  /// Returns a phrase such as `3 ids and 2 dates mapped`, or `nil` if all counts are zero.
  static func mapped(_ counts: AlignedComparisonResult.MappedCounts) -> String? {
    func part(_ count: Int, _ name: String) -> String? {
      count == 0 ? nil : "\(count) \(name)\(count == 1 ? "" : "s")"
    }
    let parts = [
      part(counts.ids, "id"), part(counts.dates, "date"), part(counts.masked, "masked text"),
    ].compactMap { $0 }
    guard let last = parts.last else { return nil }
    let others = parts.dropLast().joined(separator: ", ")
    return (others.isEmpty ? "" : "\(others) and ") + "\(last) mapped"
  }

  static func unknownStates(_ count: Int) -> String {
    "the states after \(actions(count)), which a log does not have"
  }

  static func comparedChanges(_ count: Int) -> String {
    "the states at \(count) \(count == 1 ? "place" : "places"), where only the changes were compared: the states are too large"
  }

  /// Returns a phrase such as `action 5` or `actions 5, 7 and 9`, with at most eight numbers.
  ///
  /// - Parameter seqs: The action numbers. Pass at least one.
  /// - Returns: The phrase.
  static func actionList(_ seqs: [Int]) -> String {
    guard seqs.count > 1 else { return "action \(seqs[0])" }
    let shown = seqs.prefix(8).map { "\($0)" }
    if seqs.count > 8 {
      return "actions \(shown.joined(separator: ", ")) and \(seqs.count - 8) more"
    }
    return "actions \(shown.dropLast().joined(separator: ", ")) and \(shown.last ?? "")"
  }
}
