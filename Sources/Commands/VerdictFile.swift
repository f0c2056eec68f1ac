/// The file beside a log that states the verdict of its replay.
package enum VerdictFile {
  /// `NAME.verdict.json` for `NAME.jsonl`.
  package static func path(beside log: String) -> String {
    (log.hasSuffix(".jsonl") ? String(log.dropLast(6)) : log) + ".verdict.json"
  }
}
