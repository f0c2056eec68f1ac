import ActionLog
import ReplayEngine

/// What a scan for a condition has found, for people and for programs.
struct BisectReport {
  let name: String
  let condition: String
  let scan: ConditionScan
  /// The first action after which the condition holds, and what led to it.
  let causes: [Verdict.Divergence.Link]
  /// Whether the log was not read to its end.
  var isPartial = false

  /// How many flips are told one by one.
  private static let mostFlips = 10

  func text(_ style: Style) -> String {
    guard let first = scan.first else {
      return Wording.neverTrue(name, condition, scan) + "\n"
    }
    var lines = [style.bold(Wording.firstTrue(name, condition, at: first))]
    lines.append("")
    lines += VerdictText(style: style).causes(causes, of: first).map { "  " + $0 }
    lines.append("")
    if scan.differences.isEmpty {
      lines.append("  " + Wording.unchangedState)
    } else {
      lines.append("  " + Wording.legend(first: "before", second: "after"))
      lines += DifferenceText(style: style).lines(scan.differences).map { "  " + $0 }
    }
    let others = scan.flips.filter { $0.seq != first }
    if scan.holdsAtStart || !others.isEmpty {
      lines.append("")
      if scan.holdsAtStart { lines.append("  " + Wording.trueAtStart) }
      lines += others.prefix(Self.mostFlips).map { "  " + Wording.flip($0) }
      if others.count > Self.mostFlips {
        lines.append("  " + Wording.more(others.count - Self.mostFlips))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    var object: JSON.Object = [
      "log": .string(name),
      "when": .string(condition),
      "found": .bool(scan.first != nil),
    ]
    object["seq"] = scan.first.map { .number(JSON.Number($0)) }
    object["holdsAtStart"] = .bool(scan.holdsAtStart)
    object["flips"] = .array(
      scan.flips.map { ["seq": .number(JSON.Number($0.seq)), "holds": .bool($0.holds)] }
    )
    object["last"] = .number(JSON.Number(scan.last))
    if isPartial { object["isPartial"] = true }
    if scan.first != nil {
      object["differences"] = .array(scan.differences.map(\.json))
      object["causes"] = .array(causes.map(\.json))
    }
    return .object(object)
  }
}
