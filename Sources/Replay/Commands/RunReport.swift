import ActionLog

/// What `run` has to say of one log.
struct RunReport {
  /// The log.
  let name: String
  let outcome: Outcome
  var expectation: Expectation?

  enum Outcome {
    case verdict(LogCheck.Result)
    case failure(any Error)
  }

  /// The verdict, or the failure, as a JSON object.
  var json: JSON {
    switch outcome {
    case .verdict(let result):
      guard var object = result.verdict.json.object else { return .null }
      object["actions"] = .number(JSON.Number(result.seq))
      return .object(object)
    case .failure(let error):
      let name =
        switch ExitStatus(error) {
        case .unreadable: "unreadable"
        case .noInput: "missing"
        default: "failed"
        }
      return ["verdict": .string(name), "message": .string("\(error)")]
    }
  }

  /// What was expected and not found, in words.
  var disappointments: [String] { expectation?.disappointments(json) ?? [] }

  /// What this log contributes to the status of the command.
  var status: ExitStatus {
    if expectation != nil, disappointments.isEmpty { return .same }
    switch outcome {
    case .verdict(let result):
      return expectation == nil && result.verdict.isSame ? .same : .different
    case .failure(let error): return ExitStatus(error)
    }
  }

  /// The reports as one JSON document.
  static func document(_ reports: [RunReport]) -> JSON {
    let logs = reports.map { report -> JSON in
      var object: JSON.Object = ["log": .string(report.name)]
      for (name, value) in report.json.object ?? [:] { object[name] = value }
      object["status"] = .number(JSON.Number(report.status.rawValue))
      if report.expectation != nil {
        object["unexpected"] = .array(report.disappointments.map(JSON.string))
      }
      return .object(object)
    }
    let same = reports.count { $0.status == .same }
    return [
      "logs": .array(logs), "well": .number(JSON.Number(same)),
      "notWell": .number(JSON.Number(reports.count - same)),
    ]
  }
}

/// A report for people to read.
struct RunReportText {
  var style = Style.plain

  func text(_ report: RunReport, hasDetails: Bool) -> String {
    let verdicts = VerdictText(style: style)
    var lines: [String]
    switch report.outcome {
    case .verdict(let result):
      lines = ["\(report.name): \(verdicts.line(result.verdict, through: result.seq))"]
      if result.unknown > 0 { lines.append("  \(Wording.skipped(result.unknown))") }
      if hasDetails, report.status != .same {
        let details = verdicts.details(result.verdict)
        if !details.isEmpty { lines += [""] + details.map { $0.isEmpty ? "" : "  \($0)" } + [""] }
      }
    case .failure(let error): lines = ["\(report.name): \(style.bold("\(error)"))"]
    }
    lines += report.disappointments.map { "  \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }
}
