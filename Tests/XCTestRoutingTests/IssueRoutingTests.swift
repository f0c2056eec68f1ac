import Foundation
import TCACore
import XCTest

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
    XCTAssertTrue(failures.first?.message.contains("threw an error that nothing caught") == true)
  }

  func testExpectedIssuesFailNothing() async {
    let expected = await failures { withExpectedIssue { reportIssue("expected") } }
    XCTAssertEqual(expected, [])
    let missing = await failures { withExpectedIssue {} }
    XCTAssertEqual(missing.count, 1)
  }

  func testARequestIsAFailureAlthoughItComesFromNoTask() async throws {
    @Dependency(\.urlSession) var urlSession
    let url = try XCTUnwrap(URL(string: "https://example.com/todos"))
    let failures = await failures {
      let answer = await Result { try await urlSession.data(from: url) }
      if case .success = answer { XCTFail("the request was answered") }
    }
    XCTAssertEqual(
      failures.map(\.message),
      [
        """
        failed - A test asked the network for "https://example.com/todos". The request failed. Set "urlSession" in the \
        test, or the client that makes the request.
        """
      ]
    )
  }
}
