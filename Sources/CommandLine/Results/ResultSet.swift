import ActionLog
import ReplayCommands

/// The results of many files, one for each log.
///
/// Sets can be merged in any order and in any number of steps: of several results of one log the latest counts, so one that was computed
/// twice, by a task that was tried again, counts once.
struct ResultSet: Sendable, Equatable {
  private struct Key: Hashable {
    let log: String
    let digest: String
  }

  private var byLog: [Key: RunResult] = [:]
  /// Lines that are no results.
  private(set) var others = 0

  init() {}

  /// Reads the results of a file.
  ///
  /// - Throws: `LogReadError`; `ResultsError` when the file has lines, and none is a result.
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

  /// The results in the order of their logs.
  var results: [RunResult] {
    byLog.values.sorted { ($0.log, $0.digest) < ($1.log, $1.digest) }
  }

  /// The result of the log with this name and content.
  subscript(log: String, digest: String) -> RunResult? { byLog[Key(log: log, digest: digest)] }
}

extension RunResult {
  /// Whether this result takes the place of another one of the same log: an order without ties, so that the order of merging does not matter.
  fileprivate func isLater(than other: RunResult) -> Bool {
    if finishedAt != other.finishedAt { return finishedAt > other.finishedAt }
    return line.lexicographicallyPrecedes(other.line)
  }
}
