import Foundation

/// A key that identifies a dependency in `DependencyValues` and provides its default values for tests and previews.
///
/// ```swift
/// extension API: TestDependencyKey {
///   static let testValue = API(host: "localhost")
///   static let previewValue = API(host: "demo.example.com")
/// }
/// ```
public protocol TestDependencyKey<Value>: SendableMetatype {
  /// The type of the dependency, which is the key's own type by default.
  associatedtype Value: Sendable = Self

  /// The default value in tests.
  static var testValue: Value { get }
  /// The default value in previews.
  static var previewValue: Value { get }
}

/// A key that identifies a dependency in `DependencyValues` and provides its default value for the app.
///
/// ```swift
/// enum APIKey: DependencyKey {
///   static let liveValue = API(host: "example.com")
/// }
/// ```
public protocol DependencyKey<Value>: TestDependencyKey {
  /// The type of the dependency, which is the key's own type by default.
  associatedtype Value = Self

  /// The default value in the app and in replays.
  static var liveValue: Value { get }
  /// The default value in tests.
  static var testValue: Value { get }
  /// The default value in previews.
  static var previewValue: Value { get }
}

extension TestDependencyKey {
  /// The default value in previews: the test value, unless the key provides another value.
  public static var previewValue: Value { testValue }
}

extension TestDependencyKey {
  /// Whether the test value that is being created is about to be used.
  ///
  /// The property is `false` while code sets dependencies, because the test value may then be replaced.
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
  /// The default value in previews: the live value, unless the key provides another value.
  public static var previewValue: Value { liveValue }

  /// The default value in tests: the preview value, unless the key provides another value.
  ///
  /// Reports an issue that asks the test to set the dependency.
  public static var testValue: Value {
    DependencyResolution.reportMissingTestValue(of: Self.self)
    return previewValue
  }
}

/// The purpose for which code runs, which selects the default values of dependencies.
///
/// The environment variable `SWIFT_DEPENDENCIES_CONTEXT` overrides the detected context of a process with `live`,
/// `preview`, `test`, or `replay`.
///
/// ```swift
/// let store = withDependencies { $0.context = .preview } operation: {
///   Store(initialState: Feature.State()) { Feature() }
/// }
/// ```
public enum DependencyContext: String, Sendable, Hashable {
  /// The app itself, in which dependencies have their live values.
  case live
  /// A preview of a view, in which dependencies have their preview values.
  case preview
  /// A test, in which dependencies have their test values.
  ///
  /// A dependency without a test value reports an issue when the test uses it.
  case test
  /// The replay of a log, in which dependencies have their live values.
  ///
  /// The log provides the results of a reducer's reads, such as dates and random numbers.
  case replay

  static let variable = "SWIFT_DEPENDENCIES_CONTEXT"

  /// The context of this process, determined at the first access.
  static let ofProcess = DependencyContext(
    environment: ProcessInfo.processInfo.environment,
    isTesting: isTesting
  )

  /// Determines the context of a process from its environment variables.
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
  /// New dependencies with live values: `withDependencies { $0 = .live }`.
  public static var live: Self { values(for: .live) }

  /// New dependencies with preview values.
  public static var preview: Self { values(for: .preview) }

  /// New dependencies with test values.
  public static var test: Self { values(for: .test) }

  private static func values(for context: DependencyContext) -> Self {
    var values = Self()
    values.context = context
    return values
  }
}
