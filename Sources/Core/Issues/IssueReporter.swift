import Foundation

/// A type that receives issues, which are reports of incorrect use of the library.
///
/// By default, an issue doesn't stop the app. The message of an issue states the finding and suggests a fix.
///
/// ```swift
/// struct CrashService: IssueReporter {
///   func reportIssue(
///     _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
///   ) {
///     upload("\(fileID):\(line): \(message() ?? "an issue")")
///   }
/// }
///
/// withIssueReporters([CrashService()]) { store.send(.tapped) }
/// ```
public protocol IssueReporter: Sendable {
  /// Receives an issue.
  ///
  /// - Parameters:
  ///   - message: The message, which states the finding, the expectation, and a suggested fix.
  ///   - fileID: The module and name of the file to which the issue is attributed.
  ///   - filePath: The path of the file to which the issue is attributed.
  ///   - line: The number of the line to which the issue is attributed.
  ///   - column: The number of the column to which the issue is attributed.
  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  )

  /// Receives an error that no other code handles.
  ///
  /// By default, the description of the error becomes the message of an issue.
  ///
  /// - Parameters:
  ///   - error: The unhandled error.
  ///   - message: The activity that failed; `nil` if it isn't known.
  ///   - fileID: The module and name of the file to which the error is attributed.
  ///   - filePath: The path of the file to which the error is attributed.
  ///   - line: The number of the line to which the error is attributed.
  ///   - column: The number of the column to which the error is attributed.
  func reportIssue(
    _ error: any Error,
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  )

  /// Receives an expected issue, which must not fail the test.
  ///
  /// By default, a reporter ignores expected issues.
  ///
  /// ```swift
  /// func expectIssue(
  ///   _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
  /// ) {
  ///   print("\(fileID):\(line): expected: \(message() ?? "an issue")")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - message: The message, which states the finding.
  ///   - fileID: The module and name of the file to which the issue is attributed.
  ///   - filePath: The path of the file to which the issue is attributed.
  ///   - line: The number of the line to which the issue is attributed.
  ///   - column: The number of the column to which the issue is attributed.
  func expectIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  )
}

extension IssueReporter {
  /// Reports an issue with the description of the error as its message.
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

  /// Ignores the expected issue.
  public func expectIssue(
    _: @autoclosure () -> String?,
    fileID _: StaticString,
    filePath _: StaticString,
    line _: UInt,
    column _: UInt
  ) {}
}

/// A reporter that fails the running test, or warns if no test is running.
///
/// Outside of tests, the reporter writes issues to standard error.
///
/// ```swift
/// IssueReporters.current = [.default, CrashService()]
/// ```
public struct DefaultIssueReporter: IssueReporter {
  /// Fails the running test, or writes a warning to standard error if no test is running.
  public func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let message = message() ?? ""
    if !TestFailure.record(message, at: location) {
      printIssue(message, as: "warning", at: location)
    }
  }

  /// Writes an expected issue to standard error, as a note.
  public func expectIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    printIssue(message() ?? "", as: "note", at: location)
  }

  /// Writes a warning without a source location to standard error.
  static func warn(_ message: String) {
    FileHandle.standardError.write(Data("warning: \(message)\n".utf8))
  }

  private func printIssue(_ message: String, as severity: String, at location: IssueLocation) {
    let text = "\(location.fileID):\(location.line): \(severity): \(message)\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}

extension IssueReporter where Self == DefaultIssueReporter {
  /// The reporter that fails the running test, or writes to standard error if no test is running.
  public static var `default`: DefaultIssueReporter { DefaultIssueReporter() }
}

/// A reporter that terminates the process at each issue.
///
/// ```swift
/// withIssueReporters([.fatalError]) { store.send(.tap) }
/// ```
public struct FatalErrorReporter: IssueReporter {
  /// Terminates the process with the message of the issue.
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
  /// A reporter that terminates the process at each issue, for finding issues in a debugger.
  public static var fatalError: FatalErrorReporter { FatalErrorReporter() }
}
