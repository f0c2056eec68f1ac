import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine

/// Formats a coverage report as an HTML page without scripts, including source code if lines were counted.
struct CoveragePage {
  private typealias Cell = HTMLReport.Cell

  private let report: CoverageReport

  init(_ report: CoverageReport) { self.report = report }

  var text: String {
    var page = HTMLReport(Wording.title(report), style: Self.style)
    page.add(
      table: Wording.featureHeads,
      report.features.map { feature in
        [Cell(text: feature.name, isStrong: true)] + Wording.cells(feature).map { Cell(text: $0) }
      }
    )
    for feature in report.features { add(feature, to: &page) }
    if let lines = report.lines {
      page.add(heading: Wording.lines(lines))
      for file in lines.files { page.add(markup: source(file)) }
    }
    page.add(heading: Wording.enough(report))
    let added = Dictionary(zip(report.cover.chosen, report.cover.added)) { first, _ in first }
    page.add(
      table: Wording.logHeads,
      report.logs.enumerated().map { index, log in
        [
          Cell(text: log.name, isCode: true), Cell(text: log.feature), Cell(number: log.count),
          Cell(number: log.reached), Cell(number: log.alone),
          Cell(text: added[index].map { Wording.adds($0) } ?? Wording.isRedundant),
        ]
      }
    )
    for (name, message) in report.unreadable { page.add(paragraph: "\(name): \(message)") }
    return page.text
  }

  private func add(_ feature: CoverageReport.Feature, to page: inout HTMLReport) {
    page.add(heading: Wording.heading(feature))
    page.add(
      markup: details(
        Wording.actions(feature),
        feature.actions.map { action in
          (action.name, action.count == 0 ? nil : "\(action.count)", Wording.inLogs(action.logs))
        }
      )
    )
    page.add(
      markup: details(
        Wording.pathCounts(feature),
        feature.places.map { place in
          (place.text, place.logs == 0 ? nil : "", Wording.inLogs(place))
        }
      )
    )
    guard !feature.effects.isEmpty else { return }
    page.add(
      markup: details(
        Wording.effects(feature),
        feature.effects.map { ($0.name, "\($0.ends.count)", Wording.ends($0)) }
      )
    )
  }

  /// Returns a collapsible list, which is open at first if a row was never reached.
  ///
  /// A row whose `count` is `nil` was never reached.
  private func details(
    _ title: String,
    _ rows: [(name: String, count: String?, more: String)]
  ) -> String {
    let isOpen = rows.contains { $0.count == nil }
    let lines = rows.map { row in
      let name = "<td><code>\(HTMLReport.escaped(row.name))</code></td>"
      guard let count = row.count else {
        return
          "<tr class=\"missed\">\(name)<td></td><td>\(HTMLReport.escaped(Wording.neverReached))</td></tr>"
      }
      return
        "<tr>\(name)<td class=\"number\">\(count)</td><td>\(HTMLReport.escaped(row.more))</td></tr>"
    }
    return """
      <details\(isOpen ? " open" : "")><summary>\(HTMLReport.escaped(title))</summary>
      <table><tbody>
      \(lines.joined(separator: "\n"))
      </tbody></table>
      </details>
      """
  }

  /// Returns the source code of a file, in which missed lines are marked.
  private func source(_ file: LineCoverage.File) -> String {
    let title = "\(file.path)  \(Wording.lines(file))"
    let text = FileManager.default.contents(atPath: file.fullPath) ?? Data()
    let missed = Set(file.missed.joined())
    let lines = String(decoding: text, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let rows = lines.enumerated().map { index, line in
      let number = String(index + 1)
      let indent = String(repeating: " ", count: max(0, 5 - number.count))
      let text = "\(indent)\(number)  \(HTMLReport.escaped(String(line)))"
      return missed.contains(index + 1) ? "<mark>\(text)</mark>" : text
    }
    return """
      <details><summary><code>\(HTMLReport.escaped(title))</code></summary>
      <pre>\(rows.joined(separator: "\n"))</pre>
      </details>
      """
  }

  private static let style = """
    summary { cursor: pointer; padding: .35rem 0; }
    details td:first-child { width: 60%; }
    .missed td, mark { background: color-mix(in srgb, #d1242f 18%, transparent); color: inherit; }
    pre { overflow-x: auto; font: 12px/1.5 ui-monospace, monospace; }
    """
}
