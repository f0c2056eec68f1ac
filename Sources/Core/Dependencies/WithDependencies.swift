/// Runs an operation with the current dependencies, some of which a closure changes.
///
/// ```swift
/// withDependencies { $0.uuid = .incrementing } operation: { makeTodo() }
/// ```
///
/// An object that the operation returns can pass the dependencies on with `withDependencies(from:)`.
///
/// - Parameters:
///   - update: A closure that changes the dependencies of the operation.
///   - operation: The operation to run.
/// - Returns: The result of the operation.
@discardableResult
public func withDependencies<R>(
  _ update: (inout DependencyValues) throws -> Void,
  operation: () throws -> R
) rethrows -> R {
  var values = DependencyValues._current
  try DependencyDefaults.$isSetting.withValue(true) { try update(&values) }
  values.reader = nil
  let start = DependencyOwners.count(returning: R.self)
  return try DependencyValues.$_current.withValue(values) {
    try DependencyOwners.remember(operation(), with: values, since: start)
  }
}

/// Runs an asynchronous operation with the current dependencies, some of which a closure changes.
///
/// - Parameters:
///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
///   - update: A closure that changes the dependencies of the operation.
///   - operation: The operation to run.
/// - Returns: The result of the operation.
@discardableResult
public func withDependencies<R>(
  isolation: isolated (any Actor)? = #isolation,
  _ update: (inout DependencyValues) async throws -> Void,
  operation: () async throws -> R
) async rethrows -> R {
  var values = DependencyValues._current
  try await DependencyDefaults.$isSetting.withValue(
    true,
    operation: { try await update(&values) },
    isolation: isolation
  )
  values.reader = nil
  let start = DependencyOwners.count(returning: R.self)
  let result = try await DependencyValues.$_current.withValue(
    values,
    operation: operation,
    isolation: isolation
  )
  return DependencyOwners.remember(result, with: values, since: start)
}

/// Replaces default values of dependencies, once, at the start of the app.
///
/// ```swift
/// init() { prepareDependencies { $0.database = .onDisk } }
/// ```
///
/// Values that are set by `withDependencies` or a store take precedence. A dependency that was used or prepared before
/// keeps its value, and the call reports an issue. In previews, a dependency that was prepared before keeps its value
/// without an issue, and earlier uses don't count. The new defaults apply to the current context, and in a test only to
/// that test.
///
/// - Parameter update: A closure that sets the new defaults.
/// - Returns: The result of the closure.
@discardableResult
public func prepareDependencies<R>(
  _ update: (inout DependencyValues) throws -> R
) rethrows -> R {
  var values = DependencyValues(preparation: DependencyDefaults.nextPreparation())
  return try DependencyDefaults.$isSetting.withValue(true) { try update(&values) }
}

/// Captures the current dependencies for code that runs later and doesn't inherit task-local values.
///
/// ```swift
/// withEscapedDependencies { dependencies in
///   queue.async { dependencies.yield { save() } }
/// }
/// ```
///
/// - Parameter operation: A closure that receives the captured dependencies and can store them.
/// - Returns: The result of the operation.
public func withEscapedDependencies<R>(
  _ operation: (EscapedDependencies) throws -> R
) rethrows -> R {
  try operation(EscapedDependencies(values: DependencyValues._current))
}

/// Passes the current dependencies to an asynchronous closure, for code that runs later without task-local values.
///
/// - Parameters:
///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
///   - operation: A closure that receives the captured dependencies and can store them.
/// - Returns: The result of the operation.
public func withEscapedDependencies<R>(
  isolation: isolated (any Actor)? = #isolation,
  _ operation: (EscapedDependencies) async throws -> R
) async rethrows -> R {
  try await operation(EscapedDependencies(values: DependencyValues._current))
}

/// Captured dependencies for code that runs later and doesn't inherit task-local values.
///
/// ```swift
/// withEscapedDependencies { dependencies in
///   queue.async { dependencies.yield { save() } }
/// }
/// ```
public struct EscapedDependencies: Sendable {
  fileprivate let values: DependencyValues

  /// Runs an operation with the captured dependencies.
  public func yield<R>(_ operation: () throws -> R) rethrows -> R {
    try DependencyValues.$_current.withValue(
      DependencyValues._current.over(values),
      operation: operation
    )
  }

  /// Runs an asynchronous operation with the captured dependencies.
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
  /// The captured dependencies that `withEscapedDependencies` provides.
  public typealias Continuation = EscapedDependencies
}
