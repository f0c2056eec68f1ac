import Synchronization

/// The period in which reads belong to a reducer: from the start of `reduce` until it returns.
///
/// The scope is a task-local value, so it intercepts reads at any depth below the recorder, including those of
/// overrides. Effects inherit the scope. By then it is closed, and their reads are not attributed to the reducer.
package final class ReadScope: Sendable {
  @TaskLocal package static var current: ReadScope?

  private let interceptor: any ReadInterceptor
  private let parent: ReadScope?
  private let isOpen = Atomic(true)

  /// Creates an open scope.
  ///
  /// - Parameters:
  ///   - interceptor: Answers the reads while the scope is open.
  ///   - parent: The enclosing scope, which handles each read first.
  package init(interceptor: any ReadInterceptor, parent: ReadScope?) {
    self.interceptor = interceptor
    self.parent = parent
  }

  /// Opens the scope again.
  ///
  /// The caller must be the scope's sole owner.
  package func open() {
    isOpen.store(true, ordering: .releasing)
  }

  /// Closes the scope after `reduce` has returned.
  package func close() {
    isOpen.store(false, ordering: .releasing)
  }

  /// Returns a live value or the interceptor's answer.
  package static func read<Value>(
    _ key: String,
    standIn: @autoclosure () -> Value,
    live: () -> Value
  ) -> Value {
    guard let current else { return live() }
    // Computing an answer may cause nested reads. Those belong to the answer, not to the reducer.
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

/// An object that answers a reducer's reads of the outside world.
///
/// A recorder records the live value. A replay returns the recorded one.
package protocol ReadInterceptor: Sendable {
  /// Answers one read.
  ///
  /// - Parameters:
  ///   - key: The kind of read: `uuid`, `date`, `random`, `continuousClock.now`, ...
  ///   - standIn: Returns a harmless value, for a replay without a recorded one.
  ///   - live: Reads the live value.
  /// - Returns: The value for the reducer.
  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value
}

/// Calls an endpoint of a dependency client, or returns its recorded result.
///
/// `@DependencyClient` generates this call. Inside `reduce`, it counts as a read: a recorder records the result, and a
/// replay returns the recorded result. A replay without a recorded result returns the stand-in and never calls the
/// endpoint.
///
/// - Parameters:
///   - key: The client and the endpoint: `APIClient.fetch`.
///   - standIn: Returns the result of an endpoint that is not set.
///   - live: Calls the endpoint.
/// - Returns: The result of the endpoint.
public func _$endpoint<Value>(
  _ key: String,
  standIn: () -> Value,
  live: () -> Value
) -> Value {
  ReadScope.read(key, standIn: standIn(), live: live)
}

/// Calls a throwing endpoint, or returns or throws its recorded result.
///
/// A replay throws an error of the original type if the type is `Codable` or a `LogValue`. Other errors become a
/// `LoggedError`, with the type and description of the original.
///
/// - Parameters:
///   - key: The client and the endpoint: `APIClient.fetch`.
///   - standIn: The behavior of an endpoint that is not set.
///   - live: Calls the endpoint.
/// - Returns: The result of the endpoint.
/// - Throws: The error of the endpoint.
public func _$endpoint<Value>(
  _ key: String,
  standIn: () throws -> Value,
  throwing live: () throws -> Value
) throws -> Value {
  guard ReadScope.current != nil else { return try live() }
  return try ReadScope.read(key, standIn: Result(catching: standIn)) { Result(catching: live) }
    .get()
}

/// Calls an endpoint with typed errors, or returns or throws its recorded result.
///
/// - Parameters:
///   - key: The client and the endpoint: `APIClient.fetch`.
///   - failure: The type of the errors. A replay decodes them with `Codable` or `LogValue`.
///   - standIn: The behavior of an endpoint that is not set.
///   - live: Calls the endpoint.
/// - Returns: The result of the endpoint.
/// - Throws: The error of the endpoint.
public func _$endpoint<Value, Failure: Error>(
  _ key: String,
  failing failure: Failure.Type,
  standIn: () throws(Failure) -> Value,
  throwing live: () throws(Failure) -> Value
) throws(Failure) -> Value {
  func outcome(of call: () throws(Failure) -> Value) -> Result<Value, Failure> {
    do { return .success(try call()) } catch { return .failure(error) }
  }
  return try ReadScope.read(key, standIn: outcome(of: standIn)) { outcome(of: live) }.get()
}
