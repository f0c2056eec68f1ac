import ActionLog
import LogTools
import ReplayEngine

extension LogStep {
  /// Something in a log that a person most likely looks for.
  package enum ProblemKind: String, Sendable, CaseIterable {
    /// An action that was not finished: the app ended while it was handled.
    case unfinished
    /// An effect that threw.
    case failedEffect
    /// A remark of a replay.
    case finding
    /// Events that could not be written, or actions that the log lacks without saying so.
    case gap
    /// A change that does not fit the state before it.
    case brokenPatch
  }

  /// A problem at a step, in words.
  package struct ProblemReport: Sendable, Equatable {
    package let problem: ProblemKind
    package let text: String
  }

  /// The first problem of a kind at the step; `nil` when there is none.
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

/// The words of problems.
extension Wording {
  fileprivate static func unfinished(_ id: StepID) -> String {
    "action \(id) was not finished: the app ended while it was handled"
  }
}
