import TCACore
import Testing

/// A reporter in the form for other libraries in the field.
private final class FieldReporter: IssueReporter {
  let lines = LockIsolated<[String]>([])

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let text = "\(fileID):\(line):\(column) \(message() ?? "nil")"
    lines.withValue { $0.append(text) }
  }
}

/// A reporter that inspects errors.
private final class ErrorReporter: IssueReporter {
  let errors = LockIsolated<[String]>([])

  func reportIssue(
    _: @autoclosure () -> String?,
    fileID _: StaticString,
    filePath _: StaticString,
    line _: UInt,
    column _: UInt
  ) {}

  func reportIssue(
    _ error: any Error,
    _ message: @autoclosure () -> String?,
    fileID _: StaticString,
    filePath _: StaticString,
    line _: UInt,
    column _: UInt
  ) {
    let text = "\(type(of: error)) \(message() ?? "nil")"
    errors.withValue { $0.append(text) }
  }
}

private struct Failed: Error {}

@Suite struct FieldReporterTests {
  @Test
  func `an issue reporter without a method for errors receives messages with source locations`() {
    let reporter = FieldReporter()
    withIssueReporters([reporter]) {
      reportIssue("found", fileID: "M/F.swift", line: 3, column: 4)
      reportIssue(Failed(), "Saving", fileID: "M/F.swift", line: 5, column: 6)
    }
    #expect(
      reporter.lines.value == [
        "M/F.swift:3:4 found", "M/F.swift:5:6 Saving\n\nCaught an error: Failed()",
      ]
    )
  }

  @Test func `an issue reporter with a method for errors receives the errors themselves`() {
    let reporter = ErrorReporter()
    withIssueReporters([reporter]) {
      reportIssue(Failed(), "Saving")
      withErrorReporting { throw Failed() }
    }
    #expect(reporter.errors.value == ["Failed Saving", "Failed nil"])
  }
}
