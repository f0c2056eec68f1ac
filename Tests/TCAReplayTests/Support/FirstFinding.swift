import ActionLog
import TestSupport
import Testing

@testable import ReplayCommandLine
@testable import ReplayEngine
@testable import TCAReplaying

extension ReplayCheck {
  /// Returns the first finding of a replay in this process.
  ///
  /// It expects that a check that continues after the finding has the same first finding.
  func firstFinding(
    sourceLocation: SourceLocation = #_sourceLocation,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> ReplayCheck.Result {
    let found = Swift.Result { try run(makeEngine: makeEngine) }
    var continuing = self
    continuing.isContinuing = true
    // Later findings do not matter here.
    if !Thoroughness.isHigh, let at = try? found.get().verdict.at {
      continuing.until = min(until, at + 10)
    }
    let continued = Swift.Result { try continuing.run(makeEngine: makeEngine) }
    #expect(
      Self.reports(continued) == Self.reports(found),
      sourceLocation: sourceLocation
    )
    return try found.get()
  }

  /// Returns the reports on the first finding, as text and as JSON.
  private static func reports(_ found: Swift.Result<ReplayCheck.Result, any Error>) -> [String] {
    let outcome: ReplayOutcome
    switch found {
    case .failure(let error): outcome = .failure(error)
    case .success(var result):
      result.further = []
      // The values that are skipped afterwards belong to the following action.
      if !result.verdict.isSame {
        result.seq = 0
        (result.notCompared, result.notReadBack) = ([], [])
      }
      result.notes = []
      result.unknown = 0
      outcome = .verdict(result)
    }
    let report = LogRunReport(name: "log", outcome: outcome)
    var text = RunText(detailed: .all)
    return [text.text(report), report.json.description]
  }
}
