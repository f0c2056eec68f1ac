import ActionLog
import ReplayCommands
import ReplayEngine

/// A fault, with the shortest log that shows it.
struct FuzzFinding: Sendable {
  var symptom: Symptom
  let fault: Fault
  /// The log, as a replay wrote it; as the search wrote it where there was no replay.
  var events: [LogEvent]
  /// How many actions from outside it has, and how many it had when it was found.
  var actions: (now: Int, found: Int)
  let origin: FuzzOrigin
  /// How many transitions there had been in its batch and the generations before.
  let transitions: Int
  /// Why fewer actions may do; `nil` where none of them can go.
  var shortfall: Shortfall?

  /// What is wrong.
  enum Fault: Sendable {
    case violation(SearchJudge.Violation)
    /// Replays differ from each other, for these reasons.
    case unstable([UnstablePlace.DifferenceReason])
  }

  /// What has kept a finding from being minimized.
  enum Shortfall: String, Sendable {
    case time
    case interruption
    case failure
    /// Each candidate would take as long as a replay may.
    case hang
  }

  /// A finding as it was found.
  init(_ found: FuzzAnswer.FoundSequence, _ symptom: Symptom) {
    self.symptom = symptom
    fault = .violation(found.violation)
    events = found.events
    actions = (events.actionsFromOutside, events.actionsFromOutside)
    origin = found.origin
    transitions = found.transitions
  }

  /// A place at which replays differ, with a log that shows it.
  init(_ place: UnstablePlace, _ events: [LogEvent], origin: FuzzOrigin, transitions: Int) {
    symptom = Symptom(place)
    fault = .unstable(place.reasons)
    self.events = events
    actions = (events.actionsFromOutside, events.actionsFromOutside)
    self.origin = origin
    self.transitions = transitions
  }
}

extension Symptom {
  /// The symptom of a place at which replays differ.
  init(_ place: UnstablePlace) {
    let pointer = try? JSON.Pointer(parsing: place.key.anyID.path)
    let path =
      switch place.aspect {
      case .difference(.state) where pointer?.tokens.isEmpty == false:
        Notation().pathText(ofAnyElement: pointer ?? JSON.Pointer())
      // It names actions of one log.
      case .difference(.sequence): Wording.name(LogDifference.Cause.sequence)
      case .trap: Wording.aTrap
      default: Wording.locationText(place, Notation())
      }
    self.init(
      kind: "unstable",
      detail: place.reasons.map { Wording.name($0) }.joined(separator: ", "),
      place: path,
      action: place.action.map { Notation().casePath($0) } ?? ""
    )
  }
}

extension [LogEvent] {
  /// How many actions the reducer did not send itself.
  fileprivate var actionsFromOutside: Int {
    count { if case .action(let action) = $0 { !action.origin.isReentrant } else { false } }
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
