import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Formats a coverage report as text for a terminal.
struct CoverageText {
  private let report: CoverageReport
  private let style: Style
  /// Whether covered items are also listed and lists are not shortened.
  private let listsAll: Bool

  init(_ report: CoverageReport, _ style: Style, listsAll: Bool) {
    (self.report, self.style, self.listsAll) = (report, style, listsAll)
  }

  /// The maximum number of items in a list, unless `listsAll` is `true`.
  private static let mostListed = 20

  var text: String {
    var sections = [[style.bold(Wording.title(report))], features]
    sections += report.features.map(lines).filter { $0.count > 1 }
    if let lines = report.lines { sections.append(self.lines(lines)) }
    sections.append(enough)
    if !report.redundant.isEmpty { sections.append(redundant) }
    return style.fitted(sections.joined(separator: [""]).joined(separator: "\n") + "\n")
  }

  /// The table with a row for each feature.
  private var features: [String] {
    let rows = report.features.map { [Wording.name($0)] + Wording.cells($0) }
    return TextTable([Wording.featureHeads] + rows, numbers: 1..<7, indent: 2)
      .lines(width: style.width)
  }

  /// Returns the lines about a feature: missed cases, missed paths, and paths that never change.
  ///
  /// If `listsAll` is `true`, the reached cases and paths and the effects follow.
  private func lines(_ feature: CoverageReport.Feature) -> [String] {
    var lines = [style.bold(Wording.name(feature))]
    if !feature.hasOutline { lines.append(style.hanging("  \(Wording.unknownFeature)")) }
    lines += list(Wording.casesNeverReached, feature.missedActions.map(Wording.missed))
    lines += list(Wording.placesNeverReached, feature.missedPlaces.map(Wording.missed))
    lines += list(Wording.placesNeverChanged, feature.unchangedPlaces)
    guard listsAll else { return lines }
    lines += table(
      Wording.casesReached,
      feature.actions.filter { $0.count > 0 }
        .map { [$0.name, String($0.count), Wording.inLogs($0.logs)] }
    )
    lines += table(
      Wording.placesReached,
      feature.places.filter { $0.logs > 0 }.map { [$0.text, "", Wording.inLogs($0)] }
    )
    return lines
      + table(
        Wording.effectsStarted,
        feature.effects.map { [$0.name, String($0.ends.count), Wording.ends($0)] }
      )
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
    let rows = report.needed.map { [Notation.visible($0.log.name), Wording.adds($0.added)] }
    return [style.bold(Wording.enough(report))]
      + TextTable(rows, indent: 2).lines(width: style.width)
  }

  private var redundant: [String] {
    [style.bold(Wording.redundant(report.redundant.count))]
      + limited(report.redundant.map { "  \(Notation.visible($0.name))" })
  }

  private func list(_ title: String, _ items: [String]) -> [String] {
    guard !items.isEmpty else { return [] }
    return ["  \(style.dim(title))"] + limited(items.map { "    \($0)" })
  }

  private func limited(_ lines: [String]) -> [String] {
    let rest = lines.count - Self.mostListed
    guard rest > 1, !listsAll else { return lines }
    return lines.prefix(Self.mostListed) + ["    \(Wording.moreOf(rest))"]
  }

  private func table(_ title: String, _ rows: [[String]]) -> [String] {
    guard !rows.isEmpty else { return [] }
    return ["  \(style.dim(title))"]
      + TextTable(rows, numbers: 1..<2, indent: 4).lines(width: style.width)
  }
}
