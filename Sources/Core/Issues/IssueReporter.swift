import Foundation

/// Receives issues: mistakes in the use of the library.
///
/// An issue never traps. The app goes on, and the reporters say what was found and what to do.
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
  /// ```swift
  /// func expectIssue(
  ///   _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
  /// ) {
  ///   print("\(fileID):\(line): expected: \(message() ?? "an issue")")
  /// }
  /// ```
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
///
/// ```swift
/// let location = IssueLocation()                // this line
/// print("\(location.fileID):\(location.line)")  // App/Todos.swift:12
/// ```
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

/// Fails the running test, or writes to standard error when there is none.
///
/// ```swift
/// IssueReporters.current = [.default, CrashService()]
/// ```
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
///
/// ```swift
/// withIssueReporters([.fatalError]) { store.send(.tap) }
/// ```
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
