import ActionLog
import ReplayEngine
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

/// Replays the one log in a text.
///
/// - Returns: The log, under the name `log`, and what its replay has shown.
func check(
  _ log: String,
  of feature: ReplayFeature,
  options: LogComparison.Options = LogComparison.Options(),
  isContinuing: Bool = false
) throws -> ReplayedLog {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  let path = try folder.write(log, to: "log.jsonl")
  func check(isContinuing: Bool) throws -> ReplayedLog {
    let logs = try ReplayedLog.check(
      logsAt: path,
      named: "log",
      of: feature.entry,
      options: options,
      isContinuing: isContinuing
    )
    return try #require(logs.first)
  }
  let checked = try check(isContinuing: isContinuing)
  // Both find the same first.
  let other = try check(isContinuing: !isContinuing)
  #expect(checked.verdict == other.verdict)
  if checked.verdict == nil { #expect(checked.text == other.text) }
  return checked
}
