import ActionLog

/// The outcome of checking a log: a verdict or an error.
package enum ReplayOutcome: Sendable {
  case verdict(ReplayCheck.Result)
  /// The error that prevented a replay of the log.
  case failure(any Error)
}

extension ReplayOutcome {
  /// Adds a note if a log without a version replays identically as a log of the code's version, but not after a
  /// migration from version 1.
  ///
  /// The verdict stays the same, because it follows the version that the log states.
  ///
  /// - Parameters:
  ///   - log: The log to examine.
  ///   - version: The schema version of the code.
  ///   - isSame: A closure that replays the log without migrations, and returns whether the replay is the same.
  package mutating func addUnversionedNote(
    _ log: LogSlice,
    _ version: Int,
    isSame: () throws -> Bool
  ) {
    if case .verdict(let result) = self, result.isSame { return }
    guard version > 1, let header = try? log.header(),
      header.schemaVersion == nil, (try? isSame()) == true
    else { return }
    let note = Wording.unversioned(header, isSameAs: version)
    switch self {
    case .verdict(var result):
      result.notes.insert(.migration(note), at: 0)
      self = .verdict(result)
    case .failure(let error as HostFailure):
      guard case .notMigrated(let name, let end, let reason) = error else { return }
      let reasons = [reason, note].compactMap(\.self).joined(separator: "; ")
      self = .failure(HostFailure.notMigrated(name, end, reason: reasons))
    case .failure(MigrationError.refused(let value, let from, let seq, let reason)):
      let error = MigrationError.refused(value, from: from, seq: seq, reason: "\(reason); \(note)")
      self = .failure(error)
    case .failure: break
    }
  }
}
