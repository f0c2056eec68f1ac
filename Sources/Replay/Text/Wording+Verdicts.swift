import ActionLog

/// Messages about verdicts and differences.
extension Wording {
  package static func line(
    _ verdict: Verdict,
    through seq: Int,
    _ notation: Notation = Notation()
  ) -> String {
    switch verdict {
    case .identical: seq == 0 ? "identical, without actions" : "identical, through action \(seq)"
    case .cut(let at):
      at == 0 ? "cut before the first action" : "cut after action \(at), the same as far as it goes"
    case .trapReproduced(let at, let signal): "trap reproduced at action \(at) (\(signal))"
    case .trapGone(let at): "trap gone: action \(at) trapped before and does not now"
    case .trapped(let at, let signal):
      "trapped at action \(at) (\(signal)), which the recorded app survived"
    case .diverged(let divergence):
      "diverged at action \(divergence.at): \(name(divergence.cause))\(places(divergence, notation))"
        + (divergence.cause == .opaque ? lowConfidence : "")
    case .undecodable(let value):
      "undecodable at \(positionText(value)): \(Notation.visible(value.message))"
    case .notReplayable(let value):
      "not replayable at \(positionText(value)): \(Notation.visible(value.message))"
    }
  }

  private static let lowConfidence = " (low confidence: its renderings differ)"

  private static func positionText(_ value: Verdict.UnusableValue) -> String {
    value.at == 0 ? "the first checkpoint" : "action \(value.at)"
  }

  private static func places(_ divergence: Verdict.Divergence, _ notation: Notation) -> String {
    guard divergence.cause != .sequence else { return "" }
    let differences = divergence.differences.filter {
      $0.cause == divergence.cause && !$0.path.isEmpty
    }
    guard let first = differences.first else { return "" }
    let place = first.member == nil ? self.locationText(first, notation, isShort: true) : first.path
    return differences.count == 1 ? " \(place)" : " \(place) and \(differences.count - 1) more"
  }

  package static func name(_ cause: LogDifference.Cause) -> String {
    switch cause {
    case .state: "state"
    case .effects: "effects"
    case .reads: "reads"
    case .producedAction: "produced action"
    case .action: "action"
    case .origin: "origin"
    case .deadEffect: "dead effect"
    case .sequence: "log sequence"
    case .schemaDrift: "schema drift"
    case .undecodable: "undecodable"
    case .notReplayable: "not replayable"
    case .opaque: "opaque value"
    }
  }

  /// Returns the suffix of a verdict that lists the values that were not compared.
  ///
  /// The suffix omits parts of effects that the library does not expose, which are reported once for all logs.
  package static func notCompared(
    _ values: [UncomparedValue],
    _ notation: Notation = Notation()
  ) -> String {
    let values = values.filter { !$0.isOfModel }
    return values.isEmpty ? "" : "; not compared: \(UncomparedValue.list(values, notation))"
  }

  /// Returns notes with code that the user can add, so that values can be compared and errors can be decoded.
  static func remedies(_ result: ReplayCheck.Result, _ notation: Notation) -> [String] {
    var seen: Set<String> = []
    // If no part of the state was compared, even an identical verdict proves little.
    let values = result.notCompared.filter {
      $0.reason == nil && $0.part != .effects
        && (!result.isSame || $0.part == .state && $0.place.tokens.isEmpty)
    }
    return (values + result.notReadBack).compactMap { value in
      guard seen.insert(value.remedy(result.remedies)).inserted, seen.count <= mostRemedies else {
        return nil
      }
      return value.kind == .error
        ? "note: \(value.text(notation)) reads back as LoggedError: \(value.remedy())"
        : "note: \(value.remedy(result.remedies))"
    }
  }

  /// The maximum number of suggestions.
  ///
  /// After the user has added these, the next run shows further ones.
  private static let mostRemedies = 6

  /// Returns text that locates a difference.
  ///
  /// - Parameters:
  ///   - difference: The difference to locate.
  ///   - notation: The notation in which paths are written.
  ///   - isShort: Whether the caller prints the cause before the location.
  /// - Returns: The path, or the name of the effect or read.
  package static func locationText(
    _ difference: LogDifference,
    _ notation: Notation,
    isShort: Bool = false
  ) -> String {
    switch (difference.cause, difference.member) {
    case (.state, _) where difference.subject.isEmpty: return wholeState
    // If one read replaced another, the expected and the actual value already contain the keys.
    case (.reads, _) where !isShort && isReadInPlaceOfAnother(difference): return ""
    case (.opaque, let member?): return "effect \(difference.subject): \(member)"
    case (.effects, let member?):
      return "effect \(locationText(difference.subject, notation)): \(member)"
    case (.effects, nil), (.deadEffect, _):
      let name = name(ofEffect: difference, notation) + absence(of: difference)
      return isShort ? name : "effect \(name)"
    default:
      if !notation.isRaw, let place = difference.places.place, !difference.subject.isEmpty {
        return place.isEmpty ? wholeState : place
      }
      return locationText(difference.subject, notation)
    }
  }

  /// Returns whether the expected and the actual value are the keys of different reads, instead of values of one read.
  private static func isReadInPlaceOfAnother(_ difference: LogDifference) -> Bool {
    difference.actual?.string == difference.subject
  }

  /// Returns ` missing` if the replay lacks an effect, ` added` if the recording lacks it, or else an empty string.
  private static func absence(of difference: LogDifference) -> String {
    guard difference.cause == .effects else { return "" }
    if difference.actual == nil { return " missing" }
    return difference.expected == nil ? " added" : ""
  }

  /// Returns the ID of an effect, or a short description if the effect has no ID.
  private static func name(ofEffect difference: LogDifference, _ notation: Notation) -> String {
    guard !notation.isRaw, difference.subject.hasPrefix("/"),
      let value = difference.expected ?? difference.actual,
      let effect = try? EffectDescription(JSONText(value)),
      let own = effect.own.flatMap(\.flattened).first(where: \.effects.isEmpty)
    else { return difference.subject }
    if let id = own.id { return id.description }
    guard let id = own.cancelID else { return own.operation.rawValue }
    return "\(own.operation.rawValue) \(notation.cancelID(id))"
  }

  /// Formats a subject that is a JSON Pointer as a path, and returns other subjects unchanged.
  package static func locationText(_ subject: String, _ notation: Notation) -> String {
    guard subject.hasPrefix("/"), let pointer = try? JSON.Pointer(parsing: subject) else {
      return Notation.visible(subject)
    }
    return notation.pathText(pointer)
  }

  package static func movedTo(_ difference: LogDifference, _ notation: Notation) -> String? {
    guard let place = difference.movedTo else { return nil }
    return notation.isRaw ? place : difference.places.movedTo ?? self.locationText(place, notation)
  }

  /// Returns lines that show an expected or actual value, with several lines for an effect with parts.
  package static func lines(
    _ value: JSON,
    of difference: LogDifference,
    _ notation: Notation
  ) -> [String] {
    guard !notation.isRaw else { return [notation.value(value)] }
    if let name = difference.places.changedCase {
      return [notation.value(.object([name: value]))]
    }
    switch (difference.cause, difference.member) {
    case (.effects, nil):
      guard let effect = try? EffectDescription(JSONText(value)) else { break }
      let own = effect.own
      return (own.isEmpty ? [effect] : own).flatMap { $0.lines(indent: "", notation) }
    case (.effects, "cancelID"):
      guard let id = EffectDescription.CancelID(json: value) else { break }
      return [notation.cancelID(id) + path(id, notation)]
    case (.effects, "action"): return [notation.action(value)]
    case (.action, _) where difference.subject.isEmpty,
      (.producedAction, _) where difference.subject.isEmpty:
      return [notation.action(value)]
    case (.reads, _):
      if isReadInPlaceOfAnother(difference), let key = value.string {
        return ["read \(Notation.visible(key))"]
      }
      guard let key = value["key"]?.string, let read = value["value"] else { break }
      return ["\(Notation.visible(key))  \(notation.value(read))"]
    default: break
    }
    return [notation.value(value)]
  }

  /// Returns text with the path of the feature that created a cancellation ID, or an empty string for the root feature.
  private static func path(_ id: EffectDescription.CancelID, _ notation: Notation) -> String {
    id.path.isEmpty ? "" : " at \(id.path.map { notation.value($0) }.joined(separator: ", "))"
  }

  package static let wholeState = "the whole state"

  package static func moved(to place: String) -> String { "moved to \(place)" }

  package static func more(_ count: Int) -> String {
    "… and \(count) more; --format json has them all"
  }

  package static func legend(first: String, second: String) -> String {
    "− \(Notation.visible(first)), + \(Notation.visible(second))"
  }

  static func outOfStep(expected: String, found: String) -> String {
    "expected \(expected), found \(found)"
  }

  static func actionNotInLog(_ seq: Int) -> String {
    seq == 0 ? "before the first action" : "action \(seq), which the log does not have"
  }

  /// Returns text that names the sender of an action.
  package static func origin(_ origin: LogEvent.Origin, of seq: Int?) -> String {
    switch origin {
    case .view: "sent by the view"
    case .parent: "sent by an effect of a reducer around the feature"
    case .effect(let id, let via):
      "sent by effect \(id)\(via.map { " through \(Notation.visible($0))" } ?? "")"
        + (seq.map { " of action \($0)" } ?? ", which was started before the log")
    case .reentrant(let seq): "sent while action \(seq) was handled"
    }
  }

  package static func masked(_ message: String) -> String {
    "\(message); what stands there was masked, so a replay cannot have it"
  }

  static let recordedReads = "recorded reads"

  static let recordedEffects = "recorded effects"

  package static func andMore(_ count: Int) -> String { " and \(count) more" }

  package static func noteText(_ finding: LogEvent.Finding) -> String {
    let message = finding.message ?? finding.code.rawValue
    return finding.subject.isEmpty ? "note: \(message)" : "note: \(finding.subject): \(message)"
  }

  /// Returns a finding as a note, with its path in the given notation.
  package static func noteText(_ finding: LogEvent.Finding, _ notation: Notation) -> String {
    let message = Notation.visible(finding.message ?? finding.code.rawValue)
    guard !finding.subject.isEmpty else { return "note: \(message)" }
    return "note: \(locationText(finding.subject, notation)): \(message)"
  }

  package static func further(_ count: Int) -> String {
    count == 0 ? "" : ", and \(count) more after it"
  }

  static func unreadableRest(_ error: LogReadError?) -> String {
    error.map { "; the rest cannot be read: \($0)" } ?? ""
  }

  package static func resynced(_ seq: Int) -> String {
    "the replay went on from the recorded state after action \(seq)"
  }

  package static func skipped(_ count: Int) -> String {
    count == 1
      ? "1 event of a kind that this version does not know was left out"
      : "\(count) events of kinds that this version does not know were left out"
  }

  package static func title(_ effect: EffectDescription, _ notation: Notation) -> String {
    var text = "effect \(effect.id.map { "\($0) " } ?? "")\(effect.operation.rawValue)"
    if let name = effect.name { text += " '\(Notation.visible(name))'" }
    if let id = effect.cancelID { text += " id \(notation.cancelID(id))" }
    if effect.cancelInFlight { text += " canceling what is in flight" }
    if let action = effect.action { text += "  \(notation.action(action))" }
    if let input = effect.input { text += "  input \(notation.value(input))" }
    return effect.isInternal ? text + " (of the library)" : text
  }
}
