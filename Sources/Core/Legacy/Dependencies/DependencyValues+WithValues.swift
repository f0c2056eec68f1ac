extension DependencyValues {
  /// The former name of `withDependencies(_:operation:)`.
  @available(*, deprecated, message: "Use \"withDependencies { } operation: { }\".")
  public static func withValues<R>(
    _ update: (inout DependencyValues) throws -> Void,
    operation: () throws -> R
  ) rethrows -> R {
    try withDependencies(update, operation: operation)
  }

  /// The former name of `withDependencies(_:operation:)`.
  @available(*, deprecated, message: "Use \"withDependencies { } operation: { }\".")
  public static func withValues<R>(
    isolation: isolated (any Actor)? = #isolation,
    _ update: (inout DependencyValues) async throws -> Void,
    operation: () async throws -> R
  ) async rethrows -> R {
    try await withDependencies(update, operation: operation)
  }

  /// Runs an operation with one dependency changed.
  @available(*, deprecated, message: "Use \"withDependencies { } operation: { }\".")
  public static func withValue<Value, R>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    _ value: Value,
    operation: () throws -> R
  ) rethrows -> R {
    try withDependencies({ $0[keyPath: keyPath] = value }, operation: operation)
  }

  /// Runs an asynchronous operation with one dependency changed.
  @available(*, deprecated, message: "Use \"withDependencies { } operation: { }\".")
  public static func withValue<Value, R>(
    isolation: isolated (any Actor)? = #isolation,
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    _ value: Value,
    operation: () async throws -> R
  ) async rethrows -> R {
    try await withDependencies({ $0[keyPath: keyPath] = value }, operation: operation)
  }
}
