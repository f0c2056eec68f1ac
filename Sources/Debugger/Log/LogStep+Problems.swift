import ActionLog
import LogTools
import ReplayEngine

extension LogStep {
  /// A kind of problem for which users often search.
  package enum ProblemKind: String, Sendable, CaseIterable {
    /// The app ended while it handled the action.
    case unfinished
    /// An effect threw an error.
    case failedEffect
    /// A replay has reported a finding.
    case finding
    /// Events could not be written, or actions are missing without a gap.
    case gap
    /// A change can't be applied to the state before it.
    case brokenPatch
  }

  /// A description of a problem at a step.
  package struct ProblemReport: Sendable, Equatable {
    package let problem: ProblemKind
    package let text: String
  }

  /// Returns the first problem of a kind at the step, or `nil` if there is none.
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

/// Wording for problems.
extension Wording {
  fileprivate static func unfinished(_ id: StepID) -> String {
    "action \(id) was not finished: the app ended while it was handled"
  }
}
