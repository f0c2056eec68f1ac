/// Calls an endpoint of a dependency client, or asks the log what it gave.
///
/// `@DependencyClient` writes this call. Inside `reduce` it is a read: a recorder writes down what the endpoint gave, and a
/// replay gives that again. A replay that has no recording of it takes the stand-in and never calls the endpoint.
///
/// - Parameters:
///   - key: The client and the endpoint: `APIClient.fetch`.
///   - standIn: What the endpoint gives when nobody has set it.
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
/// An error that comes out of the log is a `LoggedError`, which knows the type and the description of the one thrown.
///
/// - Parameters:
///   - key: The client and the endpoint: `APIClient.fetch`.
///   - standIn: What the endpoint does when nobody has set it.
///   - live: The endpoint.
/// - Returns: What the endpoint gave.
/// - Throws: What the endpoint threw.
public func _$endpoint<Value>(
  _ key: String,
  standIn: () throws -> Value,
  throwing live: () throws -> Value
) throws -> Value {
  guard ReadScope.current != nil else { return try live() }
  var thrown: (any Error)?
  func outcome(of call: () throws -> Value) -> Result<Value, LoggedError> {
    do { return .success(try call()) } catch {
      thrown = error
      return .failure(LoggedError(error))
    }
  }
  let result = ReadScope.read(key, standIn: outcome(of: standIn)) { outcome(of: live) }
  // To the reducer the error is the one that was thrown, not what the log keeps of it.
  if let thrown { throw thrown }
  return try result.get()
}

/// Calls an endpoint that throws errors of one type, or asks the log what it gave or threw.
///
/// - Parameters:
///   - key: The client and the endpoint: `APIClient.fetch`.
///   - failure: The type of its errors; they come back as what `Codable` or `LogValue` makes of them.
///   - standIn: What the endpoint does when nobody has set it.
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

extension LoggedError {
  /// What the log keeps of an error.
  fileprivate init(_ error: any Error) {
    self =
      error as? LoggedError
      ?? LoggedError(
        type: LogTypeName.of(Swift.type(of: error)),
        description: String(describing: error)
      )
  }
}
