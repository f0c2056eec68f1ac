import TCACore
import XCTest

/// Issues become failures of XCTest, although the library links no test framework.
final class IssueRoutingTests: CatchingTestCase {
  func testTheContextIsXCTest() {
    XCTAssertTrue(isTesting)
    XCTAssertEqual(TestContext.current, .xcTest)
  }

  func testAnIssueIsAFailureAtItsPlace() async {
    let line = #line + 1
    let failures = await failures { reportIssue("found a mistake") }
    XCTAssertEqual(
      failures,
      [Failure(message: "failed - found a mistake", file: "\(#filePath)", line: line)]
    )
  }

  func testAnIssueOfAnEffectIsAFailureOfItsTest() async {
    struct Failed: Error {}
    let failures = await failures {
      let store = await Store(initialState: 0) {
        Reduce<Int, Void> { _, _ in .run { _ in throw Failed() } }
      }
      await store.send(()).finish()
    }
    XCTAssertEqual(failures.map(\.file), ["\(#filePath)"])
    XCTAssertTrue(failures.first?.message.contains("An effect threw an error") == true)
  }

  func testExpectedIssuesFailNothing() async {
    let expected = await failures { withExpectedIssue { reportIssue("expected") } }
    XCTAssertEqual(expected, [])
    let missing = await failures { withExpectedIssue {} }
    XCTAssertEqual(missing.count, 1)
  }
}
