import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The messages and report lines of the `explore` command.
extension Wording {
  static func exploring(_ transitions: Int, _ places: Int) -> String {
    "\(counted(transitions, "transition")), \(counted(places, "different place"))"
  }

  /// Returns a sentence with the violation that was found, or with the conditions that hold.
  static func explored(_ name: String, _ judge: SearchJudge, _ result: Explorer.Result) -> String {
    guard let violation = result.violation else {
      let (all, tried) =
        judge.rules.isEmpty
        ? ("any order", "any order that was tried")
        : ("every order", "all orders that were tried")
      if result.isComplete { return "\(name): \(held(judge)) in \(all)" }
      let end = result.limit.map { "; \(limit($0)) ended the search, so there are more" } ?? ""
      return "\(name): \(held(judge)) in \(tried)\(end)"
    }
    switch violation.kind {
    case .trap(let signal): return "\(name): an order ends with \(signal)"
    case .fault(let finding): return "\(name): an order \(fault(finding))"
    case .rule(let index):
      return "\(name): \(rule(index, judge)) does not hold in every order"
    case .overtaken(let place):
      return
        "\(name): race at \(Notation().pathText(place)): a late answer overwrites a newer one"
    }
  }

  /// Returns a phrase for the extent of the search, such as `351 transitions, 211 different places`.
  static func effort(_ result: Explorer.Result) -> String {
    let places = result.places == 1 ? "1 place" : "\(result.places) different places"
    let steps = counted(result.transitions, "transition")
    let end = result.interruption.map { "; interrupted by \(SignalName.of($0))" } ?? ""
    // The number of states is unknown if the host ended before it reported any results.
    return (result.places > 0 ? "\(steps), \(places)" : steps) + end
  }

  private static func limit(_ limit: SearchLimit) -> String {
    switch limit {
    case .budget: "--budget"
    case .transitions: "--transitions"
    case .replays: "the limit of \(Explorer.mostReplays) replays"
    case .memory: "the limit of memory"
    }
  }

  /// Returns a phrase that lists the conditions that hold, or says that no fault was found.
  private static func held(_ judge: SearchJudge) -> String {
    switch judge.rules.count {
    case 0 where judge.countsOvertaking:
      "no trap, issue, action of a dead effect or overtaken answer"
    case 0: "no trap, issue or action of a dead effect"
    case 1 where !judge.countsFaults: "\(rule(0, judge)) holds"
    case 1: "\(rule(0, judge)) holds, and there is no fault,"
    default:
      judge.countsFaults
        ? "all \(judge.rules.count) invariants hold, and there is no fault,"
        : "all \(judge.rules.count) invariants hold"
    }
  }

  /// Returns the name of a rule, or its condition if it has no name.
  static func rule(_ index: Int, _ judge: SearchJudge) -> String {
    let rule = judge.rules[index]
    return rule.name.map(invariant) ?? rule.condition.expression.description
  }

  private static func fault(_ finding: EventReplayer.OrderIndependentFinding) -> String {
    switch finding.code {
    case .runtimeIssue: "reports an issue at \(finding.place ?? "?")"
    default: "has an action of an effect that is not alive"
    }
  }

  /// Returns a phrase for the reason why orders were replayed from the start.
  static func obstacle(_ obstacle: InMemorySearchClient.Obstacle) -> String {
    switch obstacle {
    case .notServed:
      "Each order was replayed from the start: the host does not search in memory."
    case .feature(.notSupported):
      "Each order was replayed from the start: the host's engine takes no snapshots."
    case .feature(.object(let type)):
      "Each order was replayed from the start: the state holds \(type), which a copy of the state shares."
    case .differs:
      "Each order was replayed from the start: in memory the feature does something else than in a replay."
    }
  }

  static func afterGap(_ seq: Int) -> String {
    "What comes before the gap after \(wasAction(seq)) was left out."
  }

  static func known(_ count: Int) -> String {
    "The recorded order has \(count == 1 ? "a finding" : "\(count) findings") of its own, which 'run' tells; "
      + "\(count == 1 ? "it was" : "they were") not looked for again."
  }

  static func recordedOvertaking(
    _ recorded: OvertakingRaces.RecordedRace,
    _ notation: Notation
  ) -> String {
    "In the recorded order \(wasAction(recorded.seq)) already replaces the answer of a newer effect at \(notation.pathText(recorded.place))."
  }

  static func unclearOrders(_ count: Int) -> String {
    "\(count == 1 ? "1 order was" : "\(count) orders were") followed up to where the code reports an issue, or asks for"
      + " what the log does not hold."
  }

  static func recordedOrderBreaks(_ kind: SearchJudge.Violation) -> String {
    if case .rule = kind {
      return "The recorded order shows it already; 'bisect --when' says more."
    }
    return "The recorded order shows it already; 'run' says more."
  }

  static func move(_ move: ExploreReport.MovedStep, _ notation: Notation) -> String {
    "\(wasAction(move.step.seq))  \(notation.action(move.step.action)), \(origin(move.step.origin, of: nil, isInLog: true)), comes "
      + (move.predecessor.map { "after \(wasAction($0))" } ?? "first")
  }

  static func missing(_ action: LogEvent.Action, _ notation: Notation) -> String {
    "\(wasAction(action.seq))  \(notation.action(action.action)), \(origin(action.origin, of: nil, isInLog: true)), has not come"
  }

  static func breaks(
    _ violation: Explorer.Violation,
    _ action: LogEvent.Action,
    _ judge: SearchJudge,
    _ notation: Notation
  ) -> String {
    let original = action.originalSeq ?? violation.seq
    let recorded = original == violation.seq ? "" : whichWas(original)
    let step = "\(wasAction(violation.seq))  \(notation.action(action.action))\(recorded)"
    switch violation.kind {
    case .trap(let signal): return "\(signal) within \(step)"
    case .fault(let finding):
      return finding.code == .runtimeIssue
        ? "\(finding.place ?? "?") reports an issue within \(step)"
        : "the effect of \(step) is not alive"
    case .rule(let index): return "\(rule(index, judge)) does not hold after \(step)"
    case .overtaken(let place):
      return "\(step), replaces the answer of a newer effect at \(notation.pathText(place))"
    }
  }

  static func wrote(_ output: String) -> String { "The order is in \(output)." }

  static func describe(_ failure: Explorer.ExplorationObstacle, _ name: String) -> String {
    switch failure {
    case .changedFromOutside(let seq):
      "after \(wasAction(seq)) of \(name) something other than a recorded action changes the state, and the change fits only there,"
        + " so the log has no other orders; record the whole feature, without filters, to explore it"
    case .isNotReproduced(let seq):
      "\(name) does not replay as recorded from action \(seq) on, so other orders prove nothing; 'run' shows how"
    case .notDeterministic:
      "replays of \(name) differ from each other, so none of them proves anything; 'audit' shows what is not deterministic"
    }
  }
}
