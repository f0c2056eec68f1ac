import Synchronization

/// The time during which reads belong to a reducer: from when an action is reduced until `reduce`
/// returns.
///
/// The scope is task-local, so it sees reads however deep below the recorder an override lies.
/// Effects inherit it with all task-locals; by then it is closed, and their reads are their own.
package final class ReadScope: Sendable {
  @TaskLocal package static var current: ReadScope?

  private let interceptor: any ReadInterceptor
  private let parent: ReadScope?
  private let isOpen = Atomic(true)

  /// Opens a scope.
  ///
  /// - Parameters:
  ///   - interceptor: Answers the reads while the scope is open.
  ///   - parent: The scope around this one; it sees each read first.
  package init(interceptor: any ReadInterceptor, parent: ReadScope?) {
    self.interceptor = interceptor
    self.parent = parent
  }

  /// Opens the scope again; no other code may hold it.
  package func open() {
    isOpen.store(true, ordering: .releasing)
  }

  /// Ends the scope: `reduce` has returned.
  package func close() {
    isOpen.store(false, ordering: .releasing)
  }

  /// Reads something from the world, or takes the interceptor's answer.
  package static func read<Value>(
    _ key: String,
    standIn: @autoclosure () -> Value,
    live: () -> Value
  ) -> Value {
    guard let current else { return live() }
    // Reads that an answer is computed from are part of it, and not reads of the reducer.
    return current.read(key, standIn: standIn) { $current.withValue(nil, operation: live) }
  }

  private func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    func own() -> Value {
      isOpen.load(ordering: .acquiring)
        ? interceptor.read(key, standIn: standIn, live: live) : live()
    }
    // To the parent scope, the answer of this scope is the world.
    return parent?.read(key, standIn: standIn, live: own) ?? own()
  }
}

/// An object that answers the reads of a reducer from the world: the recorder writes the value down,
/// a replay returns the recorded one.
package protocol ReadInterceptor: Sendable {
  /// Answers one read.
  ///
  /// - Parameters:
  ///   - key: What is read: `uuid`, `date`, `random`, `continuousClock.now`, ...
  ///   - standIn: A harmless value, for a replay that has none recorded.
  ///   - live: Reads the world.
  /// - Returns: What the reducer gets.
  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value
}

/// Calls an endpoint of a dependency client, or asks the log what it gave.
///
/// `@DependencyClient` writes this call. Inside `reduce` it is a read: a recorder writes down what the endpoint gave, and a
/// replay gives that again. A replay that has no recording of it takes the stand-in and never calls the endpoint.
///
/// - Parameters:
///   - key: The client and the endpoint: `APIClient.fetch`.
///   - standIn: The result of the endpoint if it is not set.
///   - live: The endpoint.
/// - Returns: What the endpoint gave.
public func _$endpoint<Value>(
  _ key: String,
  standIn: () -> Value,
  live: () -> Value
) -> Value {
  ReadScope.read(key, standIn: standIn(), live: live)
}

/// Calls an endpoint that throws, or asks the log what it gave or threw.
///
/// An error that the log can hold, as `Codable` or `LogValue` say, comes out of it as what it was. Any other is a `LoggedError`,
/// which knows the type and the description of the one thrown.
///
/// - Parameters:
///   - key: The client and the endpoint: `APIClient.fetch`.
///   - standIn: The behaviour of the endpoint if it is not set.
///   - live: The endpoint.
/// - Returns: What the endpoint gave.
/// - Throws: What the endpoint threw.
public func _$endpoint<Value>(
  _ key: String,
  standIn: () throws -> Value,
  throwing live: () throws -> Value
) throws -> Value {
  guard ReadScope.current != nil else { return try live() }
  return try ReadScope.read(key, standIn: Result(catching: standIn)) { Result(catching: live) }
    .get()
}

/// Calls an endpoint that throws errors of one type, or asks the log what it gave or threw.
///
/// - Parameters:
///   - key: The client and the endpoint: `APIClient.fetch`.
///   - failure: The type of its errors; they come back as what `Codable` or `LogValue` makes of them.
///   - standIn: The behaviour of the endpoint if it is not set.
///   - live: The endpoint.
/// - Returns: What the endpoint gave.
/// - Throws: What the endpoint threw.
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
