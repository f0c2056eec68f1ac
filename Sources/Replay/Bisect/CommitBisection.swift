/// Looks for the first bad commit, as `git bisect` does: over merges, and past commits that cannot be tested.
struct CommitBisection {
  let repository: GitRepository
  /// Tests a commit, or knows the answer already.
  let test: (_ commit: String) throws -> CommitTest.Outcome
  /// Is told what is about to be tested, and how many suspects there are.
  var willTest: (_ commit: String, _ suspects: Int) -> Void = { _, _ in }

  /// What was found.
  struct Result: Equatable {
    var culprit: Culprit
    /// Every commit that was tested, in order.
    var tested: [Tested]
    /// How many commits lie between the good and the bad one, the bad one included.
    var range: Int
  }

  /// Which commit it is.
  enum Culprit: Equatable {
    case first(String, CommitTest.Evidence)
    /// Commits that cannot be tested lie around it: it is one of these.
    case oneOf([String], CommitTest.Evidence)
  }

  struct Tested: Equatable {
    let commit: String
    let outcome: CommitTest.Outcome
  }

  /// Why there is nothing to be found.
  enum Failure: Error, Equatable {
    case goodIsNotGood(String, CommitTest.Outcome)
    case badIsNotBad(String, CommitTest.Outcome)
    case notAnAncestor(good: String, bad: String)
  }

  /// Searches.
  ///
  /// - Throws: `Failure`, `GitRepository.Failure`, and what `test` throws.
  func search(good: String, bad: String) throws -> Result {
    let good = try repository.commit(good)
    let bad = try repository.commit(bad)
    guard good != bad, try repository.isAncestor(good, of: bad) else {
      throw Failure.notAnAncestor(good: good, bad: bad)
    }
    var tested: [Tested] = []
    func outcome(of commit: String, among suspects: Int) throws -> CommitTest.Outcome {
      willTest(commit, suspects)
      let outcome = try test(commit)
      tested.append(Tested(commit: commit, outcome: outcome))
      return outcome
    }
    let range = try repository.suspects(bad: bad, good: [good]).count
    // Both ends first: from a wrong one the search would lead anywhere.
    let end = try outcome(of: bad, among: range)
    guard case .bad(var evidence) = end else { throw Failure.badIsNotBad(bad, end) }
    let start = try outcome(of: good, among: range)
    guard start == .good else { throw Failure.goodIsNotGood(good, start) }

    var worst = bad
    var goods = [good]
    var skipped: Set<String> = []
    while true {
      let suspects = try repository.suspects(bad: worst, good: goods).filter { $0 != worst }
      guard let next = suspects.first(where: { !skipped.contains($0) }) else {
        let culprit: Culprit =
          suspects.isEmpty ? .first(worst, evidence) : .oneOf(suspects + [worst], evidence)
        return Result(culprit: culprit, tested: tested, range: range)
      }
      switch try outcome(of: next, among: suspects.count + 1) {
      case .good: goods.append(next)
      case .bad(let found):
        worst = next
        evidence = found
      case .skipped: skipped.insert(next)
      }
    }
  }
}
