import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// The report of a fuzzer, as text and as JSON.
struct FuzzReport {
  let feature: String
  let logs: Int
  let seed: UInt64
  let result: Fuzzer.Result
  /// The logs that were written, one for each finding, or none.
  let files: [String]

  func text(_ style: Style) -> String {
    var lines = [style.bold(Wording.fuzzed(feature, logs, result))]
    for (index, finding) in result.findings.enumerated() {
      lines += ["", "  " + Wording.found(finding)]
      for case .action(let action) in finding.events {
        lines.append(
          "    \(Wording.wasAction(action.seq))  \(style.notation.action(action.action))"
        )
      }
      if index < files.count { lines.append("    " + Wording.wroteFinding(files[index])) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    var object: JSON.Object = [
      "feature": .string(feature), "logs": .number(JSON.Number(logs)),
      "seed": .number(JSON.Number(seed)), "runs": .number(JSON.Number(result.runs)),
      "transitions": .number(JSON.Number(result.transitions)),
      "covered": .number(JSON.Number(result.covered)),
      "coveredByLogs": .number(JSON.Number(result.seeded)),
      "unconfirmed": .number(JSON.Number(result.unconfirmed)),
    ]
    object["findings"] = .array(
      result.findings.enumerated()
        .map { index, finding in
          var object: JSON.Object = [
            "kind": .string(finding.symptom.kind),
            "fingerprint": .string(finding.symptom.fingerprint),
            "text": .string(finding.symptom.text),
            "actions": .number(JSON.Number(finding.actions.now)),
            "runs": .number(JSON.Number(finding.runs)),
            "transitions": .number(JSON.Number(finding.transitions)),
          ]
          if index < files.count { object["log"] = .string(files[index]) }
          return .object(object)
        }
    )
    if result.isTimeUp { object["endedBy"] = "for" }
    if result.interruption != nil { object["isPartial"] = true }
    return .object(object)
  }
}

/// The words of `fuzz`.
extension Wording {
  static func fuzzing(_ runs: Int, _ findings: Int) -> String {
    "\(runs) sequences, \(faults(findings))"
  }

  private static func faults(_ count: Int) -> String {
    switch count {
    case 0: "no fault"
    case 1: "1 fault"
    default: "\(count) faults"
    }
  }

  static func fuzzed(_ feature: String, _ logs: Int, _ result: Fuzzer.Result) -> String {
    let corpus = logs == 1 ? "1 log" : "\(logs) logs"
    let end = result.interruption.map { "; interrupted by \(SignalName.of($0))" } ?? ""
    return
      "\(feature): \(faults(result.findings.count)) in \(result.runs) sequences out of \(corpus),"
      + " \(result.transitions) transitions; \(result.covered) cases and shapes covered, \(result.seeded) by the logs\(end)"
  }

  static func found(_ finding: Fuzzer.Finding) -> String {
    let actions = finding.actions.now == 1 ? "1 action" : "\(finding.actions.now) actions"
    return "\(finding.symptom.text), with \(actions) from outside, after \(finding.runs) sequences"
      + " (\(finding.symptom.fingerprint))"
  }

  static func wroteFinding(_ path: String) -> String { "The log is in \(path), a test beside it." }

  static func describe(_ failure: Fuzzer.Failure) -> String {
    switch failure {
    case .impossible(.notServed):
      "the host does not search in memory, which 'fuzz' needs; build it with this version of the library"
    case .impossible(.feature(.notSupported)):
      "the host's engine takes no snapshots, which 'fuzz' needs"
    case .impossible(.feature(.object(let type))):
      "the state holds \(type), which a copy of the state shares, so 'fuzz' cannot go back; hold values instead"
    case .impossible(.differs):
      "the logs cannot be replayed in memory; 'run' shows what is wrong with them"
    }
  }
}
