import Foundation

/// Fails the running test, or writes to standard error when there is none.
public struct DefaultIssueReporter: IssueReporter {
  /// Fails the running test, or writes a warning.
  public func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let message = message() ?? ""
    if !TestFailure.record(message, at: location) { show(message, as: "warning", at: location) }
  }

  /// Writes a note.
  public func expectIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    show(message() ?? "", as: "note", at: location)
  }

  /// Writes a warning that concerns no line of a test.
  static func warn(_ message: String) {
    FileHandle.standardError.write(Data("warning: \(message)\n".utf8))
  }

  private func show(_ message: String, as severity: String, at location: IssueLocation) {
    let text = "\(location.fileID):\(location.line): \(severity): \(message)\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}

extension IssueReporter where Self == DefaultIssueReporter {
  /// Fails the running test, or writes to standard error when there is none.
  public static var `default`: DefaultIssueReporter { DefaultIssueReporter() }
}

/// Ends the program with each issue.
public struct FatalErrorReporter: IssueReporter {
  /// Ends the program.
  public func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    Swift.fatalError(message() ?? "", file: filePath, line: line)
  }
}

extension IssueReporter where Self == FatalErrorReporter {
  /// Ends the program with each issue, for those who want to find them in a debugger.
  public static var fatalError: FatalErrorReporter { FatalErrorReporter() }
}
