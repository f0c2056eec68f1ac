import Foundation

/// Fails the running test, or writes to standard error when there is none.
public struct DefaultIssueReporter: IssueReporter {
  /// Fails the running test, or writes a warning.
  public func reportIssue(_ message: String, at location: IssueLocation) {
    if !TestFailure.record(message, at: location) { show(message, as: "warning", at: location) }
  }

  /// Writes a note.
  public func expectIssue(_ message: String, at location: IssueLocation) {
    show(message, as: "note", at: location)
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
  public func reportIssue(_ message: String, at location: IssueLocation) {
    Swift.fatalError(message, file: location.filePath, line: location.line)
  }
}

extension IssueReporter where Self == FatalErrorReporter {
  /// Ends the program with each issue, for those who want to find them in a debugger.
  public static var fatalError: FatalErrorReporter { FatalErrorReporter() }
}
