import Foundation

/// The source location to which an issue is attributed.
///
/// ```swift
/// let location = IssueLocation()                // this line
/// print("\(location.fileID):\(location.line)")  // App/Todos.swift:12
/// ```
public struct IssueLocation: Sendable {
  /// The module and name of the file: `Module/File.swift`.
  public let fileID: StaticString
  /// The path of the file on the machine that compiled it.
  public let filePath: StaticString
  /// The line number, starting at 1.
  public let line: UInt
  /// The column number, starting at 1.
  public let column: UInt

  /// Creates a source location, which by default is the location of the call.
  @inlinable
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
