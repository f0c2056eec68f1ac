import ActionLog

/// The reason why a log cannot be replayed at all.
public enum ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A folder holds no logs.
  case noLogs(folder: String)
  /// An event of this kind comes before the first checkpoint.
  case noCheckpoint(kind: String)
  /// The host has no feature of the log's name or state type.
  case unknownFeature(String, stateType: String, known: [String])

  /// The problem and the next step.
  public var description: String { Wording.describe(self) }
}
