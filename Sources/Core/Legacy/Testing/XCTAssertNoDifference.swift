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
