// The name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Changes the payload of an optional in place, and reports an issue where there is none or nothing changes.
///
/// ```swift
/// XCTModify(&$0.child) { $0.name = "Blob" }
/// ```
///
/// - Parameters:
///   - optional: The optional.
///   - message: What to say besides.
///   - body: Changes the payload.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
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

// The name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Changes the payload of a case in place, and reports an issue where the value has another case or nothing changes.
///
/// - Parameters:
///   - value: The enum.
///   - keyPath: The case.
///   - message: What to say besides.
///   - body: Changes the payload.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
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

// The name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Changes the payload of a case in place, and reports an issue where the value has another case or nothing changes.
///
/// - Parameters:
///   - value: The enum.
///   - casePath: The case.
///   - message: What to say besides.
///   - body: Changes the payload.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
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
    // Whether values changed is unknown if they cannot be compared.
    if ModifyCheck.isExhaustive, before is any Equatable,
      DumpEquality.areEqual(before, payload)
    {
      reportIssue(Messages.payloadUnchanged(payload, message), at: location)
    }
  } catch {
    reportIssue(Messages.expectationThrew(error, message), at: location)
  }
  value = casePath.embed(payload)
}

/// Whether `XCTModify` has to change something: not in the closures of test stores that need not assert everything.
enum ModifyCheck {
  @TaskLocal static var isExhaustive = true
}

// The name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The payload of a case, where a test cannot go on without it.
///
/// - Parameters:
///   - value: The enum.
///   - keyPath: The case.
///   - message: What to say besides.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: The payload.
/// - Throws: `ExtractionFailed` when the value has another case, which is an issue as well.
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

// The name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The payload of a case, where a test cannot go on without it.
///
/// - Parameters:
///   - value: The enum.
///   - casePath: The case.
///   - message: What to say besides.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: The payload.
/// - Throws: `ExtractionFailed` when the value has another case, which is an issue as well.
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

// The name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Expects two values to be equal, and reports where they differ.
///
/// - Parameters:
///   - expression1: The first value, marked `−`.
///   - expression2: The second value, marked `+`.
///   - message: What to say besides.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
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

// The name that older tests call.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Expects an operation to change a value in a way that is stated.
///
/// - Parameters:
///   - expression: The value, which is read before and after the operation.
///   - message: What to say besides.
///   - operation: Changes the value.
///   - changes: Changes a copy of the value in the way that is expected.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
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
