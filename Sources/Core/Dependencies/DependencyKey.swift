import Foundation

/// A key of `DependencyValues` with a test value.
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

/// A key of `DependencyValues` with a live value.
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
  /// The value in previews, which is the test value by default.
  public static var previewValue: Value { testValue }
}

extension TestDependencyKey {
  /// Whether the test value that is being made will be used, and not just replaced.
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
  /// The value in previews, which is the live value by default.
  public static var previewValue: Value { liveValue }

  /// The value in tests, which by default is the preview value with an issue that the test must set the dependency.
  public static var testValue: Value {
    DependencyResolution.reportMissingTestValue(of: Self.self)
    return previewValue
  }
}

/// The purpose of a process, which selects the default values of dependencies.
///
/// The environment variable `SWIFT_DEPENDENCIES_CONTEXT` overrides the detected context of a process with `live`,
/// `preview`, `test` or `replay`.
///
/// ```swift
/// let store = withDependencies { $0.context = .preview } operation: {
///   Store(initialState: Feature.State()) { Feature() }
/// }
/// ```
public enum DependencyContext: String, Sendable, Hashable {
  /// The app itself, with the live values.
  case live
  /// A preview of a view, with the preview values.
  case preview
  /// A test, with the test values.
  ///
  /// A dependency without one reports an issue when the test uses it.
  case test
  /// The replay of a log, with the live values.
  ///
  /// The log answers reads of the outside world.
  case replay

  static let variable = "SWIFT_DEPENDENCIES_CONTEXT"

  /// The context of this process.
  static let ofProcess = DependencyContext(
    environment: ProcessInfo.processInfo.environment,
    isTesting: isTesting
  )

  /// Determines the context of a process.
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
  /// New live values: `withDependencies { $0 = .live }`.
  public static var live: Self { values(for: .live) }

  /// New preview values.
  public static var preview: Self { values(for: .preview) }

  /// New test values.
  public static var test: Self { values(for: .test) }

  private static func values(for context: DependencyContext) -> Self {
    var values = Self()
    values.context = context
    return values
  }
}
