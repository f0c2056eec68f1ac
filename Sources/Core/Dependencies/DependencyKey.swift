/// A key of `DependencyValues` that knows its value in tests.
public protocol TestDependencyKey<Value>: SendableMetatype {
  /// What the dependency is.
  associatedtype Value: Sendable = Self

  /// The value in tests.
  static var testValue: Value { get }
  /// The value in previews.
  static var previewValue: Value { get }
}

/// A key of `DependencyValues` that knows its value in the app.
///
/// ```swift
/// enum APIKey: DependencyKey {
///   static let liveValue = API(host: "example.com")
/// }
/// ```
public protocol DependencyKey<Value>: TestDependencyKey {
  /// What the dependency is.
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
  /// Whether a value for tests that is made now is about to be used, and not merely to be set.
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

  /// By default a test that uses the dependency without having set it gets an issue.
  public static var testValue: Value {
    DependencyResolution.reportMissingTestValue(of: Self.self)
    return previewValue
  }
}
