/// Expects two values to be equal, and reports where they differ.
///
/// ```swift
/// expectNoDifference(User(id: 1, name: "Blob"), User(id: 2, name: "Blob"), "The user was saved.")
/// ```
///
/// reports the issue
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
///   - expression1: The first value, marked `−`.
///   - expression2: The second value, marked `+`.
///   - message: What to say besides.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
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
