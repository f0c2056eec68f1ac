import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Formats the differences of a forked timeline, as text and as JSON.
package struct ForkReport {
  private let fork: TimelineFork

  package init(_ fork: TimelineFork) { self.fork = fork }

  /// Returns the report as text.
  package func text(_ style: Style) -> String { lines(style).map { "\($0)\n" }.joined() }

  /// Returns the lines of the report.
  package func lines(_ style: Style) -> [String] {
    var lines = [style.bold(Wording.forked(fork))]
    lines += fork.edits.map { "  \($0.text(style.notation))" }
    if let aligned = fork.aligned, aligned.isShifted {
      lines.append(style.wrapped(Wording.aligned(aligned)))
    }
    if let first = fork.firstDifference, first < fork.after {
      lines.append(Wording.otherCode(first))
    }
    if let trap = fork.trap { lines.append(Wording.trapped(fork, trap)) }
    if let gap = fork.gap { lines.append(Wording.endsAtGap(gap)) }
    lines += section(Wording.leftOut, leftOut(style), style)
    lines += section(
      Wording.added,
      fork.added.map { one in
        ("action \(one.seq)  \(style.notation.action(one.action))", Wording.describe(one))
      },
      style
    )
    lines += section(
      Wording.changedReads,
      fork.reads.map { (Wording.describe($0, style.notation), "") },
      style
    )
    return lines + endDifferences(style)
  }

  /// Returns the dropped actions, each with the reason.
  ///
  /// Actions after the end of the fork are combined into one row.
  private func leftOut(_ style: Style) -> [(text: String, reason: String)] {
    var rows = fork.leftOut.filter { $0.reason != .afterEnd }.map { one in
      let action = one.action.map { "  \(style.notation.action($0))" } ?? ""
      return (text: "action \(one.seq)\(action)", reason: Wording.describe(one.reason))
    }
    let after = fork.leftOut.filter { $0.reason == .afterEnd }.map(\.seq)
    if let first = after.first, let last = after.last {
      rows.append((Wording.range(first...last), Wording.describe(.afterEnd)))
    }
    return rows
  }

  /// The maximum number of lines in a section.
  private static let most = 40

  private func section(
    _ title: String,
    _ rows: [(text: String, reason: String)],
    _ style: Style
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    let shown = rows.prefix(Self.most).map { row in
      style.wrapped(
        row.reason.isEmpty ? "  \(row.text)" : "  \(row.text)  \(style.dim(row.reason))"
      )
    }
    let rest =
      rows.count > Self.most ? ["  \(Wording.more(rows.count - Self.most))"] : []
    return ["", title] + shown + rest
  }

  /// Returns the differences between the final states as a diff.
  private func endDifferences(_ style: Style) -> [String] {
    guard fork.trap == nil, fork.firstDifference != nil else { return [] }
    guard !fork.differences.isEmpty else { return ["", Wording.sameEnd] }
    return ["", Wording.atEnd, "  " + Wording.legend(first: "before", second: "after")]
      + DifferenceText(style: style).lines(fork.differences).map { "  \($0)" }
  }

  /// The report as JSON.
  package var json: JSON {
    var object: JSON.Object = [
      "log": .string(fork.base.name),
      "edits": .array(fork.edits.map(\.json)),
      "after": .number(JSON.Number(fork.after)),
      "firstDifference": Self.number(fork.firstDifference),
      "actions": [
        "before": .number(JSON.Number(fork.last.base)),
        "after": .number(JSON.Number(fork.last.fork)),
      ],
      "leftOut": .array(fork.leftOut.map(Self.json)),
      "new": .array(fork.added.map(Self.json)),
      "reads": .array(fork.reads.map(Self.json)),
      "differences": .array(fork.differences.map(\.json)),
    ]
    object["alignment"] = fork.aligned?.alignmentJSON
    object["mapped"] = fork.aligned?.mappedJSON
    object["trap"] = fork.trap.map(JSON.string)
    object["gap"] = fork.gap.map { .number(JSON.Number($0)) }
    return .object(object)
  }

  private static func number(_ number: Int?) -> JSON {
    number.map { JSON.number(JSON.Number($0)) } ?? .null
  }

  private static func json(_ one: TimelineFork.OmittedAction) -> JSON {
    var object: JSON.Object = ["seq": .number(JSON.Number(one.seq))]
    object["action"] = one.action
    object["reason"] = .string(Wording.describe(one.reason))
    return .object(object)
  }

  private static func json(_ one: TimelineFork.ForkOnlyAction) -> JSON {
    [
      "seq": .number(JSON.Number(one.seq)), "action": one.action, "origin": one.origin.json,
      "isInserted": .bool(one.isInserted),
    ]
  }

  private static func json(_ one: TimelineFork.AddedOrDroppedRead) -> JSON {
    var object: JSON.Object = ["seq": .number(JSON.Number(one.seq)), "key": .string(one.key)]
    object["standIn"] = one.standIn
    return .object(object)
  }
}
