import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// What logs reach, for people to read in a terminal.
struct CoverageText {
  private let report: CoverageReport
  private let style: Style
  /// Whether what is reached is listed, too, and nothing is left out.
  private let listsAll: Bool

  init(_ report: CoverageReport, _ style: Style, listsAll: Bool) {
    (self.report, self.style, self.listsAll) = (report, style, listsAll)
  }

  /// More are not read at once.
  private static let mostListed = 20

  var text: String {
    var sections = [[style.bold(Wording.title(report))]]
    sections += report.features.map(lines)
    if let lines = report.lines { sections.append(self.lines(lines)) }
    sections.append(enough)
    if !report.redundant.isEmpty { sections.append(redundant) }
    return style.fitted(sections.joined(separator: [""]).joined(separator: "\n") + "\n")
  }

  private func lines(_ feature: CoverageReport.Feature) -> [String] {
    var lines = [style.bold(Wording.heading(feature))]
    lines.append("  \(Wording.actions(feature))")
    if listsAll {
      lines += table(
        feature.actions.filter { $0.count > 0 }
          .map { [$0.name, String($0.count), Wording.inLogs($0.logs)] }
      )
    }
    lines += list(Wording.neverReached, feature.missedActions.map(Wording.missed))
    lines.append("  \(Wording.places(feature))")
    if listsAll {
      lines += table(
        feature.places.filter { $0.logs > 0 }.map { [$0.text, "", Wording.inLogs($0)] }
      )
    }
    lines += list(Wording.neverReached, feature.missedPlaces.map(Wording.missed))
    lines += list(Wording.neverChanged, feature.unchangedPlaces)
    if !feature.effects.isEmpty {
      lines.append("  \(Wording.effects(feature))")
      lines += table(
        feature.effects.map { [$0.name, String($0.ends.count), Wording.ends($0)] }
      )
    }
    return lines
  }

  private func lines(_ coverage: LineCoverage) -> [String] {
    [style.bold(Wording.lines(coverage))]
      + coverage.files.flatMap { file -> [String] in
        let missed = Wording.ranges(file.missed)
        return ["  \(Notation.visible(file.path))  \(Wording.lines(file))"]
          + (missed.isEmpty ? [] : ["    \(style.dim(Wording.neverExecuted)) \(missed)"])
      }
  }

  private var enough: [String] {
    [style.bold(Wording.enough(report))]
      + table(
        report.needed.map { [Notation.visible($0.log.name), "", Wording.adds($0.added)] },
        indent: 2
      )
  }

  private var redundant: [String] {
    [style.bold(Wording.redundant(report.redundant.count))]
      + limited(report.redundant.map { "  \(Notation.visible($0.name))" })
  }

  private func list(_ title: String, _ items: [String]) -> [String] {
    guard !items.isEmpty else { return [] }
    return ["    \(style.dim(title))"] + limited(items.map { "      \($0)" })
  }

  private func limited(_ lines: [String]) -> [String] {
    let rest = lines.count - Self.mostListed
    guard rest > 1, !listsAll else { return lines }
    return lines.prefix(Self.mostListed) + ["      \(Wording.moreOf(rest))"]
  }

  /// Rows whose columns stand below each other, the second one to the right.
  private func table(_ rows: [[String]], indent: Int = 4) -> [String] {
    let first = rows.map { TerminalColumns.count($0[0]) }.max() ?? 0
    let second = rows.map(\.[1].count).max() ?? 0
    return rows.map { row in
      let gap = String(repeating: " ", count: first - TerminalColumns.count(row[0]))
      let space = String(repeating: " ", count: second - row[1].count)
      let number = second > 0 ? "  \(space)\(row[1])" : ""
      let line = "\(row[0])\(gap)\(number)  \(row[2])"
      return String(repeating: " ", count: indent) + line.trimmingEnd
    }
  }
}

extension String {
  /// The text without blanks at its end.
  fileprivate var trimmingEnd: Substring {
    self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
  }
}
