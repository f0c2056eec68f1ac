import ReplayCommands
import ReplayEngine

/// Finds the first bad commit as `git bisect` does, including merges and untestable commits.
struct CommitBisection {
  let repository: GitRepository
  /// Tests a commit, or returns its cached outcome.
  let test: (_ commit: String) throws -> CommitTest.CommitVerdict
  /// Receives a commit before its test, and the number of suspects.
  var willTest: (_ commit: String, _ suspects: Int) -> Void = { _, _ in }
  var interruption = Interruption()

  /// The result of a search.
  struct Result: Equatable {
    var culprit: Culprit
    /// The tested commits, in order.
    var tested: [Tested]
    /// The number of commits after the good one up to and including the bad one.
    var range: Int
  }

  /// The first bad commit, or the candidates for it.
  enum Culprit: Equatable {
    case first(String, CommitTest.Evidence)
    /// One of these commits, because some of them can't be tested.
    case oneOf([String], CommitTest.Evidence)
    /// A commit of the interval, because the search was interrupted.
    case unknown(Interval)
  }

  /// The remaining commits of an interrupted search.
  struct Interval: Equatable {
    /// The commits known to be good.
    var good: [String]
    /// The earliest commit known to be bad.
    var bad: String
    /// The commits between them, including the bad one.
    var suspects: [String]
    /// Whether both ends were tested.
    var isTested = false
  }

  struct Tested: Equatable {
    let commit: String
    let outcome: CommitTest.CommitVerdict
  }

  /// The reason why a search can't find a commit.
  enum Failure: StatusError, Equatable, CustomStringConvertible {
    case goodIsNotGood(String, CommitTest.CommitVerdict)
    case badIsNotBad(String, CommitTest.CommitVerdict)
    case notAnAncestor(good: String, bad: String)

    var description: String { Wording.describe(self) }

    var status: ExitStatus {
      switch self {
      case .notAnAncestor: .usage
      case .goodIsNotGood(_, .skipped(let reason)), .badIsNotBad(_, .skipped(let reason)):
        reason.isOfTheHost ? .hostFailed : .different
      case .goodIsNotGood, .badIsNotBad: .different
      }
    }
  }

  /// Searches for the first bad commit.
  ///
  /// - Throws: `Failure`, `GitRepository.Failure`, and the errors of `test`.
  func search(good: String, bad: String) throws -> Result {
    let good = try repository.commit(good)
    let bad = try repository.commit(bad)
    guard good != bad, try repository.isAncestor(good, of: bad) else {
      throw Failure.notAnAncestor(good: good, bad: bad)
    }
    let suspects = try repository.suspects(bad: bad, good: [good])
    var interval = Interval(good: [good], bad: bad, suspects: suspects)
    var tested: [Tested] = []
    do {
      let culprit = try search(&interval, &tested)
      return Result(culprit: culprit, tested: tested, range: suspects.count)
    } catch {
      guard interruption.isRequested else { throw error }
      return Result(culprit: .unknown(interval), tested: tested, range: suspects.count)
    }
  }

  private func search(_ interval: inout Interval, _ tested: inout [Tested]) throws -> Culprit {
    func outcome(of commit: String) throws -> CommitTest.CommitVerdict {
      willTest(commit, interval.suspects.count)
      let outcome = try test(commit)
      tested.append(Tested(commit: commit, outcome: outcome))
      return outcome
    }
    // Tests both ends first, because a wrong end leads to a wrong result.
    let end = try outcome(of: interval.bad)
    guard case .bad(var evidence) = end else { throw Failure.badIsNotBad(interval.bad, end) }
    let start = try outcome(of: interval.good[0])
    guard start == .good else { throw Failure.goodIsNotGood(interval.good[0], start) }
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
  /// Whether the reason is that no host of the commit runs.
  fileprivate var isOfTheHost: Bool {
    switch self {
    case .buildFailed, .hostFailed: true
    case .undecodable, .notDeterministic: false
    }
  }
}
