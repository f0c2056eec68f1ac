/// Fails the running test without linking a test framework, which an app must not carry.
///
/// Both frameworks are looked up among what the process has loaded.
enum TestFailure {
  /// Fails the running test.
  ///
  /// - Parameters:
  ///   - message: What was found.
  ///   - location: The source code to blame.
  /// - Returns: Whether there was a test to fail.
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    switch TestContext.current {
    case .swiftTesting: recordInSwiftTesting(message, at: location)
    case .xcTest: XCTestLibrary.record(message, at: location)
    case nil: false
    }
  }

  private static func recordInSwiftTesting(_ message: String, at location: IssueLocation) -> Bool {
    if SwiftTestingLibrary.record(message, at: location) { return true }
    // A test that passes although an issue was found has to say why.
    if let warning = SwiftTestingLibrary.warning { DefaultIssueReporter.warn(warning) }
    return false
  }
}
