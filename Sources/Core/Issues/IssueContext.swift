/// Where the issues of an operation are told to be, instead of where they were found.
enum IssueContext {
  @TaskLocal static var current: IssueLocation?
}

/// Blames one place for all issues of an operation.
///
/// For helpers of tests: the test's line is of more use than the helper's.
///
/// ```swift
/// func check(_ store: StoreOf<Feature>, fileID: StaticString = #fileID, line: UInt = #line) {
///   withIssueContext(fileID: fileID, filePath: #filePath, line: line, column: 1) { store.send(.tap) }
/// }
/// ```
///
/// - Parameters:
///   - fileID: The file to blame.
///   - filePath: The path of that file.
///   - line: The line to blame.
///   - column: The column to blame.
///   - operation: What is run.
/// - Returns: What the operation returns.
public func withIssueContext<R>(
  fileID: StaticString,
  filePath: StaticString,
  line: UInt,
  column: UInt,
  operation: () throws -> R
) rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try IssueContext.$current.withValue(location, operation: operation)
}

/// Blames one place for all issues of an asynchronous operation.
///
/// - Parameters:
///   - fileID: The file to blame.
///   - filePath: The path of that file.
///   - line: The line to blame.
///   - column: The column to blame.
///   - isolation: The actor of the caller.
///   - operation: What is run.
/// - Returns: What the operation returns.
public func withIssueContext<R>(
  fileID: StaticString,
  filePath: StaticString,
  line: UInt,
  column: UInt,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try await IssueContext.$current.withValue(
    location,
    operation: operation,
    isolation: isolation
  )
}
