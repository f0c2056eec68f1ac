import ActionLog
import ReplayEngine
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

/// Replays the only log in a text.
///
/// - Returns: The log, under the name `log`, and the results of its replay.
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
  // Both have the same first finding.
  let other = try check(isContinuing: !isContinuing)
  #expect(checked.verdict == other.verdict)
  if checked.verdict == nil { #expect(checked.text == other.text) }
  return checked
}
