import ActionLog

/// The steps that bring the logs of older builds to the version of this one, checked.
package struct MigrationPlan: Sendable {
  package let version: Int
  private let steps: [Migration]

  /// A plan of steps that lead to a version.
  init(version: Int, steps: [Migration]) { (self.version, self.steps) = (version, steps) }

  /// A plan of the steps that a feature has; a feature without a version has version 1, as a log does.
  ///
  /// - Throws: `MigrationError` when the steps do not lead, one after the other, to the version.
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

  /// The steps for a log.
  ///
  /// - Throws: `MigrationError` when the log is of a newer version, or of one so old that no step begins there.
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

/// The reason why logs cannot be migrated to the version of the code.
package enum MigrationError: Error, Hashable, CustomStringConvertible {
  /// There are steps, but the state type has no version to which they lead.
  case noVersion(String, stateType: String, version: Int)
  /// Two steps begin at the same version.
  case twice(String, from: Int)
  /// A step begins at a version before that of the one it follows.
  case order(String, from: Int, after: Int)
  /// No step begins at a version in between.
  case gap(String, from: Int)
  /// A step begins at the code's version or after it.
  case beyond(String, from: Int, version: Int)
  /// A log was recorded by a newer build.
  case newerLog(String, found: Int, version: Int)
  /// A log is older than the first step.
  case olderLog(String, found: Int, first: Int)
  /// A step refused a value.
  case refused(String, from: Int, seq: Int, reason: String)

  package var description: String { Wording.describe(self) }
}
