import ActionLog
import ReplayCommands
import ReplayEngine

/// A fault that the search found, with a log that shows it.
///
/// Unless there is a shortfall, the log is minimal.
struct FuzzFinding: Sendable {
  var symptom: Symptom
  let fault: Fault
  /// The events of the log, written by a replay or, if the fault was not replayed, by the search.
  var events: [LogEvent]
  /// The number of actions from outside in the log, and in the sequence that the search found.
  var actions: (now: Int, found: Int)
  let origin: FuzzSequenceOrigin
  /// The number of transitions before the fault was found, from the start of the search.
  let transitions: Int
  /// The reason why the log might not be minimal, or `nil` if it is minimal.
  var shortfall: EarlyStopReason?

  /// The kind of a fault.
  enum Fault: Sendable {
    case violation(SearchJudge.Violation)
    /// Replays differ from each other, for one of these reasons.
    case unstable([UnstablePath.DifferenceReason])
  }

  /// The reason why a log was not minimized completely.
  enum EarlyStopReason: String, Sendable {
    case time
    case interruption
    case failure
    /// The reducer does not return, and replaying each candidate would take until the timeout.
    case hang
  }

  /// Creates a finding for a violation, with the log that the search wrote.
  init(_ found: FuzzResponse.ViolatingSequence, _ symptom: Symptom) {
    self.symptom = symptom
    fault = .violation(found.violation)
    events = found.events
    let count = CausalLog(events).units.count
    actions = (count, count)
    origin = found.origin
    transitions = found.transitions
  }

  /// Creates a finding for a path at which replays differ.
  init(_ place: UnstablePath, _ events: [LogEvent], origin: FuzzSequenceOrigin, transitions: Int) {
    symptom = Symptom(place)
    fault = .unstable(place.reasons)
    self.events = events
    let count = CausalLog(events).units.count
    actions = (count, count)
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
      // The subject names an action of one log, so it is replaced by a general name.
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

extension SearchJudge.Violation {
  /// Returns a string that identifies the fault before its log is minimized.
  ///
  /// The string for a trap includes the case of the last action.
  func kind(endingWith action: JSON?) -> String {
    guard case .trap = self else { return "\(JSON.object(json))" }
    return "\(JSON.object(json)) \(action?.caseNames.joined(separator: ".") ?? "")"
  }
}
