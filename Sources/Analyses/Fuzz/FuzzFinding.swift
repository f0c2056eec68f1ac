import ActionLog

/// A fault, with the shortest log that shows it.
struct FuzzFinding: Sendable {
  var symptom: Symptom
  let violation: SearchJudge.Violation
  /// The log, as a replay wrote it; as the search wrote it where there was no replay.
  var events: [LogEvent]
  /// How many actions from outside it has, and how many it had when it was found.
  var actions: (now: Int, found: Int)
  /// How many runs and transitions there had been in its batch and the generations before; no run where a log of the corpus shows
  /// it.
  let runs: Int
  let transitions: Int
  /// Why fewer actions may do; `nil` where none of them can go.
  var shortfall: Shortfall?

  /// What has kept a finding from being minimized.
  enum Shortfall: String, Sendable {
    case time
    case interruption
    case failure
    /// Each candidate would take as long as a replay may.
    case hang
  }

  /// A finding as it was found.
  init(_ found: FuzzAnswer.Found, _ symptom: Symptom) {
    let actions = found.events.count {
      if case .action(let action) = $0 { !action.origin.isReentrant } else { false }
    }
    self.symptom = symptom
    violation = found.violation
    events = found.events
    self.actions = (actions, actions)
    runs = found.run
    transitions = found.transitions
  }
}

extension SearchJudge.Violation {
  /// What tells it from others before it is minimized: of a trap, the case of its action too.
  func kind(endingWith action: JSON?) -> String {
    guard case .trap = self else { return "\(JSON.object(json))" }
    return "\(JSON.object(json)) \(action?.caseNames.joined(separator: ".") ?? "")"
  }
}

extension LogEvent.Origin {
  fileprivate var isReentrant: Bool { if case .reentrant = self { true } else { false } }
}
