public import ActionLog

/// The reason why a store cannot go on from a log.
///
/// ```swift
/// do {
///   store = try Store(replaying: .file(path), through: 99) { AppFeature() }
/// } catch .noSuchAction(_, let first, let last) {
///   print("choose an action from \(first) to \(last)")
/// } catch {
///   print(error)
/// }
/// ```
public enum ResumeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The log cannot be read.
  case unreadable(LogReadError)
  /// There is no log in a folder.
  case noLogs(folder: String)
  /// The log ends before its first checkpoint.
  case noState
  /// The log has no state after this action, but has some between two others.
  case noSuchAction(Int, first: Int, last: Int)
  /// The log ends while the action is reduced.
  case unfinishedAction(Int)
  /// The log is of a feature with another type of state.
  case otherFeature(String, stateType: String, expected: String)
  /// There are several logs, and nothing says which of them is meant.
  case severalLogs([String])
  /// A change does not fit the state before it.
  case brokenPatch(seq: Int, String)
  /// The state after an action cannot be read.
  case undecodable(seq: Int, LogDecodingError, String)
  /// The log cannot be brought to the schema of the code.
  case notMigrated(String)
  /// Something else, in its own words.
  case other(String)

  /// What was found, what was expected, and what to do.
  public var description: String { Wording.describe(self) }

  /// The error for one that was thrown on the way.
  package init(_ error: any Error) {
    switch error {
    case let error as ResumeError: self = error
    case let error as LogReadError: self = .unreadable(error)
    case ReplayError.noLogs(let folder): self = .noLogs(folder: folder)
    case let error as LogCursor.BrokenPatch: self = .brokenPatch(seq: error.seq, "\(error)")
    case let error as MigrationError: self = .notMigrated("\(error)")
    default: self = .other("\(error)")
    }
  }
}
