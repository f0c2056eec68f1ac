public import ActionLog

/// The features of a host.
///
/// A log is matched with one of them.
package struct FeatureCatalog: Sendable {
  package let entries: [FeatureEntry]

  package init(_ entries: [FeatureEntry]) { self.entries = entries }

  /// Returns the feature of a log: the one that the user names, or else the one with the log's name, or else the one
  /// with its state type.
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

  /// Validates that the migrations of all features lead to their versions.
  ///
  /// The host does this at launch, so that an error does not depend on the first old log.
  ///
  /// - Throws: `MigrationError`.
  package func checkMigrations() throws(MigrationError) {
    for entry in entries { _ = try MigrationPlan(entry) }
  }

  /// Returns the feature with a name.
  package func entry(named name: String) throws(ReplayError) -> FeatureEntry {
    guard let entry = entries.first(where: { $0.name == name }) else {
      throw .unknownFeature(name, stateType: "", known: entries.map(\.name))
    }
    return entry
  }
}
