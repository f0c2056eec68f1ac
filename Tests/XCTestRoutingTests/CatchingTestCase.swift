import TCACore
import XCTest

/// A test case that can collect the failures of an operation.
///
/// Other failures fail the test.
class CatchingTestCase: XCTestCase {
  struct Failure: Equatable {
    let message: String
    let file: String
    let line: Int
  }

  private let caught = LockIsolated<[Failure]?>(nil)

  /// Returns the failures of an operation, which then do not fail the test.
  func failures(_ operation: () async -> Void) async -> [Failure] {
    caught.setValue([])
    await operation()
    defer { caught.setValue(nil) }
    return caught.value ?? []
  }

  /// Stores a failure if a test collects failures.
  private func catches(_ failure: Failure) -> Bool {
    caught.withValue { caught in
      caught?.append(failure)
      return caught != nil
    }
  }

  #if canImport(ObjectiveC)
  override func record(_ issue: XCTIssue) {
    let place = issue.sourceCodeContext.location
    let failure = Failure(
      message: issue.compactDescription,
      file: place?.fileURL.path ?? "",
      line: place?.lineNumber ?? 0
    )
    if !catches(failure) { super.record(issue) }
  }
  #else
  override func recordFailure(
    withDescription description: String,
    inFile filePath: String,
    atLine lineNumber: Int,
    expected: Bool
  ) {
    let failure = Failure(message: description, file: filePath, line: lineNumber)
    guard !catches(failure) else { return }
    super.recordFailure(
      withDescription: description,
      inFile: filePath,
      atLine: lineNumber,
      expected: expected
    )
  }
  #endif
}
