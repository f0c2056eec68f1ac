import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Formats the result of a search as text and as JSON.
struct FuzzReport {
  let feature: String
  /// The names of the logs in the corpus.
  let logs: [String]
  let seed: UInt64
  let result: Fuzzer.Result
  /// The paths of the logs that were written, in the order of the findings.
  let files: [String]

  func text(_ style: Style) -> String {
    var lines = [style.bold(Wording.fuzzed(feature, logs.count, result))]
    if let obstacle = result.obstacle { lines.append(style.wrapped(Wording.startedOver(obstacle))) }
    if let unread = result.unread {
      lines.append(Wording.leftOut(result.unreadCount, unread, in: logs[unread.log]))
    }
    if !result.stability.isSeeded, result.findings.contains(where: { !$0.reasons.isEmpty }) {
      lines.append(Wording.seedsAreDrawn)
    }
    for (index, finding) in result.findings.enumerated() {
      lines += ["", style.wrapped("  " + Wording.found(finding))]
      lines += finding.issueText.map { line in
        line.isEmpty ? "" : style.wrapped("    \(line)", indent: "      ")
      }
      for case .action(let action) in finding.events {
        lines.append(
          "    \(Wording.wasAction(action.seq))  \(style.notation.action(action.action))"
        )
      }
      lines += finding.reasons.map {
        style.wrapped("    " + Wording.describe($0), indent: "      ")
      }
      if index < files.count {
        lines.append(style.wrapped("    " + Wording.wroteFinding(files[index]), indent: "      "))
      }
    }
    lines += Wording.unfinished(result.stability)
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    var object: JSON.Object = [
      "feature": .string(feature), "logs": .number(JSON.Number(logs.count)),
      "seed": .number(JSON.Number(seed)), "runs": .number(JSON.Number(result.runs)),
      "transitions": .number(JSON.Number(result.transitions)),
      "covered": .number(JSON.Number(result.covered)),
      "coveredByLogs": .number(JSON.Number(result.seeded)),
      "unconfirmed": .number(JSON.Number(result.unconfirmed)),
      "unreadActions": .number(JSON.Number(result.unreadCount)),
    ]
    object["findings"] = .array(
      result.findings.enumerated()
        .map { index, finding in
          var object: JSON.Object = [
            "kind": .string(finding.symptom.kind),
            "fingerprint": .string(finding.symptom.fingerprint),
            "text": .string(finding.symptom.text),
            "actions": .number(JSON.Number(finding.actions.now)),
            "isMinimal": .bool(finding.shortfall == nil),
            "isInLog": .bool(finding.origin == .log),
            "runs": .number(JSON.Number(finding.origin.runs)),
            "transitions": .number(JSON.Number(finding.transitions)),
          ]
          object["message"] = finding.issue?.message.map(JSON.string)
          if !finding.reasons.isEmpty {
            object["reasons"] = .array(finding.reasons.map { .string($0.rawValue) })
          }
          if index < files.count { object["log"] = .string(files[index]) }
          return .object(object)
        }
    )
    object["startedOver"] = result.obstacle.map(\.json)
    object["stability"] = result.stability.json
    if let failure = result.failure { object["failure"] = .string("\(failure)") }
    if result.isTimeUp { object["endedBy"] = "budget" }
    if result.interruption != nil || result.failure != nil { object["isPartial"] = true }
    return .object(object)
  }
}

extension SnapshotObstacle {
  /// The type that copies of the state share, if it is known.
  fileprivate var json: JSON {
    switch self {
    case .notSupported: [:]
    case .object(let type): ["type": .string(type)]
    }
  }
}

extension FuzzFinding {
  /// The last `finding` event for the issue that the feature reported, or `nil` for other faults.
  fileprivate var issue: LogEvent.Finding? {
    guard case .violation(.fault(let fault)) = fault, fault.code == .runtimeIssue else {
      return nil
    }
    let findings = events.compactMap { event -> LogEvent.Finding? in
      if case .finding(let finding) = event { finding } else { nil }
    }
    return findings.last { EventReplayer.OrderIndependentFinding($0) == fault }
  }

  /// The message of the issue, as lines.
  fileprivate var issueText: [String] { issue?.message.map(Notation.visibleLines) ?? [] }

  /// The reasons why replays differ; empty for other faults.
  fileprivate var reasons: [UnstablePath.DifferenceReason] {
    if case .unstable(let reasons) = fault { reasons } else { [] }
  }
}

extension StabilityCheckSummary {
  fileprivate var json: JSON {
    var object: JSON.Object = [
      "sequences": .number(JSON.Number(sequences)), "isSeeded": .bool(isSeeded),
      "leftOut": .number(JSON.Number(leftOut)),
    ]
    object["endedBy"] = shortfall.map { .string($0.rawValue) }
    return .object(object)
  }
}

/// The messages and report lines of the `fuzz` command.
extension Wording {
  static func fuzzing(_ runs: Int, _ findings: Int) -> String {
    "\(counted(runs, "sequence")), \(faults(findings))"
  }

  static func startedOver(_ obstacle: SnapshotObstacle) -> String {
    let reason =
      switch obstacle {
      case .notSupported: "the host's engine takes no snapshots"
      case .object(let type): "the state holds \(type), which a copy of the state shares"
      }
    return "Runs went back to a state by starting over, which takes longer: \(reason)."
  }

  private static func faults(_ count: Int) -> String {
    count == 0 ? "no fault" : counted(count, "fault")
  }

  static func fuzzed(_ feature: String, _ logs: Int, _ result: Fuzzer.Result) -> String {
    var end = result.interruption.map { "; interrupted by \(SignalName.of($0))" } ?? ""
    if result.failure != nil { end += "; a failure of the host ended the search" }
    return
      "\(feature): \(faults(result.findings.count)) in \(counted(result.runs, "sequence")) out of \(counted(logs, "log")),"
      + " \(counted(result.transitions, "transition")); \(result.covered) cases and shapes covered, \(result.seeded) by the logs\(end)"
  }

  static func found(_ finding: FuzzFinding) -> String {
    let place =
      switch finding.origin {
      case .log: "in a log of the corpus"
      case .actionsOfLog: "in the actions of a log, which lead to other states than in the log"
      case .made(let runs), .madeBefore(let runs): "after \(counted(runs, "sequence"))"
      }
    return "\(finding.symptom.text), with \(actions(finding.actions.now)) from outside, \(place)"
      + " (\(finding.symptom.fingerprint))\(finding.shortfall.map(shortfall) ?? "")"
  }

  private static func shortfall(_ shortfall: FuzzFinding.EarlyStopReason) -> String {
    switch shortfall {
    case .time: "; fewer may do, but the time for minimizing was up"
    case .interruption: "; not minimized, because of the interruption"
    case .failure: "; not minimized, because the host failed"
    case .hang: "; not minimized, because each replay takes that long"
    }
  }

  /// Returns lines that say which parts of the stability check were not completed.
  static func unfinished(_ stability: StabilityCheckSummary) -> [String] {
    var lines: [String] = []
    if let shortfall = stability.shortfall {
      let work =
        stability.sequences == 0
        ? "Values that differ from replay to replay were not looked for"
        : "The search for values that differ from replay to replay was not finished"
      let reason =
        switch shortfall {
        case .time: "the time was up"
        case .interruption: "of the interruption"
        case .failure, .hang: "the host failed"
        }
      lines.append("\(work), because \(reason).")
    }
    if stability.leftOut > 0 {
      let places = stability.leftOut == 1 ? "1 place differs" : "\(stability.leftOut) places differ"
      lines.append("\(places) from replay to replay besides; remove the faults above first.")
    }
    return lines.isEmpty ? [] : [""] + lines
  }

  static func hangs(_ seconds: Double, _ action: String) -> String {
    "does not return within \(number(seconds)) s, action \(action)"
  }

  static func leftOut(
    _ count: Int,
    _ unread: FuzzResponse.UndecodableAction,
    in log: String
  ) -> String {
    (count == 1 ? "1 action of the logs was" : "\(count) actions of the logs were")
      + " left out, because the code does not read \(count == 1 ? "it" : "them"): \(wasAction(unread.seq)) of \(log)"
      + "\(count == 1 ? "" : " is the first"); \(unread.reason)"
  }

  /// The name for a trap that occurs only in some replays.
  static let aTrap = "a trap"

  static func wroteFinding(_ path: String) -> String { "The log is in \(path), a test beside it." }

  static func describe(_ failure: Fuzzer.FuzzingObstacle) -> String {
    switch failure {
    case .impossible(.notServed):
      "the host does not search in memory, which 'fuzz' needs; build it with this version of the library"
    case .unread(let log, let unread):
      "\(log): the code reads no action of the logs; \(wasAction(unread.seq)) is the first: \(unread.reason)"
    case .silent(let seconds, let action):
      "the host did not answer for \(number(seconds)) s while it searched\(action.map { ", in a sequence that ends with \($0)" } ?? "")"
        + " and was killed; --timeout SECONDS gives it more time"
    // A host that can't restore the feature starts over instead.
    case .impossible(.differs), .impossible(.feature):
      "the logs cannot be replayed in memory; 'run' shows what is wrong with them"
    }
  }
}
