public import ActionLog

/// The reason why a store can't resume from a log.
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
  /// The log can't be read.
  case unreadable(LogReadError)
  /// The folder contains no logs.
  case noLogs(folder: String)
  /// The log ends before its first checkpoint.
  case noState
  /// The log has no state after this action.
  ///
  /// - Parameters:
  ///   - first: The number of the first action after which the log has a state.
  ///   - last: The number of the last action after which the log has a state.
  case noSuchAction(Int, first: Int, last: Int)
  /// The log ends in the middle of this action.
  case unfinishedAction(Int)
  /// The log belongs to a feature with another state type.
  case otherFeature(String, stateType: String, expected: String)
  /// There are several logs, and the state type does not select one.
  ///
  /// The value contains the names of the logs.
  case severalLogs([String])
  /// A change that belongs to action `seq` does not apply to the preceding state.
  case brokenPatch(seq: Int, String)
  /// The state after action `seq` can't be decoded, for example because the type of a member has changed.
  case undecodable(seq: Int, LogDecodingError, String)
  /// The log can't be migrated to the schema of the code, for the reason in the message.
  case notMigrated(String)
  /// Another error, represented by its message.
  case other(String)

  /// A message that states the problem and, where possible, the next step.
  public var description: String { Wording.describe(self) }

  /// Converts an error that occurred while a log was read or replayed.
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
