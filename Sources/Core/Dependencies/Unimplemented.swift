/// The error that an endpoint of a dependency client throws if it has no implementation.
///
/// ```swift
/// do { _ = try await APIClient().fetch(id: 1) } catch let error as Unimplemented {
///   print(error.endpoint)  // APIClient.fetch
/// }
/// ```
public struct Unimplemented: Error, Hashable, Sendable, CustomStringConvertible {
  /// The client and its endpoint: `APIClient.fetch`.
  public let endpoint: String

  /// Creates the error for an endpoint.
  public init(_ endpoint: String) {
    self.endpoint = endpoint
  }

  /// A text that says that the endpoint has no implementation.
  public var description: String { "Unimplemented: '\(endpoint)'" }
}

/// Reports an issue for an endpoint without an implementation.
public func _$reportUnimplemented(_ endpoint: String) {
  reportIssue(Unimplemented(endpoint).description)
}

/// Returns a function without an implementation: calling it reports an issue and returns a placeholder.
///
/// ```swift
/// struct Search {
///   var count: @Sendable (String) -> Int = unimplemented("Search.count", placeholder: 0)
/// }
/// ```
///
/// The function takes any number of arguments. It can be used as an asynchronous or throwing function.
///
/// - Parameters:
///   - name: The name of the function in the issue; by default that of the surrounding declaration.
///   - placeholder: The function's result.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - function: The declaration around the call.
/// - Returns: The function.
@_disfavoredOverload
public func unimplemented<each Argument, Result>(
  _ name: @autoclosure @escaping @Sendable () -> String = "",
  placeholder: @autoclosure @escaping @Sendable () -> Result,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) -> @Sendable (repeat each Argument) -> Result {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return { (argument: repeat each Argument) in
    reportUnimplemented(name(), function, at: location, with: repeat each argument)
    return placeholder()
  }
}

/// Returns a function without an implementation and without a result: calling it reports an issue.
///
/// - Parameters:
///   - name: The name of the function in the issue; by default that of the surrounding declaration.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - function: The declaration around the call.
/// - Returns: The function.
@_disfavoredOverload
public func unimplemented<each Argument>(
  _ name: @autoclosure @escaping @Sendable () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) -> @Sendable (repeat each Argument) -> Void {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return { (argument: repeat each Argument) in
    reportUnimplemented(name(), function, at: location, with: repeat each argument)
  }
}

/// Returns a throwing function without an implementation: calling it reports an issue and throws `Unimplemented`.
///
/// ```swift
/// struct API {
///   var user: @Sendable (Int) async throws -> User = unimplemented("API.user")
/// }
/// ```
///
/// - Parameters:
///   - name: The name of the function in the issue; by default that of the surrounding declaration.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - function: The declaration around the call.
/// - Returns: The function.
public func unimplemented<each Argument, Result>(
  _ name: @autoclosure @escaping @Sendable () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) -> @Sendable (repeat each Argument) throws -> Result {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return { (argument: repeat each Argument) in
    throw reportUnimplemented(name(), function, at: location, with: repeat each argument)
  }
}

/// Returns a placeholder for a value without an implementation, and reports an issue.
///
/// - Parameters:
///   - name: The name of the value in the issue; by default that of the surrounding declaration.
///   - placeholder: The value to return.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - function: The declaration around the call.
/// - Returns: The placeholder.
public func unimplemented<Value>(
  _ name: @autoclosure () -> String = "",
  placeholder: @autoclosure () -> Value,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) -> Value {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  reportUnimplemented(name(), function, at: location)
  return placeholder()
}

@discardableResult
private func reportUnimplemented<each Argument>(
  _ name: String,
  _ function: StaticString,
  at location: IssueLocation,
  with argument: repeat each Argument
) -> Unimplemented {
  let error = Unimplemented(name.isEmpty ? "\(function)" : name)
  var arguments: [String] = []
  for value in repeat each argument {
    arguments.append(String(customDumping: value))
  }
  reportIssue(
    Messages.unimplemented(error, at: location, arguments: arguments),
    at: location
  )
  return error
}
