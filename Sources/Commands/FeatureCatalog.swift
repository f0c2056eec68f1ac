import ActionLog
import ReplayEngine

/// The features of a host, and how a log finds its own.
package struct FeatureCatalog: Sendable {
  package let entries: [FeatureEntry]

  package init(_ entries: [FeatureEntry]) { self.entries = entries }

  /// The feature of a log: the one that the user names, else the one of the log's name, else the one of its state type.
  package func entry(
    for header: LogEvent.Header,
    named name: String? = nil
  ) throws(ReplayError)
    -> FeatureEntry
  {
    if let name { return try entry(named: name) }
    if let entry = entries.first(where: { $0.name == header.feature }) { return entry }
    if !header.stateType.isEmpty,
      let entry = entries.first(where: { $0.stateType == header.stateType })
    {
      return entry
    }
    throw .unknownFeature(
      header.feature,
      stateType: header.stateType,
      known: entries.map(\.name)
    )
  }

  /// Finds out at the start, and not at the first old log, whether the migrations of all features lead to their versions.
  ///
  /// - Throws: `MigrationError`.
  package func checkMigrations() throws(MigrationError) {
    for entry in entries { _ = try MigrationPlan(entry) }
  }

  /// The feature of a name.
  package func entry(named name: String) throws(ReplayError) -> FeatureEntry {
    guard let entry = entries.first(where: { $0.name == name }) else {
      throw .unknownFeature(name, stateType: "", known: entries.map(\.name))
    }
    return entry
  }
}
