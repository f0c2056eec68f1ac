import Foundation

/// Receives issues: reports of incorrect use of the library.
///
/// An issue never traps. The app continues, and the reporters describe the finding and a fix.
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
  ///   - message: The finding, the expectation and a suggested fix.
  ///   - fileID: The file to which the issue is attributed.
  ///   - filePath: The path of that file.
  ///   - line: The line to which the issue is attributed.
  ///   - column: The column to which the issue is attributed.
  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  )

  /// Receives an error that no other code handles.
  ///
  /// By default, its description becomes the message of an issue.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - message: The activity that failed.
  ///   - fileID: The file to which the error is attributed.
  ///   - filePath: The path of that file.
  ///   - line: The line to which the error is attributed.
  ///   - column: The column to which the error is attributed.
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
  /// By default, it isn't shown.
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
  ///   - message: The finding.
  ///   - fileID: The file to which the issue is attributed.
  ///   - filePath: The path of that file.
  ///   - line: The line to which the issue is attributed.
  ///   - column: The column to which the issue is attributed.
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

/// A reporter that fails the running test.
///
/// Outside of tests, it writes to standard error.
///
/// ```swift
/// IssueReporters.current = [.default, CrashService()]
/// ```
public struct DefaultIssueReporter: IssueReporter {
  /// Fails the running test.
  ///
  /// Outside of tests, writes a warning to standard error.
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

  /// Writes a note to standard error.
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
  /// A reporter that fails the running test.
  ///
  /// Outside of tests, it writes to standard error.
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
