/// Something that is told of the mistakes which the library finds in how it is used.
///
/// A mistake never traps: the app goes on, and the reporters say what was found and what to do.
public protocol IssueReporter: Sendable {
  /// Takes one issue.
  ///
  /// - Parameters:
  ///   - message: What was found, what was expected, what to do.
  ///   - fileID: The file that is to blame.
  ///   - filePath: The path of that file.
  ///   - line: The line that is to blame.
  ///   - column: The column that is to blame.
  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  )

  /// Takes one error that nothing else takes care of; by default its description is the message of an issue.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - message: What was being done.
  ///   - fileID: The file that is to blame.
  ///   - filePath: The path of that file.
  ///   - line: The line that is to blame.
  ///   - column: The column that is to blame.
  func reportIssue(
    _ error: any Error,
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  )

  /// Takes one issue that was expected, to be shown and to fail nothing; by default it is not shown.
  ///
  /// - Parameters:
  ///   - message: What was found.
  ///   - fileID: The file that it is about.
  ///   - filePath: The path of that file.
  ///   - line: The line that it is about.
  ///   - column: The column that it is about.
  func expectIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  )
}

extension IssueReporter {
  /// Takes the description of an error as the message of an issue.
  public func reportIssue(
    _ error: any Error,
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    reportIssue(
      Messages.caught(error, message()),
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Shows nothing.
  public func expectIssue(
    _: @autoclosure () -> String?,
    fileID _: StaticString,
    filePath _: StaticString,
    line _: UInt,
    column _: UInt
  ) {}
}

/// A place in source code.
public struct IssueLocation: Sendable {
  /// The module and the file, `Module/File.swift`.
  public let fileID: StaticString
  /// The file's path on the machine that compiled it.
  public let filePath: StaticString
  /// The line, from 1.
  public let line: UInt
  /// The column, from 1.
  public let column: UInt

  /// Makes a place, by default the one that calls.
  public init(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}
