import ActionLog
import ReplayCommands
import ReplayEngine

/// A fault, with the shortest log that shows it.
struct FuzzFinding: Sendable {
  var symptom: Symptom
  let fault: Fault
  /// The log as written by a replay, or by the search if there was no replay.
  var events: [LogEvent]
  /// The number of actions from outside in the log, and in the sequence that was found.
  var actions: (now: Int, found: Int)
  let origin: FuzzOrigin
  /// The number of transitions before the finding, in its batch and in earlier generations.
  let transitions: Int
  /// The reason why the log may not be minimal; `nil` if it is.
  var shortfall: Shortfall?

  /// The kind of fault.
  enum Fault: Sendable {
    case violation(SearchJudge.Violation)
    /// Replays differ from each other, for these reasons.
    case unstable([UnstablePath.DifferenceReason])
  }

  /// The reason why a finding was not minimized.
  enum Shortfall: String, Sendable {
    case time
    case interruption
    case failure
    /// Each candidate would take the maximum time of a replay.
    case hang
  }

  /// Creates a finding before it is minimized.
  init(_ found: FuzzAnswer.FoundSequence, _ symptom: Symptom) {
    self.symptom = symptom
    fault = .violation(found.violation)
    events = found.events
    actions = (events.actionsFromOutside, events.actionsFromOutside)
    origin = found.origin
    transitions = found.transitions
  }

  /// Creates a finding for a path at which replays differ.
  init(_ place: UnstablePath, _ events: [LogEvent], origin: FuzzOrigin, transitions: Int) {
    symptom = Symptom(place)
    fault = .unstable(place.reasons)
    self.events = events
    actions = (events.actionsFromOutside, events.actionsFromOutside)
    self.origin = origin
    self.transitions = transitions
  }
}

extension Symptom {
  /// Creates the symptom for a path at which replays differ.
  init(_ place: UnstablePath) {
    let pointer = try? JSON.Pointer(parsing: place.key.anyID.path)
    let path =
      switch place.aspect {
      case .difference(.state) where pointer?.tokens.isEmpty == false:
        Notation().pathText(ofAnyElement: pointer ?? JSON.Pointer())
      // The subject is omitted, because it names actions of one log.
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
  /// The number of actions that the reducer didn't send itself.
  fileprivate var actionsFromOutside: Int {
    count { if case .action(let action) = $0 { !action.origin.isReentrant } else { false } }
  }
}

extension SearchJudge.Violation {
  /// Returns the identity of a fault before it is minimized.
  ///
  /// For a trap, it includes the case of the action.
  func kind(endingWith action: JSON?) -> String {
    guard case .trap = self else { return "\(JSON.object(json))" }
    return "\(JSON.object(json)) \(action?.caseNames.joined(separator: ".") ?? "")"
  }
}

extension LogEvent.Origin {
  fileprivate var isReentrant: Bool { if case .reentrant = self { true } else { false } }
}
