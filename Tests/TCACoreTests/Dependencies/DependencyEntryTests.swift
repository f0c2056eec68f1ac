import TCACore
import Testing

extension DependencyValues {
  @DependencyEntry fileprivate var inferred = [1, 2]
  @DependencyEntry(liveValue: ["live"]) fileprivate var inferredLive = ["test"]
  @DependencyEntry(previewValue: "preview") fileprivate var previewed = "test"
  @DependencyEntry(liveValue: "live") fileprivate var untested: String
  @DependencyEntry("NamedEntryKey") var named = "test"
  @DependencyEntry("NamedPreviewKey", previewValue: "preview") var namedPreview: String = "test"
}

// In the form of another module.
extension DependencyValues.NamedEntryKey: DependencyKey {
  static var liveValue: String { "live" }
}

/// The declarations that `@DependencyEntry` generates.
@Suite struct DependencyEntryTests {
  @Test(
    arguments: [
      (.live, ["live", "test", "live", "live", "test"]),
      (.preview, ["live", "preview", "live", "live", "preview"]),
      (.test, ["test", "test", "live", "test", "test"]),
    ] as [(DependencyContext, [String])]
  )
  func `a dependency entry has its value for each context`(
    context: DependencyContext,
    expected: [String]
  ) {
    withDependencies {
      $0.context = context
    } operation: {
      // A missing value in the app or in a test is a separate issue.
      withIssueReporters([]) {
        let values = DependencyValues._current
        #expect(
          [
            values.inferredLive[0], values.previewed, values.untested, values.named,
            values.namedPreview,
          ] == expected
        )
      }
    }
    #expect(DependencyValues._current.inferred == [1, 2])
  }

  @Test func `a dependency entry without a test value reports an issue in a test`() {
    #expect(recordingIssues { _ = DependencyValues._current.untested }.count == 1)
  }

  @Test func `withDependencies sets a dependency entry, by its member and by its key`() {
    withDependencies {
      $0.named = "set"
      $0.inferred.append(3)
    } operation: {
      @Dependency(\.named) var named
      @Dependency(DependencyValues.NamedEntryKey.self) var sameKey
      @Dependency(\.inferred) var inferred
      #expect(named == "set" && sameKey == "set")
      #expect(inferred == [1, 2, 3])
    }
  }
}
