import Foundation

/// What an app runs for, which decides the values of dependencies that nobody has set.
public enum DependencyContext: Sendable, Hashable {
  /// The app itself: dependencies have their live values.
  case live
  /// A preview of a view.
  case preview
  /// A test: dependencies that were not set say so when they are used.
  case test
  /// The replay of a log: as live, while reads of the world are answered from the log.
  case replay

  /// What this process runs for, unless `SWIFT_DEPENDENCIES_CONTEXT` says otherwise.
  static let ofProcess: DependencyContext = {
    switch ProcessInfo.processInfo.environment["SWIFT_DEPENDENCIES_CONTEXT"] {
    case "live": .live
    case "preview": .preview
    case "test": .test
    default: isTesting ? .test : .live
    }
  }()
}
