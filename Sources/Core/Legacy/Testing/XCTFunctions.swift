// The function keeps the name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Modifies the wrapped value of an optional in place.
///
/// Reports an issue if the optional is `nil` or its value doesn't change.
///
/// ```swift
/// XCTModify(&$0.child) { $0.name = "Blob" }
/// ```
///
/// - Parameters:
///   - optional: The optional to modify.
///   - message: Text to show before the description of the issue.
///   - body: A closure that modifies the wrapped value.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
@available(*, deprecated, message: "Use \"modify(_:_:)\" of the case, or optional chaining.")
public func XCTModify<Wrapped>(
  _ optional: inout Wrapped?,
  _ message: @autoclosure () -> String = "",
  _ body: (inout Wrapped) throws -> Void,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  modify(
    &optional,
    AnyCasePath(embed: { $0 }, extract: { $0 }),
    message(),
    body,
    IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

// The function keeps the name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Modifies the payload of a case in place.
///
/// Reports an issue if the value has another case or doesn't change.
///
/// - Parameters:
///   - value: The enum value to modify.
///   - keyPath: The case key path of the payload.
///   - message: Text to show before the description of the issue.
///   - body: A closure that modifies the payload.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
@available(*, deprecated, message: "Use \"modify(_:_:)\" of the case.")
public func XCTModify<Enum: CasePathable, Payload>(
  _ value: inout Enum,
  case keyPath: CaseKeyPath<Enum, Payload>,
  _ message: @autoclosure () -> String = "",
  _ body: (inout Payload) throws -> Void,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  modify(
    &value,
    AnyCasePath(keyPath),
    message(),
    body,
    IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

// The function keeps the name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Modifies the payload of a case in place.
///
/// Reports an issue if the value has another case or doesn't change.
///
/// - Parameters:
///   - value: The enum value to modify.
///   - casePath: The case path of the payload.
///   - message: Text to show before the description of the issue.
///   - body: A closure that modifies the payload.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
@available(*, deprecated, message: "Use \"modify(_:_:)\" of the case.")
public func XCTModify<Enum, Payload>(
  _ value: inout Enum,
  case casePath: AnyCasePath<Enum, Payload>,
  _ message: @autoclosure () -> String = "",
  _ body: (inout Payload) throws -> Void,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  modify(
    &value,
    casePath,
    message(),
    body,
    IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

private func modify<Enum, Payload>(
  _ value: inout Enum,
  _ casePath: AnyCasePath<Enum, Payload>,
  _ message: String,
  _ body: (inout Payload) throws -> Void,
  _ location: IssueLocation
) {
  guard var payload = casePath.extract(from: value) else {
    return reportIssue(
      Messages.missingPayload(of: value, type: Payload.self, message),
      at: location
    )
  }
  let before = payload
  do {
    try body(&payload)
    // Without `Equatable`, a change can't be detected.
    if XCTModifyExhaustivity.isExhaustive, before is any Equatable,
      DumpEquality.areEqual(before, payload)
    {
      reportIssue(Messages.payloadUnchanged(payload, message), at: location)
    }
  } catch {
    reportIssue(Messages.expectationThrew(error, message), at: location)
  }
  value = casePath.embed(payload)
}

/// The setting that determines whether `XCTModify` reports an issue if a value doesn't change.
///
/// The setting is `false` in the closures of test stores that aren't exhaustive.
enum XCTModifyExhaustivity {
  @TaskLocal static var isExhaustive = true
}

// The function keeps the name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the payload of a case, or reports an issue and ends the test with an error.
///
/// - Parameters:
///   - value: The enum value that contains the payload.
///   - keyPath: The case key path of the payload.
///   - message: Text to show before the description of the issue.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
/// - Returns: The payload of the case.
/// - Throws: `ExtractionFailed` if the value has another case, or the error of `value`.
public func XCTUnwrap<Enum: CasePathable, Payload>(
  _ value: @autoclosure () throws -> Enum,
  case keyPath: CaseKeyPath<Enum, Payload>,
  _ message: @autoclosure () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) throws -> Payload {
  try XCTUnwrap(
    try value(),
    case: AnyCasePath(keyPath),
    message(),
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column
  )
}

// The function keeps the name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the payload of a case, or reports an issue and ends the test with an error.
///
/// - Parameters:
///   - value: The enum value that contains the payload.
///   - casePath: The case path of the payload.
///   - message: Text to show before the description of the issue.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
/// - Returns: The payload of the case.
/// - Throws: `ExtractionFailed` if the value has another case, or the error of `value`.
public func XCTUnwrap<Enum, Payload>(
  _ value: @autoclosure () throws -> Enum,
  case casePath: AnyCasePath<Enum, Payload>,
  _ message: @autoclosure () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) throws -> Payload {
  let value = try value()
  guard let payload = casePath.extract(from: value) else {
    reportIssue(
      Messages.missingPayload(of: value, type: Payload.self, message()),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
    throw ExtractionFailed()
  }
  return payload
}

// The function keeps the name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Expects two values to be equal, and reports an issue with the differences.
///
/// - Parameters:
///   - expression1: The first value, whose lines are marked `−`.
///   - expression2: The second value, whose lines are marked `+`.
///   - message: Text to show before the description of the issue.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
@available(*, deprecated, renamed: "expectNoDifference")
public func XCTAssertNoDifference<Value: Equatable>(
  _ expression1: @autoclosure () throws -> Value,
  _ expression2: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "",
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  expectNoDifference(
    try expression1(),
    try expression2(),
    message(),
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column
  )
}

// The function keeps the name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Expects an operation to make specific changes to a value, and reports an issue with the differences.
///
/// - Parameters:
///   - expression: An expression for the value, evaluated before and after the operation.
///   - message: Text to show before the description of the issue.
///   - operation: A closure that changes the value.
///   - changes: A closure that applies the expected changes to a copy of the value.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
@available(*, deprecated, renamed: "expectDifference")
public func XCTAssertDifference<Value: Equatable>(
  _ expression: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "",
  operation: () throws -> Void = {},
  changes: (inout Value) throws -> Void,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  expectDifference(
    try expression(),
    message(),
    operation: operation,
    changes: changes,
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column
  )
}
