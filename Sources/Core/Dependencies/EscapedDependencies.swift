/// Hands the dependencies of now to code that runs later, out of reach of task-locals.
///
/// ```swift
/// withEscapedDependencies { dependencies in
///   queue.async { dependencies.yield { save() } }
/// }
/// ```
///
/// - Parameter operation: Takes what carries the dependencies on.
/// - Returns: What the operation returns.
public func withEscapedDependencies<R>(
  _ operation: (EscapedDependencies) throws -> R
) rethrows -> R {
  try operation(EscapedDependencies(values: DependencyValues._current))
}

/// Hands the dependencies of now to code that runs later, out of reach of task-locals.
///
/// - Parameters:
///   - isolation: The actor of the caller.
///   - operation: Takes what carries the dependencies on.
/// - Returns: What the operation returns.
public func withEscapedDependencies<R>(
  isolation: isolated (any Actor)? = #isolation,
  _ operation: (EscapedDependencies) async throws -> R
) async rethrows -> R {
  try await operation(EscapedDependencies(values: DependencyValues._current))
}

/// Dependencies on their way to code that runs later.
public struct EscapedDependencies: Sendable {
  fileprivate let values: DependencyValues

  /// Runs an operation with the dependencies of where they come from.
  public func yield<R>(_ operation: () throws -> R) rethrows -> R {
    try DependencyValues.$_current.withValue(
      DependencyValues._current.over(values),
      operation: operation
    )
  }

  /// Runs an asynchronous operation with the dependencies of where they come from.
  public func yield<R>(
    isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> R
  ) async rethrows -> R {
    try await DependencyValues.$_current.withValue(
      DependencyValues._current.over(values),
      operation: operation,
      isolation: isolation
    )
  }
}

extension DependencyValues {
  /// Dependencies on their way to code that runs later.
  public typealias Continuation = EscapedDependencies
}
