import ReplayEngine

/// A log whose replay diverged in a test.
package struct FailedReplay {
  package let log: ReplayedLog
  package let feature: FeatureEntry
  package let options: LogComparison.Options

  /// A closure that receives the failures of a test to attach them, or `nil` if the test attaches nothing.
  @TaskLocal package static var observer: (@MainActor @Sendable (FailedReplay) -> Void)?
}
