import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// The rules that define which results of a step are violations.
struct SearchJudge: Sendable, Equatable {
  /// A condition that must hold after each action.
  struct Rule: Sendable, Equatable {
    /// The name of the invariant, or `nil` if the condition comes from the command line.
    var name: String?
    let condition: Condition

    static func == (lhs: Rule, rhs: Rule) -> Bool {
      lhs.name == rhs.name
        && lhs.condition.expression.description == rhs.condition.expression.description
    }
  }

  var rules: [Rule] = []
  /// Whether an issue, or an action of a dead effect, is a violation.
  ///
  /// If `false`, an order ends as unclear when the code reports an issue. The findings in `known` are ignored.
  var countsFaults = false
  /// Whether an action that overwrites the result of a newer effect is a violation.
  var countsOvertaking = false
  /// The issues and the actions of dead effects in the recorded order, which are ignored in other orders.
  var known: Set<EventReplayer.OrderIndependentFinding> = []

  /// The result of judging a step.
  enum Verdict: Hashable, Sendable {
    case clear
    case violated(Violation)
    /// The step read an unrecorded value, could not be replayed, or reported an issue.
    ///
    /// Further results would therefore not prove a fault.
    case unclear
  }

  /// The kind of violation that a step has caused.
  enum Violation: Hashable, Sendable {
    /// The condition at this index in `rules` doesn't hold.
    case rule(Int)
    case fault(EventReplayer.OrderIndependentFinding)
    case trap(signal: String)
    /// An action has overwritten the result of a newer effect at this location in the state.
    case overtaken(JSON.ValueLocation)
  }

  /// A copy of this judge for the recorded order, which accepts all findings.
  ///
  /// The findings in the recorded order are the baseline for other orders.
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

  /// Judges the findings of a step.
  ///
  /// A search repeats the user's actions and the library's dismissals in every order, even where the app would not
  /// offer them. A missing feature for such an action is therefore not a fault of the app.
  ///
  /// - Parameters:
  ///   - findings: The findings that the step has caused.
  ///   - isFromUser: Whether the step comes from the user, or is a dismissal by the library.
  /// - Returns: The verdict on the step.
  func verdict(on findings: [LogEvent.Finding], isFromUser: Bool) -> Verdict {
    guard !isOfRecording, !findings.isEmpty else { return .clear }
    var violation: Violation?
    for finding in findings {
      let kind = EventReplayer.OrderIndependentFinding(finding)
      switch finding.code {
      case .unrecordedRead, .undecodable, .notReplayable: return .unclear
      case .runtimeIssue where !known.contains(kind):
        guard countsFaults, !(isFromUser && finding.issue == .missingFeature) else {
          return .unclear
        }
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

  /// Returns a violation of the first rule whose condition doesn't hold after an action, or `clear` if all hold.
  func verdict(on context: ConditionContext) -> Verdict {
    for (index, rule) in rules.enumerated() where !rule.condition.holds(in: context) {
      return .violated(.rule(index))
    }
    return .clear
  }
}
