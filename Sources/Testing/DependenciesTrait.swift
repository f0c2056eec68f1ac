#if canImport(Testing)
public import TCACore
public import Testing

/// A trait that sets dependencies for a test, or for each test of a suite.
///
/// ```swift
/// @Test(.dependency(\.continuousClock, ImmediateClock()))
/// func theTimerTicks() async { ... }
/// ```
public struct DependenciesTrait: SuiteTrait, TestTrait, TestScoping {
  fileprivate let update: @Sendable (inout DependencyValues) throws -> Void

  /// Whether nested suites and their tests inherit the trait.
  ///
  /// A test's own traits take precedence.
  public var isRecursive: Bool { true }

  /// Runs a test with the dependencies set.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The arguments of the test.
  ///   - function: A closure that runs the test.
  /// - Throws: The error of the test, or an error from creating a dependency.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withDependencies {
      try update(&$0)
    } operation: {
      try await function()
    }
  }
}

extension Trait where Self == DependenciesTrait {
  /// Sets a dependency.
  ///
  /// ```swift
  /// @Test(.dependency(\.continuousClock, ImmediateClock()))
  /// func timer() async { ... }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the dependency in `DependencyValues`.
  ///   - value: The value. It is created again for each test and each argument.
  /// - Returns: The trait.
  public static func dependency<Value>(
    _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable,
    _ value: @autoclosure @escaping @Sendable () throws -> Value
  ) -> Self {
    DependenciesTrait(update: { $0[keyPath: keyPath] = try value() })
  }

  /// Sets a dependency that is its own key.
  ///
  /// ```swift
  /// @Test(.dependency(APIClient.offline))
  /// func offline() async { ... }
  /// ```
  ///
  /// - Parameter value: The value. It is created again for each test and each argument.
  /// - Returns: The trait.
  public static func dependency<Key: TestDependencyKey>(
    _ value: @autoclosure @escaping @Sendable () throws -> Key
  ) -> Self where Key.Value == Key {
    DependenciesTrait(update: { $0[Key.self] = try value() })
  }

  /// Sets no dependencies, because each test has its own dependencies anyway.
  ///
  /// This trait keeps existing tests that use it compiling.
  public static var dependencies: Self { DependenciesTrait(update: { _ in }) }

  /// Sets several dependencies.
  ///
  /// ```swift
  /// @Suite(
  ///   .dependencies {
  ///     $0.uuid = .incrementing
  ///     $0.date.now = .distantPast
  ///   }
  /// )
  /// struct FeatureTests { ... }
  /// ```
  ///
  /// - Parameter update: A closure that sets the dependencies. It runs for each test and each argument.
  /// - Returns: The trait.
  public static func dependencies(
    _ update: @escaping @Sendable (inout DependencyValues) throws -> Void
  ) -> Self {
    DependenciesTrait(update: update)
  }
}
#endif
