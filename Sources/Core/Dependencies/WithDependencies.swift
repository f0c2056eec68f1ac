/// Runs an operation with some dependencies changed.
///
/// ```swift
/// withDependencies { $0.uuid = .incrementing } operation: { makeTodo() }
/// ```
///
/// An object that the operation returns can pass the dependencies on with `withDependencies(from:)`.
///
/// - Parameters:
///   - update: Sets dependencies.
///   - operation: The code to run.
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

/// Runs an asynchronous operation with some dependencies changed.
///
/// - Parameters:
///   - isolation: The actor of the caller.
///   - update: Sets dependencies.
///   - operation: The code to run.
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

/// Replaces the defaults of dependencies, once, at the start of the app.
///
/// ```swift
/// init() { prepareDependencies { $0.database = .onDisk } }
/// ```
///
/// Values that are set by `withDependencies` or a store take precedence. A dependency that was used or prepared before
/// keeps its value, and the call reports an issue. In previews, a dependency that was prepared before keeps its value
/// without an issue, and earlier uses don't count. The new defaults apply to the context of the call, and in a test to
/// that test.
///
/// - Parameter update: Sets dependencies.
/// - Returns: The result of the closure.
@discardableResult
public func prepareDependencies<R>(
  _ update: (inout DependencyValues) throws -> R
) rethrows -> R {
  var values = DependencyValues(preparation: DependencyDefaults.nextPreparation())
  return try DependencyDefaults.$isSetting.withValue(true) { try update(&values) }
}

/// Passes the current dependencies to code that runs later, where task-local values are not inherited.
///
/// ```swift
/// withEscapedDependencies { dependencies in
///   queue.async { dependencies.yield { save() } }
/// }
/// ```
///
/// - Parameter operation: Receives the dependencies as a value that it can store.
/// - Returns: The result of the operation.
public func withEscapedDependencies<R>(
  _ operation: (EscapedDependencies) throws -> R
) rethrows -> R {
  try operation(EscapedDependencies(values: DependencyValues._current))
}

/// Passes the current dependencies to code that runs later, where task-local values are not inherited.
///
/// - Parameters:
///   - isolation: The actor of the caller.
///   - operation: Receives the dependencies as a value that it can store.
/// - Returns: The result of the operation.
public func withEscapedDependencies<R>(
  isolation: isolated (any Actor)? = #isolation,
  _ operation: (EscapedDependencies) async throws -> R
) async rethrows -> R {
  try await operation(EscapedDependencies(values: DependencyValues._current))
}

/// Captured dependencies for code that runs later.
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
  /// Captured dependencies for code that runs later.
  public typealias Continuation = EscapedDependencies
}
