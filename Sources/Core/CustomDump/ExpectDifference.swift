/// Reports an issue if an operation doesn't make the expected changes to a value.
///
/// ```swift
/// expectDifference(counter) {
///   counter.increment()
/// } changes: {
///   $0.count = 2
/// }
/// ```
///
/// For a counter that changes from 0 to 1, the example reports:
///
/// ```text
/// A value did not change as expected:
///
///     − Counter(count: 2)
///     + Counter(count: 1)
///
/// (Expected: −, actual: +)
/// ```
///
/// - Parameters:
///   - expression: An expression for the value, evaluated before and after the operation.
///   - message: Text to show before the description of the issue.
///   - operation: A closure that changes the value. Omit it if the value changes without an operation.
///   - changes: A closure that applies the expected changes to a copy of the value.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
public func expectDifference<Value: Equatable>(
  _ expression: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "",
  operation: () throws -> Void = {},
  changes: (inout Value) throws -> Void,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  do {
    var expected = try expression()
    try operation()
    try changes(&expected)
    expectNoChange(expected, try expression(), message(), at: location)
  } catch {
    reportIssue(Messages.expectationThrew(error, message()), at: location)
  }
}

/// Reports an issue if an asynchronous operation doesn't make the expected changes to a value.
///
/// - Parameters:
///   - expression: An expression for the value, evaluated before and after the operation.
///   - message: Text to show before the description of the issue.
///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
///   - operation: A closure that changes the value.
///   - changes: A closure that applies the expected changes to a copy of the value.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
public func expectDifference<Value: Equatable>(
  _ expression: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "",
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Void,
  changes: (inout Value) throws -> Void,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  do {
    var expected = try expression()
    try await operation()
    try changes(&expected)
    expectNoChange(expected, try expression(), message(), at: location)
  } catch {
    reportIssue(Messages.expectationThrew(error, message()), at: location)
  }
}

private func expectNoChange<Value: Equatable>(
  _ expected: Value,
  _ actual: Value,
  _ message: String,
  at location: IssueLocation
) {
  guard expected != actual else { return }
  let text = diff(expected, actual, format: .proportional) ?? ""
  reportIssue(Messages.changeDiffers(text, message), at: location)
}

/// Reports an issue with the differences if two values are not equal.
///
/// ```swift
/// expectNoDifference(User(id: 1, name: "Blob"), User(id: 2, name: "Blob"), "The user was saved.")
/// ```
///
/// The example reports:
///
/// ```text
/// The user was saved.
///
/// Two values were expected to be equal and differ:
///
///       User(
///     −   id: 1,
///     +   id: 2,
///         name: "Blob"
///       )
///
/// (First: −, second: +)
/// ```
///
/// - Parameters:
///   - expression1: The first value, whose lines are marked `−`.
///   - expression2: The second value, whose lines are marked `+`.
///   - message: Text to show before the description of the issue.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
public func expectNoDifference<Value: Equatable>(
  _ expression1: @autoclosure () throws -> Value,
  _ expression2: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  do {
    let (first, second) = (try expression1(), try expression2())
    guard first != second else { return }
    let text = diff(first, second, format: .proportional) ?? ""
    reportIssue(Messages.valuesDiffer(text, message()), at: location)
  } catch {
    reportIssue(Messages.expectationThrew(error, message()), at: location)
  }
}
