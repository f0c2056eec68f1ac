import ActionLog

/// The validated steps that migrate the logs of older builds to the version of this one.
package struct MigrationPlan: Sendable {
  package let version: Int
  private let steps: [Migration]

  /// Creates a plan from steps that lead to a version.
  init(version: Int, steps: [Migration]) { (self.version, self.steps) = (version, steps) }

  /// Creates the plan for a feature's logs.
  ///
  /// A feature without a version has version 1, like a log without a version.
  ///
  /// - Throws: `MigrationError` if the steps don't lead to the feature's version one by one.
  package init(_ feature: FeatureEntry) throws(MigrationError) {
    let steps = feature.migrations
    if feature.schemaVersion == nil, let last = steps.last {
      throw .noVersion(feature.name, stateType: feature.stateType, version: last.version + 1)
    }
    let version = feature.schemaVersion ?? 1
    for (step, next) in zip(steps, steps.dropFirst()) where next.version != step.version + 1 {
      if next.version == step.version { throw .twice(feature.name, from: step.version) }
      if next.version < step.version {
        throw .order(feature.name, from: next.version, after: step.version)
      }
      throw .gap(feature.name, from: step.version + 1)
    }
    if let last = steps.last, last.version != version - 1 {
      throw last.version >= version
        ? .beyond(feature.name, from: last.version, version: version)
        : .gap(feature.name, from: last.version + 1)
    }
    self.version = version
    self.steps = steps
  }

  /// Returns the steps that a log with a header needs.
  ///
  /// - Throws: `MigrationError` if the log has a newer version than the code, or an older version than the first step.
  package func steps(for header: LogEvent.Header) throws(MigrationError) -> [Migration] {
    let found = header.schemaVersion ?? 1
    guard found <= version else {
      throw .newerLog(header.feature, found: found, version: version)
    }
    guard found < version else { return [] }
    guard let first = steps.first, found >= first.version else {
      throw .olderLog(header.feature, found: found, first: steps.first?.version ?? version)
    }
    return steps.filter { $0.version >= found }
  }
}

/// The reason why logs can't be migrated to the version of the code.
package enum MigrationError: Error, Hashable, CustomStringConvertible {
  /// The feature has steps, but its state type has no version.
  case noVersion(String, stateType: String, version: Int)
  /// Two steps start at the same version.
  case twice(String, from: Int)
  /// A step starts at an earlier version than its predecessor.
  case order(String, from: Int, after: Int)
  /// No step starts at version `from`, although an earlier step leads to it.
  case gap(String, from: Int)
  /// A step starts at the code's version or a later one.
  case beyond(String, from: Int, version: Int)
  /// The log was recorded by a newer build.
  case newerLog(String, found: Int, version: Int)
  /// The log has a version that precedes the first step.
  case olderLog(String, found: Int, first: Int)
  /// A step threw an error when it changed a value of action `seq`, or of the first checkpoint if `seq` is 0.
  case refused(String, from: Int, seq: Int, reason: String)

  package var description: String { Wording.describe(self) }
}
