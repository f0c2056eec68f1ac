import Foundation

/// Reports a mistake of the app's on standard error.
func reportIssue(
  _ message: @autoclosure () -> String,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  FileHandle.standardError.write(Data("\(fileID):\(line): \(message())\n".utf8))
}

enum Messages {
  static func modifiedUnrelatedCase(of value: some Any) -> String {
    "A case was to be modified that the value does not have."
  }
}
