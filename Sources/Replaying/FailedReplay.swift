import ReplayEngine

/// A log whose replay diverged in a test.
package struct FailedReplay {
  package let log: ReplayedLog
  package let feature: FeatureEntry
  package let options: LogComparison.Options

  /// Receives the failures of a test, so that they can be attached to it.
  ///
  /// `nil` if the test attaches nothing.
  @TaskLocal package static var observer: (@MainActor @Sendable (FailedReplay) -> Void)?
}
