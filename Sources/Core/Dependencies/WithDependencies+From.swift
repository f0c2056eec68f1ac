/// Runs an operation with the dependencies of a model, so that what it makes has them too.
///
/// ```swift
/// func rowTapped() {
///   detail = withDependencies(from: self) { DetailModel() }
/// }
/// ```
///
/// The model has the dependencies of the first of its `@Dependency` properties, else those with which it was returned from
/// `withDependencies`, of several around each other the innermost. The current ones win over them.
///
/// - Parameters:
///   - model: Whose dependencies are used; it is an issue if it has none.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - operation: What is run with them.
/// - Returns: What the operation returns.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  operation: () throws -> R
) rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let values = DependencyOwners.dependencies(of: model, at: location)
  return try withDependencies({ $0 = $0.over(values) }, operation: operation)
}

/// Runs an asynchronous operation with the dependencies of a model, so that what it makes has them too.
///
/// - Parameters:
///   - model: Whose dependencies are used; it is an issue if it has none.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - isolation: The actor of the caller.
///   - operation: What is run with them.
/// - Returns: What the operation returns.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let values = DependencyOwners.dependencies(of: model, at: location)
  return try await withDependencies({ $0 = $0.over(values) }, operation: operation)
}

/// Runs an operation with the dependencies of a model, some of them changed.
///
/// - Parameters:
///   - model: Whose dependencies are used; it is an issue if it has none.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - update: Sets further dependencies.
///   - operation: What is run with them.
/// - Returns: What the operation returns.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ update: (inout DependencyValues) throws -> Void,
  operation: () throws -> R
) rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let values = DependencyOwners.dependencies(of: model, at: location)
  return try withDependencies(
    {
      $0 = $0.over(values)
      try update(&$0)
    },
    operation: operation
  )
}

/// Runs an asynchronous operation with the dependencies of a model, some of them changed.
///
/// - Parameters:
///   - model: Whose dependencies are used; it is an issue if it has none.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - isolation: The actor of the caller.
///   - update: Sets further dependencies.
///   - operation: What is run with them.
/// - Returns: What the operation returns.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  _ update: (inout DependencyValues) async throws -> Void,
  operation: () async throws -> R
) async rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let values = DependencyOwners.dependencies(of: model, at: location)
  return try await withDependencies(
    {
      $0 = $0.over(values)
      try await update(&$0)
    },
    operation: operation
  )
}
