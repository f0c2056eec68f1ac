import ActionLog
import ReplayCommands
import ReplayEngine

/// A writer that formats the reports of a run as one JSON document, which is written log by log.
struct RunJSON: RunWriter {
  private var isFirst = true

  mutating func text(_ report: LogRunReport) -> String {
    var object: JSON.Object = ["log": .string(report.name)]
    for (name, value) in report.json.object ?? [:] { object[name] = value }
    object["status"] = .number(JSON.Number(report.status.rawValue))
    if !report.hostOutput.isEmpty {
      object["hostOutput"] = .string(report.hostOutput.joined(separator: "\n"))
    }
    if report.expectation != nil {
      object["unexpected"] = .array(report.mismatches.map(JSON.string))
    }
    switch report.acceptance {
    case nil: break
    case .accepted(let pruned):
      object["accepted"] = true
      if !pruned.isEmpty {
        object["leftOut"] = .array(pruned.map { .number(JSON.Number($0.seq)) })
      }
    case .refused(let reason):
      object["accepted"] = false
      object["reason"] = .string(reason)
    }
    return (opening + "\(JSON.object(object))").visibleJSON
  }

  mutating func closing(_ summary: RunSummary) -> String {
    let members = summary.json.map { "\(JSON.string($0.key)):\($0.value)" }
    return ((isFirst ? opening : "") + "],\(members.joined(separator: ","))}\n").visibleJSON
  }

  private var opening: String {
    mutating get {
      defer { isFirst = false }
      return isFirst ? #"{"logs":["# : ","
    }
  }
}
