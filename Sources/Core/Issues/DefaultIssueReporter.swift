import Foundation

/// Fails the running test, or writes to standard error when there is none.
struct DefaultIssueReporter: IssueReporter {
  func reportIssue(_ message: String, at location: IssueLocation) {
    if !TestFailure.record(message, at: location) { show(message, as: "warning", at: location) }
  }

  func expectIssue(_ message: String, at location: IssueLocation) {
    show(message, as: "note", at: location)
  }

  private func show(_ message: String, as severity: String, at location: IssueLocation) {
    let text = "\(location.fileID):\(location.line): \(severity): \(message)\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}
