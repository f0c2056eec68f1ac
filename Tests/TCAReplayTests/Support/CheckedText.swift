import ActionLog
import ReplayEngine
import TCAReplay
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
) throws -> CheckedLog {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  let logs = try CheckedLog.check(
    logsAt: try folder.write(log, to: "log.jsonl"),
    named: "log",
    of: feature.entry,
    options: options,
    isContinuing: isContinuing
  )
  return try #require(logs.first)
}
