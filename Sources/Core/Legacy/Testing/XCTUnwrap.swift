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
/// - Throws: `ExtractionFailed` when the value stands in another case, which is an issue as well.
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
/// - Throws: `ExtractionFailed` when the value stands in another case, which is an issue as well.
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
