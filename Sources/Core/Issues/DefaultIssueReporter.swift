import Foundation

/// Writes issues to standard error.
struct DefaultIssueReporter: IssueReporter {
  func reportIssue(_ message: String, at location: IssueLocation) {
    let text = "\(location.fileID):\(location.line): warning: \(message)\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}
