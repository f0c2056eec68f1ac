import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// The definition of violations for a search.
struct SearchJudge: Sendable, Equatable {
  /// A condition that must hold after each action.
  struct Rule: Sendable, Equatable {
    /// The name in the file of invariants; `nil` for a condition of the command line.
    var name: String?
    let condition: Condition

    static func == (lhs: Rule, rhs: Rule) -> Bool {
      lhs.name == rhs.name
        && lhs.condition.expression.description == rhs.condition.expression.description
    }
  }

  var rules: [Rule] = []
  /// Whether issues and actions of dead effects are violations.
  ///
  /// If not, an order ends as unclear when the code reports an issue.
  var countsFaults = false
  /// Whether overwriting the result of a newer effect is a violation.
  var countsOvertaking = false
  /// The findings of the recorded order, which are ignored.
  var known: Set<EventReplayer.Finding> = []

  /// The result of a step.
  enum Verdict: Hashable, Sendable {
    case clear
    case violated(Violation)
    /// The code has made an unrecorded read or reported an issue, so later results are not evidence.
    case unclear
  }

  /// The rule that a step has violated.
  enum Violation: Hashable, Sendable {
    /// A condition, by its index among the rules.
    case rule(Int)
    case fault(EventReplayer.Finding)
    case trap(signal: String)
    /// An action has overwritten the result of a newer effect at a path of the state.
    case overtaken(JSON.Location)
  }

  /// The judge of the recorded order.
  ///
  /// Its findings are the baseline for other orders.
  var ofRecording: SearchJudge {
    var judge = self
    judge.isOfRecording = true
    return judge
  }

  private var isOfRecording = false
}

extension SearchJudge {
  init(_ rules: [Rule], countsFaults: Bool, countsOvertaking: Bool = false) {
    self.rules = rules
    self.countsFaults = countsFaults
    self.countsOvertaking = countsOvertaking
  }

  /// Returns the verdict on the findings of a step.
  ///
  /// In another order, the user's actions and dismissals by the library remain unchanged, even if the screen would not
  /// offer them. Therefore, a missing feature for such an action is no fault of the code.
  ///
  /// - Parameters:
  ///   - findings: The findings.
  ///   - isUsers: Whether the step is the user's, or a dismissal.
  /// - Returns: The verdict.
  func verdict(on findings: [LogEvent.Finding], isUsers: Bool) -> Verdict {
    guard !isOfRecording, !findings.isEmpty else { return .clear }
    var violation: Violation?
    for finding in findings {
      let kind = EventReplayer.Finding(finding)
      switch finding.code {
      case .unrecordedRead, .undecodable, .notReplayable: return .unclear
      case .runtimeIssue where !known.contains(kind):
        guard countsFaults, !(isUsers && finding.issue == .missingFeature) else { return .unclear }
        violation = violation ?? .fault(kind)
      case .deadEffect where countsFaults && !known.contains(kind):
        violation = violation ?? .fault(kind)
      case .runtimeIssue, .deadEffect, .unusedRead, .schemaDrift, .actionDrift, .resynced,
        .unknownFeature, .brokenLog, .opaque, .migration:
        break
      }
    }
    return violation.map { .violated($0) } ?? .clear
  }

  /// Returns the verdict on an action by its context.
  func verdict(on context: ActionContext) -> Verdict {
    for (index, rule) in rules.enumerated() where !rule.condition.holds(in: context) {
      return .violated(.rule(index))
    }
    return .clear
  }
}
