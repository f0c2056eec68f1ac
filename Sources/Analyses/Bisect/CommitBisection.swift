import ReplayCommands
import ReplayEngine

/// Finds the first bad commit as `git bisect` does, including merges and untestable commits.
struct CommitBisection {
  let repository: GitRepository
  /// A closure that tests a commit, or returns a cached outcome.
  let test: (_ commit: String) throws -> CommitTest.CommitVerdict
  /// A closure that receives a commit before it is tested, and the number of commits that may be the first bad one.
  var willTest: (_ commit: String, _ suspects: Int) -> Void = { _, _ in }
  var interruption = Interruption()

  /// The first bad commit, if it was found, and the commits that were tested.
  struct Result: Equatable {
    var culprit: Culprit
    /// The tested commits, in the order of the tests.
    var tested: [TestedCommit]
    /// The number of commits that were suspects when the search started.
    var range: Int
  }

  /// The first bad commit, or the commits that may be the first bad one.
  enum Culprit: Equatable {
    case first(String, CommitTest.Evidence)
    /// One of several commits is the first bad one, but some of them can't be tested.
    case oneOf([String], CommitTest.Evidence)
    /// The search was interrupted before it found the first bad commit.
    case unknown(SuspectRange)
  }

  /// The commits that can still be the first bad one when a search is interrupted.
  struct SuspectRange: Equatable {
    /// The commits that are good, according to the user or to a test.
    var good: [String]
    /// The earliest commit that is bad, according to the user or to a test.
    var bad: String
    /// The commits that may be the first bad one, including `bad`.
    var suspects: [String]
    /// Whether the good and the bad end of the range were tested.
    var isTested = false
  }

  struct TestedCommit: Equatable {
    let commit: String
    let outcome: CommitTest.CommitVerdict
  }

  /// The reason why a search can't start.
  enum StartError: StatusError, Equatable, CustomStringConvertible {
    case goodIsNotGood(String, CommitTest.CommitVerdict)
    case badIsNotBad(String, CommitTest.CommitVerdict)
    case notAnAncestor(good: String, bad: String)

    var description: String { Wording.describe(self) }

    var status: ExitStatus {
      switch self {
      case .notAnAncestor: .usage
      case .goodIsNotGood(_, .skipped(let reason)), .badIsNotBad(_, .skipped(let reason)):
        reason.isHostFailure ? .hostFailed : .different
      case .goodIsNotGood, .badIsNotBad: .different
      }
    }
  }

  /// Searches for the first bad commit.
  ///
  /// - Parameters:
  ///   - good: A good revision, which must be an ancestor of `bad`.
  ///   - bad: A bad revision.
  /// - Returns: The result, which is partial if the search was interrupted.
  /// - Throws: `StartError`, `GitRepository.Failure`, or the error that `test` throws.
  func search(good: String, bad: String) throws -> Result {
    let good = try repository.commit(good)
    let bad = try repository.commit(bad)
    guard good != bad, try repository.isAncestor(good, of: bad) else {
      throw StartError.notAnAncestor(good: good, bad: bad)
    }
    let suspects = try repository.suspects(bad: bad, good: [good])
    var interval = SuspectRange(good: [good], bad: bad, suspects: suspects)
    var tested: [TestedCommit] = []
    do {
      let culprit = try search(&interval, &tested)
      return Result(culprit: culprit, tested: tested, range: suspects.count)
    } catch {
      guard interruption.isRequested else { throw error }
      return Result(culprit: .unknown(interval), tested: tested, range: suspects.count)
    }
  }

  private func search(
    _ interval: inout SuspectRange,
    _ tested: inout [TestedCommit]
  ) throws -> Culprit {
    func outcome(of commit: String) throws -> CommitTest.CommitVerdict {
      willTest(commit, interval.suspects.count)
      let outcome = try test(commit)
      tested.append(TestedCommit(commit: commit, outcome: outcome))
      return outcome
    }
    // Both ends of the range are tested first, because a wrong end would lead to a wrong commit.
    let end = try outcome(of: interval.bad)
    guard case .bad(var evidence) = end else { throw StartError.badIsNotBad(interval.bad, end) }
    let start = try outcome(of: interval.good[0])
    guard start == .good else { throw StartError.goodIsNotGood(interval.good[0], start) }
    interval.isTested = true
    var skipped: Set<String> = []
    while true {
      interval.suspects = try repository.suspects(bad: interval.bad, good: interval.good)
      let others = interval.suspects.filter { $0 != interval.bad }
      guard let next = others.first(where: { !skipped.contains($0) }) else {
        return others.isEmpty
          ? .first(interval.bad, evidence) : .oneOf(others + [interval.bad], evidence)
      }
      switch try outcome(of: next) {
      case .good: interval.good.append(next)
      case .bad(let found):
        interval.bad = next
        evidence = found
      case .skipped: skipped.insert(next)
      }
    }
  }
}

extension CommitTest.SkipReason {
  /// Whether the commit was skipped because its host can't be built or run.
  fileprivate var isHostFailure: Bool {
    switch self {
    case .buildFailed, .hostFailed: true
    case .undecodable, .notDeterministic: false
    }
  }
}
