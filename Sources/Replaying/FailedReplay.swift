import ReplayEngine

/// A log that a test has replayed and that was not the same.
package struct FailedReplay {
  package let log: ReplayedLog
  package let feature: FeatureEntry
  package let options: LogComparison.Options

  /// Takes the failures of a test, so that they can be attached to it; nobody does where no test asks for that.
  @TaskLocal package static var observer: (@MainActor @Sendable (FailedReplay) -> Void)?
}
