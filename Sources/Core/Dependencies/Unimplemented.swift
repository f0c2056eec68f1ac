/// The error that an endpoint of a dependency client throws if it has no implementation.
///
/// ```swift
/// do { _ = try await APIClient().fetch(id: 1) } catch let error as Unimplemented {
///   print(error.endpoint)  // APIClient.fetch
/// }
/// ```
public struct Unimplemented: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the client and its endpoint: `APIClient.fetch`.
  public let endpoint: String

  /// Creates an error that names an endpoint, such as `APIClient.fetch`.
  public init(_ endpoint: String) {
    self.endpoint = endpoint
  }

  /// A message that names the endpoint without an implementation.
  public var description: String { "Unimplemented: '\(endpoint)'" }
}

/// Reports an issue for an endpoint without an implementation.
public func _$reportUnimplemented(_ endpoint: String) {
  reportIssue(Unimplemented(endpoint).description)
}

/// Returns a function that reports an issue and returns a placeholder when it is called.
///
/// ```swift
/// struct Search {
///   var count: @Sendable (String) -> Int = unimplemented("Search.count", placeholder: 0)
/// }
/// ```
///
/// The function takes any number of arguments, and can be used as an asynchronous or throwing function.
///
/// - Parameters:
///   - name: The name of the function in the issue. The default is the name of the declaration that contains the call.
///   - placeholder: The value that the function returns.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
///   - function: The name of the declaration that contains the call.
/// - Returns: A function without an implementation.
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

/// Returns a function that reports an issue and returns no value when it is called.
///
/// - Parameters:
///   - name: The name of the function in the issue. The default is the name of the declaration that contains the call.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
///   - function: The name of the declaration that contains the call.
/// - Returns: A function without an implementation.
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

/// Returns a function that reports an issue and throws `Unimplemented` when it is called.
///
/// ```swift
/// struct API {
///   var user: @Sendable (Int) async throws -> User = unimplemented("API.user")
/// }
/// ```
///
/// - Parameters:
///   - name: The name of the function in the issue. The default is the name of the declaration that contains the call.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
///   - function: The name of the declaration that contains the call.
/// - Returns: A function without an implementation.
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

/// Reports an issue for a value without an implementation, and returns a placeholder.
///
/// - Parameters:
///   - name: The name of the value in the issue. The default is the name of the declaration that contains the call.
///   - placeholder: The value to return.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
///   - function: The name of the declaration that contains the call.
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
