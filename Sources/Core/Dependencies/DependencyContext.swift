import Foundation

/// What an app runs for, which decides the values of dependencies that nobody has set.
///
/// The environment variable `SWIFT_DEPENDENCIES_CONTEXT` names another one for the whole process: `live`, `preview`,
/// `test` or `replay`.
public enum DependencyContext: String, Sendable, Hashable {
  /// The app itself: dependencies have their live values.
  case live
  /// A preview of a view.
  case preview
  /// A test: dependencies that were not set say so when they are used.
  case test
  /// The replay of a log: as live, while reads of the world are answered from the log.
  case replay

  static let variable = "SWIFT_DEPENDENCIES_CONTEXT"

  /// What this process runs for.
  static let ofProcess = DependencyContext(
    environment: ProcessInfo.processInfo.environment,
    isTesting: isTesting
  )

  /// What a process with an environment runs for.
  package init(environment: [String: String], isTesting: Bool) {
    if let name = environment[Self.variable] {
      if let context = DependencyContext(rawValue: name) {
        self = context
        return
      }
      reportIssue(Messages.unknownContext(name))
    }
    if environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" {
      self = .preview
    } else {
      self = isTesting ? .test : .live
    }
  }
}

extension DependencyValues {
  /// Fresh values of the app: `withDependencies { $0 = .live }`.
  public static var live: Self { values(for: .live) }

  /// Fresh values of previews.
  public static var preview: Self { values(for: .preview) }

  /// Fresh values of tests.
  public static var test: Self { values(for: .test) }

  private static func values(for context: DependencyContext) -> Self {
    var values = Self()
    values.context = context
    return values
  }
}
