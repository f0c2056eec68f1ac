import TCACore
import Testing

/// The issues of a test store fail the running test at the responsible line.
@MainActor
@Suite struct TestStoreRoutingTests {
  @Test func `an issue of a wrong assertion has the assertion's source location`() async {
    let store = TestStoreOf<Lab>.lab()
    let line = #line + 2
    await withKnownIssue {
      await store.send(.add(1)) { $0.count = 1 - 1 }
    } matching: { issue in
      issue.sourceLocation?.fileID == #fileID && issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.hasPrefix("A state change does not match") == true
    }
  }

  @Test
  func `an issue of an effect that runs at the end of a test has the source location of its send`()
    async
  {
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
