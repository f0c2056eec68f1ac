import TCACore
import Testing

@Suite struct IssueReportingTests {
  @Test func `isTesting is true in a test`() {
    #expect(isTesting)
  }

  @Test func `reportIssue fails the running test at the given source location`() {
    withKnownIssue {
      reportIssue("found a mistake", fileID: "Module/File.swift", filePath: "/File.swift", line: 7)
    } matching: { issue in
      issue.comments.first?.rawValue == "found a mistake"
        && issue.sourceLocation?.fileID == "Module/File.swift" && issue.sourceLocation?.line == 7
    }
  }

  @Test
  func `withExpectedIssue passes with an expected issue, and without one if it is intermittent`() {
    withExpectedIssue { reportIssue("expected") }
    withExpectedIssue(isIntermittent: true) {}
  }

  @Test func `withExpectedIssue reports an issue if none occurs`() {
    let issues = recordingIssues { withExpectedIssue {} }
    #expect(issues.count == 1)
    #expect(issues.first?.hasPrefix("The operation was expected to report an issue") == true)
  }

  @Test func `expectReportsIssue returns the matching issues and reports the others`() async {
    var expected: [[String]] = []
    let issues = await recordingIssues {
      let some = expectReportsIssue {
        reportIssue("one")
        reportIssue("two")
      } matching: {
        $0.message == "one"
      }
      let all = await expectReportsIssue {
        await Task.yield()
        reportIssue("three")
      }
      let none = await expectReportsIssue("four") {
        await Task.yield()
        reportIssue("three")
      } matching: {
        $0.message == "four"
      }
      expected = [some, all, none].map { $0.map(\.message) }
    }
    #expect(expected == [["one"], ["three"], []])
    #expect(
      issues == [
        "two", "three",
        """
        The operation was expected to report an issue and reported none: four. Remove \
        the expectation, or set "isIntermittent" if it reports one only sometimes.
        """,
      ]
    )
  }

  @Test func `withIssueReporters replaces the reporters during its operation`() {
    let issues = recordingIssues {
      reportIssue("one")
      withIssueReporters([]) { reportIssue("unheard") }
      reportIssue("two")
    }
    #expect(issues == ["one", "two"])
  }

  private struct Failed: Error, CustomStringConvertible {
    var description: String { "it failed" }
  }

  @Test func `reportIssue reports an error with its message`() {
    let issues = recordingIssues {
      reportIssue(Failed())
      reportIssue(Failed(), "While saving")
    }
    #expect(
      issues == ["Caught an error: it failed", "While saving\n\nCaught an error: it failed"]
    )
  }

  @Test func `withErrorReporting reports an error of its operation and returns nil`() async {
    let issues = await recordingIssues {
      #expect(withErrorReporting { 7 } == 7)
      #expect(withErrorReporting("While loading") { () throws -> Int in throw Failed() } == nil)
      let value: Int? = await withErrorReporting {
        await Task.yield()
        throw Failed()
      }
      #expect(value == nil)
    }
    #expect(
      issues == ["While loading\n\nCaught an error: it failed", "Caught an error: it failed"]
    )
    let collector = IssueCollector()
    withErrorReporting(to: [collector]) { throw Failed() }
    #expect(collector.messages == ["Caught an error: it failed"])
  }

  @Test func `withExpectedIssue accepts a thrown error as the expected issue`() async {
    withExpectedIssue("known") { throw Failed() }
    await withExpectedIssue {
      await Task.yield()
      throw Failed()
    }
    let issues = await recordingIssues {
      withExpectedIssue("it fails") {}
      await withExpectedIssue(isIntermittent: true) { await Task.yield() }
    }
    #expect(
      issues == [
        """
        The operation was expected to report an issue and reported none: it fails. Remove \
        the expectation, or set "isIntermittent" if it reports one only sometimes.
        """
      ]
    )
  }

  @Test func `withExpectedIssue accepts a failed expectation as the expected issue`() async {
    withExpectedIssue { #expect(Bool(false)) }
    await withExpectedIssue {
      await Task.yield()
      #expect(Bool(false))
      Issue.record("known")
    }
    let issues = await recordingIssues {
      withExpectedIssue { Issue.record("known") }
      withExpectedIssue { #expect(Bool(true)) }
      await withExpectedIssue { await Task.yield() }
    }
    #expect(issues.count == 2, "only the calls without an issue are mistakes")
  }

  @MainActor
  @Test func `withExpectedIssue runs an asynchronous operation on the caller's actor`() async {
    var count = 0
    await withExpectedIssue {
      count += 1
      await Task.yield()
      count += 1
      #expect(Bool(false))
    }
    #expect(count == 2)
  }

  @Test func `withIssueContext reports issues at its own source location`() async {
    let reporter = LineCollector()
    await withIssueReporters([reporter]) {
      await withIssueContext(fileID: "M/F.swift", filePath: "/F.swift", line: 7, column: 1) {
        reportIssue("one")
        await Task { reportIssue("two") }.value
        withIssueContext(fileID: "M/G.swift", filePath: "/G.swift", line: 8, column: 1) {
          reportIssue("three")
        }
      }
      reportIssue("four", fileID: "M/H.swift", line: 9)
    }
    #expect(
      reporter.lines.value == [
        "M/F.swift:7 one", "M/F.swift:7 two", "M/G.swift:8 three", "M/H.swift:9 four",
      ]
    )
  }
}

/// Collects issues with their lines.
private final class LineCollector: IssueReporter {
  let lines = LockIsolated<[String]>([])

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let text = "\(fileID):\(line) \(message() ?? "")"
    lines.withValue { $0.append(text) }
  }
}
