import TCACore
import XCTest

/// The issues of a test store become failures of XCTest at the responsible line.
final class TestStoreRoutingTests: CatchingTestCase {
  private static func store() async -> TestStore<Int, Bool> {
    await TestStore(initialState: 0) {
      Reduce { state, sends in
        state += 1
        return sends ? .run { send in await send(false) } : .none
      }
    }
  }

  func testAWrongAssertionIsAFailureAtItsLine() async {
    let store = await Self.store()
    let line = #line + 1
    let failures = await failures { await store.send(false) { $0 = 2 } }
    let message = """
      failed - A state change does not match expectation: …

          − 2
          + 1

      (Expected: −, Actual: +)
      """
    XCTAssertEqual(failures, [Failure(message: message, file: "\(#filePath)", line: line)])
  }

  func testWhatIsLeftAtTheEndIsAFailure() async {
    let line = #line + 6
    let failures = await failures {
      let store =
        await TestStore(initialState: 0) {
          Reduce<Int, Void> { _, _ in .run { _ in try await Task.never() } }
        }
      await store.send(())
    }
    XCTAssertEqual(failures.map(\.line), [line])
    XCTAssertTrue(
      failures.first?.message.hasPrefix(
        "failed - An effect returned for this action is still running."
      ) == true
    )
  }

  func testSkippedAssertionsThatAreShownFailNothing() async {
    let failures = await failures {
      let store = await Self.store()
      await MainActor.run { store.exhaustivity = .off(showSkippedAssertions: true) }
      await store.send(true)
    }
    XCTAssertEqual(failures, [])
  }
}
