import TCACore
import Testing

/// What a test store finds fails the running test, at the line that is to blame.
@MainActor
@Suite struct TestStoreRoutingTests {
  @Test func aWrongAssertionFailsTheTestAtItsLine() async {
    let store = TestStoreOf<Lab>.lab()
    let line = #line + 2
    await withKnownIssue {
      await store.send(.add(1)) { $0.count = 1 - 1 }
    } matching: { issue in
      issue.sourceLocation?.fileID == #fileID && issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.hasPrefix("A state change does not match") == true
    }
  }

  @Test func whatIsLeftAtTheEndFailsTheTestWhereItBegan() async {
    let line = #line + 3
    await withKnownIssue {
      let store = TestStoreOf<Lab>.lab()
      await store.send(.sendAfter(.seconds(1), []))
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.hasPrefix("An effect \"waiting\" returned") == true
    }
  }
}
