import TCACore
import Testing

/// The complete messages for tests with wrong expectations.
@MainActor
@Suite struct TestStoreMisuseTests {
  struct Misuse: Sendable, CustomTestStringConvertible {
    let name: String
    var exhaustivity = Exhaustivity.on
    /// Whether the case includes the end of the store.
    var ends = false
    let run: @MainActor @Sendable (TestStoreOf<Lab>) async -> Void
    var messages: [String] = []
    /// The messages that fail no test.
    var shown: [String] = []
    var testDescription: String { name }
  }

  @Test(arguments: misuses)
  func `each misuse of a test store reports the expected message`(_ misuse: Misuse) async {
    let issues = await StoreIssues.of {
      let store = TestStoreOf<Lab>.lab()
      store.timeout = .milliseconds(5)
      store.exhaustivity = misuse.exhaustivity
      await misuse.run(store)
      if !misuse.ends { store.exhaustivity = .off }
    }
    #expect(issues.messages == misuse.messages)
    #expect(issues.shown == misuse.shown)
  }

  nonisolated static let misuses = ofSteps + ofReceiving + ofEnds

  struct Failure: Error {}
}
