#if canImport(Testing)
public import TCACore
public import Testing

/// Sets dependencies for a test, or for each test of a suite.
///
/// ```swift
/// @Test(.dependency(\.continuousClock, ImmediateClock()))
/// func theTimerTicks() async { ... }
/// ```
public struct DependenciesTrait: SuiteTrait, TestTrait, TestScoping {
  fileprivate let update: @Sendable (inout DependencyValues) throws -> Void

  /// The tests of a suite inside a suite have it too; what they set themselves wins.
  public var isRecursive: Bool { true }

  /// Runs a test with the dependencies set.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: Its arguments.
  ///   - function: Runs it.
  /// - Throws: What the test throws, or what makes a dependency.
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
  ///   - keyPath: Where it is in the values of dependencies.
  ///   - value: Its value, made for each test and each of its arguments.
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
  /// - Parameter value: Its value, made for each test and each of its arguments.
  /// - Returns: The trait.
  public static func dependency<Key: TestDependencyKey>(
    _ value: @autoclosure @escaping @Sendable () throws -> Key
  ) -> Self where Key.Value == Key {
    DependenciesTrait(update: { $0[Key.self] = try value() })
  }

  /// Sets nothing: each test has dependencies of its own anyway.
  ///
  /// It is for tests that were written with this trait.
  public static var dependencies: Self { DependenciesTrait(update: { _ in }) }

  /// Sets dependencies.
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
  /// - Parameter update: Sets them, for each test and each of its arguments.
  /// - Returns: The trait.
  public static func dependencies(
    _ update: @escaping @Sendable (inout DependencyValues) throws -> Void
  ) -> Self {
    DependenciesTrait(update: update)
  }
}
#endif
