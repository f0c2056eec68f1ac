import ActionLog

/// The features of a host, from which the feature for a log is chosen.
package struct FeatureCatalog: Sendable {
  package let entries: [FeatureEntry]

  package init(_ entries: [FeatureEntry]) { self.entries = entries }

  /// Returns the feature for a log: the one that the user names, or else the one with the log's name, or else the one
  /// with the log's state type.
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

  /// Validates that the migrations of all features lead to the features' versions.
  ///
  /// The host does this at launch, so that an error appears before the first old log is replayed.
  ///
  /// - Throws: `MigrationError` for the first feature whose migrations are invalid.
  package func checkMigrations() throws(MigrationError) {
    for entry in entries { _ = try MigrationPlan(entry) }
  }

  /// Returns the feature with a name, or throws an error if the host has none.
  package func entry(named name: String) throws(ReplayError) -> FeatureEntry {
    guard let entry = entries.first(where: { $0.name == name }) else {
      throw .unknownFeature(name, stateType: "", known: entries.map(\.name))
    }
    return entry
  }
}
