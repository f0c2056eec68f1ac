// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `unimplemented(_:placeholder:)`.
@available(*, deprecated, renamed: "unimplemented")
@_disfavoredOverload
public func XCTUnimplemented<each Argument, Result>(
  _ name: @autoclosure @escaping @Sendable () -> String = "",
  placeholder: @autoclosure @escaping @Sendable () -> Result,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) -> @Sendable (repeat each Argument) -> Result {
  unimplemented(
    name(),
    placeholder: placeholder(),
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column,
    function: function
  )
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `unimplemented(_:)`.
@available(*, deprecated, renamed: "unimplemented")
@_disfavoredOverload
public func XCTUnimplemented<each Argument>(
  _ name: @autoclosure @escaping @Sendable () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) -> @Sendable (repeat each Argument) -> Void {
  unimplemented(
    name(),
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column,
    function: function
  )
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `unimplemented(_:)`.
@available(*, deprecated, renamed: "unimplemented")
public func XCTUnimplemented<each Argument, Result>(
  _ name: @autoclosure @escaping @Sendable () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) -> @Sendable (repeat each Argument) throws -> Result {
  unimplemented(
    name(),
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column,
    function: function
  )
}
