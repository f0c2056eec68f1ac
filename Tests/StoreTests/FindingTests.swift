import Foundation
import Testing

#if arch(arm64)
private let trapSignal = SIGTRAP
#else
private let trapSignal = SIGILL
#endif

/// What a feature does where the tests of `fuzz` take their steps: it still has the faults that were found.
@MainActor @Suite struct FindingTests {
  /// A process whose last step does not trap, or whose steps come out otherwise, fails.
  @Test func theTestOfATrapEndsItsProcess() async {
    await #expect(processExitsWith: .signal(trapSignal)) {
      // A trace of a process as large as that of the tests takes long.
      signal(trapSignal, SIG_DFL)
      try await `trapped 152b8763ceb9c92e`()
    }
    await #expect(processExitsWith: .signal(trapSignal)) {
      // A trace of a process as large as that of the tests takes long.
      signal(trapSignal, SIG_DFL)
      try await `trapped 1daac215e6b79606`()
    }
  }

  /// Any other issue is one of the steps.
  @Test func theTestOfAnIssueFailsWithIt() async throws {
    try await withKnownIssue {
      try await `issue 1007c681c6d6450f`()
    } matching: { issue in
      "\(issue)".contains("the list has song 3 twice")
    }
    try await withKnownIssue {
      try await `issue 1dfa272ad7d34bbd`()
    } matching: { issue in
      "\(issue)".contains("received an action while the state of its feature is nil")
    }
  }

  /// The test expects the value of another process.
  @Test func theTestOfAnUnstableValueFailsWhereItIsAnother() async {
    // Two elements have the same order in every other process.
    await withKnownIssue(isIntermittent: true) { try await `unstable 16238e57b1f7427f`() }
    // No process has both this locale and this zone.
    await withKnownIssue {
      try await `unstable 17abed725fc4f039`()
      try await `unstable 160a16f76b75f011`()
    }
  }

  /// The steps lead to the state that breaks the invariant.
  @Test func theTestOfAnInvariantPasses() async throws {
    try await `violated 1e9d7957c55e574a`()
  }
}
