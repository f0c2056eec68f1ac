import Synchronization

/// The period in which reads belong to a reducer: from the start of `reduce` until its return.
///
/// The scope is a task-local value, so it intercepts reads in all code that the reducer calls, including overridden
/// dependencies. Effects inherit the scope. It is closed when they run, so their reads don't belong to the reducer.
package final class ReducerReadScope: Sendable {
  @TaskLocal package static var current: ReducerReadScope?

  private let interceptor: any DependencyReadInterceptor
  private let parent: ReducerReadScope?
  private let isOpen = Atomic(true)

  /// Creates an open scope.
  ///
  /// - Parameters:
  ///   - interceptor: The object that answers reads while the scope is open.
  ///   - parent: The enclosing scope, which handles each read before this scope does; `nil` if there is none.
  package init(interceptor: any DependencyReadInterceptor, parent: ReducerReadScope?) {
    self.interceptor = interceptor
    self.parent = parent
  }

  /// Opens the scope for another run of `reduce`.
  ///
  /// The caller must be the scope's sole owner.
  package func open() {
    isOpen.store(true, ordering: .releasing)
  }

  /// Closes the scope after `reduce` has returned, so that later reads are live.
  package func close() {
    isOpen.store(false, ordering: .releasing)
  }

  /// Returns the interceptor's answer to a read, or the live value if no scope is open.
  package static func read<Value>(
    _ key: String,
    standIn: @autoclosure () -> Value,
    live: () -> Value
  ) -> Value {
    guard let current else { return live() }
    // Computing the live value may cause nested reads, which belong to the value and not to the reducer.
    return current.read(key, standIn: standIn) { $current.withValue(nil, operation: live) }
  }

  private func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    func own() -> Value {
      isOpen.load(ordering: .acquiring)
        ? interceptor.read(key, standIn: standIn, live: live) : live()
    }
    // The parent scope uses this scope's answer as the live value.
    return parent?.read(key, standIn: standIn, live: own) ?? own()
  }
}

/// An object that answers a reducer's reads, such as those of the date or of random numbers.
///
/// A recorder records the live value. A replay returns the recorded value.
package protocol DependencyReadInterceptor: Sendable {
  /// Returns the value that a reducer receives for a read, and records the read if the interceptor is a recorder.
  ///
  /// - Parameters:
  ///   - key: The kind of read: `uuid`, `date`, `random`, `continuousClock.now`, ...
  ///   - standIn: A closure that returns a harmless value, used if a replay has no recorded value.
  ///   - live: A closure that reads the live value.
  /// - Returns: The live value, the recorded value, or the value of `standIn`.
  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value
}

/// Calls an endpoint of a dependency client, or returns its recorded result.
///
/// `@DependencyClient` generates this call. Inside `reduce`, the call counts as a read: a recorder records the result,
/// and a replay returns the recorded result. A replay without a recorded result returns the result of `standIn` and
/// never calls the endpoint.
///
/// - Parameters:
///   - key: The name of the client and the endpoint: `APIClient.fetch`.
///   - standIn: A closure that behaves like an endpoint without an implementation.
///   - live: A closure that calls the endpoint.
/// - Returns: The result of the endpoint.
public func _$endpoint<Value>(
  _ key: String,
  standIn: () -> Value,
  live: () -> Value
) -> Value {
  ReducerReadScope.read(key, standIn: standIn(), live: live)
}

/// Calls a throwing endpoint, or returns or throws its recorded result.
///
/// A replay throws an error of the original type if the type is `Codable` or a `LogValue`. A replay throws other
/// errors as a `LoggedError` with the type and the description of the original error.
///
/// - Parameters:
///   - key: The name of the client and the endpoint: `APIClient.fetch`.
///   - standIn: A closure that behaves like an endpoint without an implementation.
///   - live: A closure that calls the endpoint.
/// - Returns: The result of the endpoint.
/// - Throws: The error of the endpoint, or the recorded error.
public func _$endpoint<Value>(
  _ key: String,
  standIn: () throws -> Value,
  throwing live: () throws -> Value
) throws -> Value {
  guard ReducerReadScope.current != nil else { return try live() }
  return try ReducerReadScope.read(key, standIn: Result(catching: standIn)) {
    Result(catching: live)
  }
  .get()
}

/// Calls an endpoint with typed errors, or returns or throws its recorded result.
///
/// - Parameters:
///   - key: The name of the client and the endpoint: `APIClient.fetch`.
///   - failure: The error type of the endpoint. A replay decodes recorded errors with `Codable` or `LogValue`.
///   - standIn: A closure that behaves like an endpoint without an implementation.
///   - live: A closure that calls the endpoint.
/// - Returns: The result of the endpoint.
/// - Throws: The error of the endpoint, or the recorded error.
public func _$endpoint<Value, Failure: Error>(
  _ key: String,
  failing failure: Failure.Type,
  standIn: () throws(Failure) -> Value,
  throwing live: () throws(Failure) -> Value
) throws(Failure) -> Value {
  func outcome(of call: () throws(Failure) -> Value) -> Result<Value, Failure> {
    do { return .success(try call()) } catch { return .failure(error) }
  }
  return try ReducerReadScope.read(key, standIn: outcome(of: standIn)) { outcome(of: live) }.get()
}
