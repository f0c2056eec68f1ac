import ActionLog
import LogTools
import ReplayEngine

extension LogStep {
  /// A kind of problem that users often search for.
  package enum ProblemKind: String, Sendable, CaseIterable {
    /// An unfinished action: the app ended while handling it.
    case unfinished
    /// An effect that threw an error.
    case failedEffect
    /// A finding of a replay.
    case finding
    /// Events that could not be written, or actions that are missing without a gap.
    case gap
    /// A change that doesn't apply to the state before it.
    case brokenPatch
  }

  /// A description of a problem at a step.
  package struct ProblemReport: Sendable, Equatable {
    package let problem: ProblemKind
    package let text: String
  }

  /// Returns the first problem of a kind at the step; `nil` if there is none.
  package func report(of problem: ProblemKind) -> ProblemReport? {
    text(of: problem).map { ProblemReport(problem: problem, text: $0) }
  }

  private func text(of problem: ProblemKind) -> String? {
    switch problem {
    case .unfinished: return isUnfinished ? Wording.unfinished(id) : nil
    case .failedEffect:
      for turn in turns {
        if case .failed = turn.event { return Wording.turn(turn, Notation()) }
      }
    case .finding:
      for event in events {
        if case .finding(let finding) = event { return Wording.finding(finding, Notation()) }
      }
    case .gap:
      for event in events {
        if case .gap(let gap) = event { return Wording.missing(gap) }
      }
      if let missing { return Wording.missing(missing) }
    case .brokenPatch:
      guard let broken = end.brokenPatch, broken != start.brokenPatch else { return nil }
      return "\(broken)"
    }
    return nil
  }
}

/// The descriptions of problems.
extension Wording {
  fileprivate static func unfinished(_ id: StepID) -> String {
    "action \(id) was not finished: the app ended while it was handled"
  }
}
