import ActionLog
import Testing

@testable import ReplayCommandLine
@testable import ReplayEngine
@testable import TCAReplaying

extension ReplayCheck {
  /// What the check finds in a replay within this process; a check that goes on behind it is expected to find the same first.
  func firstFinding(
    sourceLocation: SourceLocation = #_sourceLocation,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> ReplayCheck.Result {
    let found = Swift.Result { try run(makeEngine: makeEngine) }
    var continuing = self
    continuing.isContinuing = true
    let continued = Swift.Result { try continuing.run(makeEngine: makeEngine) }
    #expect(
      Self.reports(continued) == Self.reports(found),
      sourceLocation: sourceLocation
    )
    return try found.get()
  }

  /// The reports on what was found first, as text and as JSON.
  private static func reports(_ found: Swift.Result<ReplayCheck.Result, any Error>) -> [String] {
    let outcome: ReplayOutcome
    switch found {
    case .failure(let error): outcome = .failure(error)
    case .success(var result):
      result.further = []
      // What was gone through and noted after it belongs to what comes after it.
      if !result.verdict.isSame {
        result.seq = 0
        (result.notCompared, result.notReadBack) = ([], [])
      }
      result.notes = []
      result.unknown = 0
      outcome = .verdict(result)
    }
    let report = RunReport(name: "log", outcome: outcome)
    var text = RunText(detailed: .all)
    return [text.text(report), report.json.description]
  }
}
