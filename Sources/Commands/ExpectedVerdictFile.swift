/// Functions for the file next to a log that states the expected verdict of its replay.
package enum ExpectedVerdictFile {
  /// Returns the path of the file for a log, for example `NAME.verdict.json` for `NAME.jsonl`.
  package static func path(beside log: String) -> String {
    (log.hasSuffix(".jsonl") ? String(log.dropLast(6)) : log) + ".verdict.json"
  }
}
