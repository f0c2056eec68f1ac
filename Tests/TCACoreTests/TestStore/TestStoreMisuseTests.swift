import TCACore
import Testing

/// What a test that foresees something else is told, in full.
@MainActor
@Suite struct TestStoreMisuseTests {
  struct Misuse: Sendable, CustomTestStringConvertible {
    let name: String
    var exhaustivity = Exhaustivity.on
    /// Whether the end of the store is part of it.
    var ends = false
    let run: @MainActor @Sendable (TestStoreOf<Lab>) async -> Void
    var messages: [String] = []
    /// Those that fail nothing.
    var shown: [String] = []
    var testDescription: String { name }
  }

  @Test(arguments: misuses)
  func misuseIsTold(_ misuse: Misuse) async {
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
