import ActionLog
import LogTools
import ReplayEngine

/// The messages, headings, and table cells of the `coverage` command.
extension Wording {
  static func hostDoesNotListCases(_ host: String) -> String {
    "\(host) does not say which cases its features have, so what is never reached is not known;"
      + " build it with this version of tca-replay"
  }

  static func describe(_ error: CoverageError) -> String {
    switch error {
    case .noTool(let name):
      "'\(name)' was found neither beside 'swift' nor in the path; it comes with the Swift toolchain"
    case .toolFailed(let name, let message):
      "'\(name)' failed\(message.isEmpty ? "" : ": \(message)")"
    case .notCounting(let host):
      "\(host) does not count its lines; build it with 'swift build --enable-code-coverage'"
    case .noExecutable(let folder, let name):
      "\(folder) has no executable '\(name)'; give the path of the host that was built with 'swift build --enable-code-coverage'"
    case .unknownModules(let host):
      "\(host) does not say in which modules its features are; name their files or folders with --sources"
    case .noSources(let names):
      "the build has no source file of \(names); name files or folders with --sources"
    }
  }

  static func replaying(_ done: Int, of count: Int) -> String {
    "\(done) of \(counted(count, "log")) replayed"
  }

  // MARK: Headings

  static func title(_ report: CoverageReport) -> String {
    "\(countedLogs(report.logs.count)) of \(counted(report.features.count, "feature")), \(actions(report.count))"
  }

  static func heading(_ feature: CoverageReport.Feature) -> String {
    "\(name(feature)): \(countedLogs(feature.logs)), \(actions(feature.count))"
  }

  static func name(_ feature: CoverageReport.Feature) -> String {
    feature.name.isEmpty ? "no feature" : Notation.visible(feature.name)
  }

  private static func countedLogs(_ count: Int) -> String { counted(count, "log") }

  static func actions(_ feature: CoverageReport.Feature) -> String {
    "actions  \(cases(feature)) cases\(unknown(feature))"
  }

  static func pathCounts(_ feature: CoverageReport.Feature) -> String {
    "state  \(reachedPlaces(feature)) places, \(feature.changedCount) changed\(unknown(feature))"
  }

  static func effects(_ feature: CoverageReport.Feature) -> String {
    "effects  \(feature.effects.count)"
  }

  private static func unknown(_ feature: CoverageReport.Feature) -> String {
    feature.hasOutline ? "" : "; \(unknownFeature)"
  }

  static let unknownFeature = "the host has no such feature, so there may be more"

  /// Returns a count such as `12 of 14`, or `12` if the total is unknown.
  private static func cases(_ feature: CoverageReport.Feature) -> String {
    let reached = feature.actions.count { $0.count > 0 }
    return feature.hasOutline ? "\(reached) of \(feature.actions.count)" : "\(reached)"
  }

  private static func reachedPlaces(_ feature: CoverageReport.Feature) -> String {
    let reached = feature.places.count { $0.logs > 0 }
    return feature.hasOutline ? "\(reached) of \(feature.places.count)" : "\(reached)"
  }

  static let featureHeads = [
    "feature", "logs", "actions", "cases", "places", "changed", "effects",
  ]

  /// Returns the table cells that follow the name of a feature.
  static func cells(_ feature: CoverageReport.Feature) -> [String] {
    [
      "\(feature.logs)", "\(feature.count)", cases(feature), reachedPlaces(feature),
      "\(feature.changedCount)", "\(feature.effects.count)",
    ]
  }

  static let caseOrPlace = "case or place"

  // MARK: Rows

  static let neverReached = "never reached"
  static let neverChanged = "never changed"
  static let neverExecuted = "never executed"
  static let casesNeverReached = "cases never reached"
  static let placesNeverReached = "places never reached"
  static let placesNeverChanged = "places never changed"
  static let casesReached = "cases reached"
  static let placesReached = "places reached"
  static let effectsStarted = "effects started"

  /// Returns the name of a missed group, with the number of cases or paths in it.
  static func missed(_ group: MissedPrefixGroup) -> String {
    group.count == 1 ? group.name : "\(group.name) (\(group.count))"
  }

  static func inLogs(_ count: Int) -> String { "in \(countedLogs(count))" }

  static func inLogs(_ place: FeatureCoverage.PathCoverage) -> String {
    let changed = place.changedIn == 0 ? "" : ", changed in \(place.changedIn)"
    return "\(inLogs(place.logs))\(changed)"
  }

  /// Returns a phrase that counts how effects ended.
  static func ends(_ effect: FeatureCoverage.EffectCoverage) -> String {
    let ends = effect.ends
    return [("finished", ends.finished), ("canceled", ends.cancelled), ("failed", ends.failed)]
      .filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
  }

  static func moreOf(_ count: Int) -> String { "… and \(count) more; --verbose lists them" }

  // MARK: Lines

  static func lines(_ coverage: LineCoverage) -> String {
    let files = coverage.files.count
    return
      "lines: \(coverage.reached) of \(coverage.lines) in \(files == 1 ? "1 file" : "\(files) files")"
  }

  static func lines(_ file: LineCoverage.File) -> String { "\(file.reached) of \(file.lines)" }

  /// Returns line numbers and ranges, such as `12, 15–17`.
  static func ranges(_ ranges: [ClosedRange<Int>]) -> String {
    ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
      .joined(separator: ", ")
  }

  // MARK: Logs

  static func enough(_ report: CoverageReport) -> String {
    let (needed, all) = (report.needed.count, report.logs.count)
    if needed == all { return "none of the logs is redundant" }
    let fewer = report.cover.isSmallest ? "fewer do not" : "fewer may do, too"
    return "\(needed) of \(countedLogs(all)) reach\(needed == 1 ? "es" : "") the same; \(fewer)"
  }

  static func adds(_ count: Int) -> String { "adds \(count)" }
  static let addsHead = "adds"

  static let logHeads = ["log", "feature", "actions", "reached", "alone", "of the smallest set"]
  static let isRedundant = "redundant"

  static func redundant(_ count: Int) -> String {
    count == 1
      ? "1 log is redundant: the others reach all that it does"
      : "\(count) logs are redundant: the others reach all that they do"
  }
}

extension CoverageReport.Feature {
  /// The number of paths whose values are written after the initial state.
  fileprivate var changedCount: Int { places.count { $0.changedIn > 0 } }
}
