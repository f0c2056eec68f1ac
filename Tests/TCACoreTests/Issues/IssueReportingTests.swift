import TCACore
import Testing

@Suite struct IssueReportingTests {
  @Test func testsAreRecognized() {
    #expect(isTesting)
  }

  @Test func anIssueFailsTheRunningTestAtItsPlace() {
    withKnownIssue {
      reportIssue("found a mistake", fileID: "Module/File.swift", filePath: "/File.swift", line: 7)
    } matching: { issue in
      issue.comments.first?.rawValue == "found a mistake"
        && issue.sourceLocation?.fileID == "Module/File.swift" && issue.sourceLocation?.line == 7
    }
  }

  @Test func expectedIssuesFailNothing() {
    withExpectedIssue { reportIssue("expected") }
    withExpectedIssue(isIntermittent: true) {}
  }

  @Test func aMissingExpectedIssueIsAnIssue() {
    let issues = recordingIssues { withExpectedIssue {} }
    #expect(issues.count == 1)
    #expect(issues.first?.hasPrefix("The operation was expected to report an issue") == true)
  }

  @Test func reportersCanBeReplaced() {
    let issues = recordingIssues {
      reportIssue("one")
      withIssueReporters([]) { reportIssue("unheard") }
      reportIssue("two")
    }
    #expect(issues == ["one", "two"])
  }
}
