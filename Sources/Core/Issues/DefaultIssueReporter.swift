import Foundation

/// Fails the running test, or writes to standard error when there is none.
struct DefaultIssueReporter: IssueReporter {
  func reportIssue(_ message: String, at location: IssueLocation) {
    if TestFailure.record(message, at: location) { return }
    let text = "\(location.fileID):\(location.line): warning: \(message)\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}
