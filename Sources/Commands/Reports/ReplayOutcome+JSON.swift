import ActionLog
import ReplayEngine

extension ReplayOutcome {
  /// The verdict or the failure as JSON.
  package var json: JSON {
    switch self {
    case .verdict(let result):
      guard var object = result.verdict.json.object else { return .null }
      object["actions"] = .number(JSON.Number(result.seq))
      object["line"] = result.line.map { .number(JSON.Number($0)) }
      if !result.causes.isEmpty { object["causes"] = .array(result.causes.map(\.json)) }
      if !result.further.isEmpty { object["further"] = .array(result.further.map(\.json)) }
      object["unreadable"] = result.unreadable.map { .string("\($0)") }
      if !result.notCompared.isEmpty {
        object["notCompared"] = .array(result.notCompared.map(\.json))
      }
      if !result.notReadBack.isEmpty {
        object["notReadBack"] = .array(result.notReadBack.map(\.json))
      }
      if !result.notes.isEmpty {
        object["notes"] = .array(result.notes.map { .string(Wording.noteText($0)) })
      }
      return .object(object)
    case .failure(let error):
      return ["verdict": .string(Self.failureName(error)), "message": .string("\(error)")]
    }
  }

  /// Returns the name of a failure's kind, for reports that contain it.
  package static func failureName(_ error: any Error) -> String {
    switch ExitStatus(error) {
    case .unreadable: "unreadable"
    case .noInput: "missing"
    default: "failed"
    }
  }
}

extension ReplayCheck.LaterVerdict {
  fileprivate var json: JSON {
    var object = verdict.json.object ?? JSON.Object()
    object["line"] = line.map { .number(JSON.Number($0)) }
    if !causes.isEmpty { object["causes"] = .array(causes.map(\.json)) }
    return .object(object)
  }
}
