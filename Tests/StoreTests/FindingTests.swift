import Foundation
import Testing

#if arch(arm64)
private let trapSignal = SIGTRAP
#else
private let trapSignal = SIGILL
#endif

/// The tests that `fuzz` generates reproduce the faults that it found in a feature.
@MainActor @Suite struct FindingTests {
  /// The process fails if its last step does not trap, or if its steps have another result.
  @Test func `the generated test for a trap ends its process with the same signal`() async {
    await #expect(processExitsWith: .signal(trapSignal)) {
      // Collecting a backtrace of a process this large takes long.
      signal(trapSignal, SIG_DFL)
      try await `trapped 152b8763ceb9c92e`()
    }
    await #expect(processExitsWith: .signal(trapSignal)) {
      // Collecting a backtrace of a process this large takes long.
      signal(trapSignal, SIG_DFL)
      try await `trapped 1daac215e6b79606`()
    }
  }

  /// Any other issue comes from the steps.
  @Test func `the generated test of an issue fails with that issue`() async throws {
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
  @Test func `the generated test for an unstable value fails if the value differs in this process`()
    async
  {
    // Two elements have the same order in half of the processes.
    await withKnownIssue(isIntermittent: true) { try await `unstable 16238e57b1f7427f`() }
    // No process has both this locale and this time zone.
    await withKnownIssue {
      try await `unstable 17abed725fc4f039`()
      try await `unstable 160a16f76b75f011`()
    }
  }

  /// The steps lead to the state that violates the invariant.
  @Test
  func `the generated test for a violated invariant passes as long as the feature has the fault`()
    async throws
  {
    try await `violated 1e9d7957c55e574a`()
  }
}
