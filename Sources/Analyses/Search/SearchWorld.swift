import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// A state space that a search explores: search states, each with the steps that can come next.
///
/// A search state is a point between two steps of an order. Two search states with the same key have the same possible
/// futures.
protocol SearchWorld: AnyObject {
  associatedtype ChoicePoint
  associatedtype Key: SearchKey

  /// Returns the search state before the first step.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  func start() throws -> SearchVisit<ChoicePoint, Key>

  /// Executes a step.
  ///
  /// - Parameters:
  ///   - step: A step that is enabled in the search state.
  ///   - place: The search state before the step.
  ///   - delayed: The delayed threads, from which the next requests can be predicted.
  /// - Returns: The search state after the step.
  /// - Throws: `HostFailure`, `StreamError`.
  func visit(
    _ step: Int,
    from place: ChoicePoint,
    delaying delayed: DelayedThreads
  ) throws -> SearchVisit<ChoicePoint, Key>

  /// Returns whether a step from the last visited search state is known to be unclear, in which case it counts as
  /// executed.
  func isKnownUnclear(_ step: Int) -> Bool

  /// Prepares for a return to the last visited search state.
  func retain(_ place: ChoicePoint)

  /// Returns the steps that lead to a search state.
  func steps(to place: ChoicePoint) -> [Int]

  /// Whether there is no memory for further search states.
  var isFull: Bool { get }
}

/// The identity of a search state.
protocol SearchKey: Hashable {
  /// Returns a hash of the key and a number.
  func edge(_ number: Int) -> UInt64
}

extension Digest: SearchKey {}

/// A visited search state.
///
/// If the verdict is unclear, the other properties are not used.
struct SearchVisit<Place, Key: SearchKey> {
  let place: Place
  let key: Key
  /// The steps that can come next, in the order of the log.
  let enabled: [Int]
  let verdict: SearchJudge.Verdict
}

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

extension EventReplayer.Finding {
  /// Whether the finding is a fault of the code.
  var isFault: Bool { code == .runtimeIssue || code == .deadEffect }
}

extension ThreadedLog.ThreadStep {
  /// Whether the step is the user's, or a dismissal by the library.
  var isUsers: Bool {
    if case .effect(_, .some) = action?.origin { return true }
    return thread == .user
  }
}

extension SearchJudge.Verdict {
  var isClear: Bool { self == .clear }
}
