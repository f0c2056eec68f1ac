/// Something that is told of the mistakes which the library finds in how it is used.
///
/// A mistake never traps: the app goes on, and the reporters say what was found and what to do.
public protocol IssueReporter: Sendable {
  /// Takes one issue.
  ///
  /// - Parameters:
  ///   - message: What was found, what was expected, what to do.
  ///   - location: The source code that is to blame.
  func reportIssue(_ message: String, at location: IssueLocation)

  /// Takes one issue that was expected, to be shown and to fail nothing.
  ///
  /// - Parameters:
  ///   - message: What was found.
  ///   - location: The source code that it is about.
  func expectIssue(_ message: String, at location: IssueLocation)
}

extension IssueReporter {
  /// By default expected issues are not shown.
  public func expectIssue(_: String, at _: IssueLocation) {}
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
