import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// What a search walks through: places, each with the steps that can come next.
///
/// A place is a point between two steps of an order. Two places with the same key have the same future.
protocol SearchWorld: AnyObject {
  associatedtype ChoicePoint
  associatedtype Key: SearchKey

  /// The place before the first step.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  func start() throws -> SearchVisit<ChoicePoint, Key>

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - step: A step that is enabled at the place.
  ///   - place: Where it is made.
  ///   - delayed: The threads that the search lets wait; what it is likely to ask for next follows from them.
  /// - Returns: The place after it.
  /// - Throws: `HostFailure`, `StreamError`.
  func visit(
    _ step: Int,
    from place: ChoicePoint,
    delaying delayed: DelayedThreads
  ) throws -> SearchVisit<ChoicePoint, Key>

  /// Whether it is known already that a step from the place that was visited last is unclear; where it is, that counts as made.
  func isKnownUnclear(_ step: Int) -> Bool

  /// Prepares to come back to the place that was visited last.
  func retain(_ place: ChoicePoint)

  /// The steps that lead to a place.
  func steps(to place: ChoicePoint) -> [Int]

  /// Whether there is no memory for more places.
  var isFull: Bool { get }
}

/// What tells two places apart.
protocol SearchKey: Hashable {
  /// A number for the key together with another number.
  func edge(_ number: Int) -> UInt64
}

extension Digest: SearchKey {}

/// A place that a search has come to.
///
/// Where the verdict is unclear, nothing else is asked for.
struct SearchVisit<Place, Key: SearchKey> {
  let place: Place
  let key: Key
  /// The steps that can come next, in the order of the log.
  let enabled: [Int]
  let verdict: SearchJudge.Verdict
}

/// What a search takes for a violation.
struct SearchJudge: Sendable, Equatable {
  /// A condition that must hold after each action.
  struct Rule: Sendable, Equatable {
    /// The name in the file of invariants; `nil` for one of the command line.
    var name: String?
    let condition: Condition

    static func == (lhs: Rule, rhs: Rule) -> Bool {
      lhs.name == rhs.name
        && lhs.condition.expression.description == rhs.condition.expression.description
    }
  }

  var rules: [Rule] = []
  /// Whether issues and actions of dead effects are violations; else the search leaves an order in which code reports an issue.
  var countsFaults = false
  /// Whether an answer that replaces the one of a newer effect is a violation.
  var countsOvertaking = false
  /// The findings of the recorded order, which are ignored.
  var known: Set<EventReplayer.Finding> = []

  /// What was found after a step.
  enum Verdict: Hashable, Sendable {
    case clear
    case violated(Violation)
    /// The code asks for what the log does not hold, or reports an issue: what comes then proves nothing.
    case unclear
  }

  /// What a step has violated.
  enum Violation: Hashable, Sendable {
    /// A rule, by its place among the rules.
    case rule(Int)
    case fault(EventReplayer.Finding)
    case trap(signal: String)
    /// An answer has replaced the one of a newer effect, at a place in the state.
    case overtaken(JSON.Location)
  }

  /// The judge of the recorded order, whose findings are what others are compared with.
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
  /// What the user does stays as it is, even if the screen of another order would not offer it, and so do dismissals by the
  /// library. So it is no fault of the code when such an action does not find its feature.
  ///
  /// - Parameters:
  ///   - findings: The findings.
  ///   - isUsers: Whether the step is one of the user's, or a dismissal.
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

  /// Judges an action by its context.
  func verdict(on context: ActionContext) -> Verdict {
    for (index, rule) in rules.enumerated() where !rule.condition.holds(in: context) {
      return .violated(.rule(index))
    }
    return .clear
  }
}

extension EventReplayer.Finding {
  /// Whether it is a fault of the code.
  var isFault: Bool { code == .runtimeIssue || code == .deadEffect }
}

extension ThreadedLog.ThreadStep {
  /// Whether the user makes the step, or the library dismisses a feature.
  var isUsers: Bool {
    if case .effect(_, .some) = action?.origin { return true }
    return thread == .user
  }
}

extension SearchJudge.Verdict {
  var isClear: Bool { self == .clear }
}
