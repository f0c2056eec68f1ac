import ActionLog
import LogTools
import ReplayEngine

/// Report lines for the first action after which a condition holds.
extension Wording {
  static func firstTrue(_ name: String, _ condition: String, at seq: Int) -> String {
    "\(name): \(condition) holds first after action \(seq)"
  }

  static func neverTrue(_ name: String, _ condition: String, _ scan: ConditionScan) -> String {
    if scan.holdsAtStart {
      let end = scan.flips.first.map { "; it ceases to after action \($0.seq)" } ?? ""
      return "\(name): \(condition) holds from the start, so no action caused it\(end)"
    }
    return "\(name): \(condition) holds after none of \(actions(scan.last))"
  }

  static let unchangedState = "it did not change the state"

  static let trueAtStart = "it holds from the start"

  static func flip(_ flip: ConditionScan.Flip) -> String {
    flip.holds
      ? "it holds again after action \(flip.seq)" : "it ceases to hold after action \(flip.seq)"
  }
}

/// The messages and report lines of the search for the first bad commit.
extension Wording {
  static func describe(_ failure: GitRepository.Failure) -> String {
    "'\(failure.command)' failed"
      + (failure.message.isEmpty ? "" : ": \(failure.message)")
      + "; expected a git repository here that has the commits given"
  }

  static func describe(_ failure: CommitBisection.StartError) -> String {
    switch failure {
    case .goodIsNotGood(let commit, let outcome):
      "the good commit \(short(commit)) is not good: \(describe(outcome)); give an older one with --good"
    case .badIsNotBad(let commit, let outcome):
      "the bad commit \(short(commit)) is not bad: \(describe(outcome)); give another one with --bad"
    case .notAnAncestor(let good, let bad):
      "the good commit \(short(good)) is not an ancestor of the bad one \(short(bad)); expected one from"
        + " which the bad one descends"
    }
  }

  static func willTest(_ commit: String, _ suspects: Int) -> String {
    "testing \(short(commit)), one of \(suspects) suspects"
  }

  static func name(_ commit: GitRepository.Commit) -> String {
    "\(commit.hash)  \(commit.date.prefix(10))  \(commit.author)  \(commit.subject)"
  }

  static func firstBad(_ commit: GitRepository.Commit) -> String {
    "first bad commit: \(name(commit))"
  }

  static let firstBadIsOneOf =
    "the first bad commit is one of these, of which some cannot be tested:"

  static func unfinished(_ interval: CommitBisection.SuspectRange) -> String {
    let count = interval.suspects.count
    let commits = count == 1 ? "this commit" : "\(count) commits"
    return interval.isTested
      ? "interrupted: the first bad commit is among \(commits)"
      : "interrupted before both ends were tested: \(commits) between them"
  }

  static func rest(of interval: CommitBisection.SuspectRange) -> [String] {
    [
      "'git rev-list \(short(interval.bad)) --not \(interval.good.map(short).joined(separator: " "))' names them",
      "the same command goes on from here: the outcomes of tested commits are kept",
    ]
  }

  static func testedCommits(_ result: CommitBisection.Result) -> String {
    let count = result.tested.count == 1 ? "1 commit" : "\(result.tested.count) commits"
    return "tested \(count); a linear search would have tested up to \(result.range + 1)"
  }

  static func skipped(_ commit: String, _ reason: CommitTest.SkipReason) -> String {
    "skipped \(short(commit)): \(describe(reason))"
  }

  static func ended(_ end: ReplayEnd) -> String {
    "the host \(how(end))"
  }

  private static func describe(_ outcome: CommitTest.CommitVerdict) -> String {
    switch outcome {
    case .good: "its replay shows nothing"
    case .bad(.verdict(let verdict)): line(verdict, through: 0)
    case .bad(.condition(let seq)): "the condition holds after action \(seq)"
    case .skipped(let reason): describe(reason)
    }
  }

  private static func describe(_ reason: CommitTest.SkipReason) -> String {
    switch reason {
    case .buildFailed(let status, let log):
      "its build ended with status \(status); the output is in \(log)"
    case .hostFailed(let text): text
    case .undecodable(let text): text
    case .notDeterministic: "its replays differ from each other"
    }
  }

  private static func short(_ commit: String) -> String { String(commit.prefix(12)) }
}
