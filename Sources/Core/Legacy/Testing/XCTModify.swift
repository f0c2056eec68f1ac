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
/// Changes the payload of a case in place, and reports an issue where the value stands in another case or nothing changes.
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
/// Changes the payload of a case in place, and reports an issue where the value stands in another case or nothing changes.
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
    // Of values that cannot be compared nobody knows whether they changed.
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
