import ActionLog
import ReplayCommands

/// The results of many log files, one per log.
///
/// Sets can be merged in any order and in any number of steps. Among several results of a log, only the latest counts.
/// A log that a retried task has processed twice is therefore counted once.
struct ResultSet: Sendable, Equatable {
  private struct Key: Hashable {
    let log: String
    let digest: String
  }

  private var byLog: [Key: RunResult] = [:]
  /// The number of lines that are not results.
  private(set) var others = 0

  init() {}

  /// Adds the results in a file.
  ///
  /// - Throws: `LogReadError`, and `ResultsError` if the file has lines but none of them is a result.
  mutating func add(contentsOf path: String) throws {
    let lines = try ResultLines.read(path) { add($0) }
    guard lines.results > 0 || lines.others == 0 else { throw ResultsError.isNone(path) }
    others += lines.others
  }

  mutating func add(_ result: RunResult) {
    let key = Key(log: result.log, digest: result.digest)
    if let known = byLog[key], !result.isLater(than: known) { return }
    byLog[key] = result
  }

  mutating func merge(_ other: ResultSet) {
    for result in other.byLog.values { add(result) }
    others += other.others
  }

  var count: Int { byLog.count }

  /// The results, sorted by log.
  var results: [RunResult] {
    byLog.values.sorted { ($0.log, $0.digest) < ($1.log, $1.digest) }
  }

  /// The result of the log with a name and a digest.
  subscript(log: String, digest: String) -> RunResult? { byLog[Key(log: log, digest: digest)] }
}

extension RunResult {
  /// Whether this result replaces another result of the same log.
  ///
  /// The order has no ties, so the result does not depend on the order of merging.
  fileprivate func isLater(than other: RunResult) -> Bool {
    if finishedAt != other.finishedAt { return finishedAt > other.finishedAt }
    return line.lexicographicallyPrecedes(other.line)
  }
}
