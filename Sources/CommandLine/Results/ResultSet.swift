import ActionLog
import ReplayCommands

/// The results of many log files, with one result per log.
///
/// Sets can be merged in any order and in any number of steps. If a log has several results, only the latest is kept. A
/// log that a retried task has processed twice is therefore counted once.
struct ResultSet: Sendable, Equatable {
  private struct Key: Hashable {
    let log: String
    let digest: String
  }

  private var byLog: [Key: RunResult] = [:]
  /// The number of lines that are not results.
  private(set) var others = 0

  init() {}

  /// Adds the results that a file contains.
  ///
  /// - Throws: `LogReadError` if the file can't be read, or `ResultsError` if the file has lines but none of them is a
  ///   result.
  mutating func add(contentsOf path: String) throws {
    let lines = try ResultLineCounts.read(path) { add($0) }
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

  /// All results, sorted by the names of the logs.
  var results: [RunResult] {
    byLog.values.sorted { ($0.log, $0.digest) < ($1.log, $1.digest) }
  }

  /// Returns the result of the log with a name and a digest, or `nil` if the set contains none.
  subscript(log: String, digest: String) -> RunResult? { byLog[Key(log: log, digest: digest)] }
}

extension RunResult {
  /// Returns whether this result replaces another result of the same log.
  ///
  /// The order of results has no ties, so the merged set does not depend on the order of merging.
  fileprivate func isLater(than other: RunResult) -> Bool {
    if finishedAt != other.finishedAt { return finishedAt > other.finishedAt }
    return line.lexicographicallyPrecedes(other.line)
  }
}
