import Foundation

/// A key of `DependencyValues` with a value for tests.
///
/// ```swift
/// extension API: TestDependencyKey {
///   static let testValue = API(host: "localhost")
///   static let previewValue = API(host: "demo.example.com")
/// }
/// ```
public protocol TestDependencyKey<Value>: SendableMetatype {
  /// The type of the dependency.
  associatedtype Value: Sendable = Self

  /// The value in tests.
  static var testValue: Value { get }
  /// The value in previews.
  static var previewValue: Value { get }
}

/// A key of `DependencyValues` with a value for the app.
///
/// ```swift
/// enum APIKey: DependencyKey {
///   static let liveValue = API(host: "example.com")
/// }
/// ```
public protocol DependencyKey<Value>: TestDependencyKey {
  /// The type of the dependency.
  associatedtype Value = Self

  /// The value in the app.
  static var liveValue: Value { get }
  /// The value in tests.
  static var testValue: Value { get }
  /// The value in previews.
  static var previewValue: Value { get }
}

extension TestDependencyKey {
  /// By default previews use what tests use.
  public static var previewValue: Value { testValue }
}

extension TestDependencyKey {
  /// Whether the test value that is made now will be used, not just replaced.
  ///
  /// ```swift
  /// static var testValue: Database {
  ///   if shouldReportUnimplemented { reportIssue("An empty database is used.") }
  ///   return Database()
  /// }
  /// ```
  public static var shouldReportUnimplemented: Bool { !DependencyDefaults.isSetting }
}

extension DependencyKey {
  /// By default previews use what the app uses.
  public static var previewValue: Value { liveValue }

  /// By default a test that uses the dependency without setting it gets an issue.
  public static var testValue: Value {
    DependencyResolution.reportMissingTestValue(of: Self.self)
    return previewValue
  }
}

/// The purpose of a process, which decides the values of dependencies that are not set.
///
/// The environment variable `SWIFT_DEPENDENCIES_CONTEXT` names another one for the whole process: `live`, `preview`,
/// `test` or `replay`.
///
/// ```swift
/// let store = withDependencies { $0.context = .preview } operation: {
///   Store(initialState: Feature.State()) { Feature() }
/// }
/// ```
public enum DependencyContext: String, Sendable, Hashable {
  /// The app itself: dependencies have their live values.
  case live
  /// A preview of a view.
  case preview
  /// A test: dependencies that were not set report an issue when they are used.
  case test
  /// The replay of a log: as live, but the log answers reads of the outside world.
  case replay

  static let variable = "SWIFT_DEPENDENCIES_CONTEXT"

  /// The context of this process.
  static let ofProcess = DependencyContext(
    environment: ProcessInfo.processInfo.environment,
    isTesting: isTesting
  )

  /// The context of a process with an environment.
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
