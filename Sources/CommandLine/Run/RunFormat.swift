import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The format in which `run` writes its reports.
enum RunFormat: String, CaseIterable, Sendable {
  case text, json, junit, github

  func writer(
    style: Style,
    hasDetails: Bool,
    host: String,
    isVerbose: Bool
  ) -> any RunWriter {
    switch self {
    case .text: RunText(style: style, hasDetails: hasDetails, host: host, isVerbose: isVerbose)
    case .json: RunJSON()
    case .junit: RunJUnit(style: style.withoutColor)
    case .github: RunGitHub(style: style.withoutColor)
    }
  }
}

/// Writes the reports of a run, one after the other.
protocol RunWriter {
  /// The text for a log.
  mutating func text(_ report: RunReport) -> String
  /// The text at the end.
  mutating func closing(_ summary: RunSummary) -> String
}

/// The reports of a run as text.
struct RunText: RunWriter {
  var style = Style.plain
  /// Whether the details of differences are shown.
  let hasDetails: Bool
  /// The host, when its output is shown.
  private let host: String?
  /// Whether all of the host's output is shown.
  private let isVerbose: Bool
  /// Whether details were left out.
  private var isHiding = false

  init(
    style: Style = .plain,
    hasDetails: Bool,
    host: String? = nil,
    isVerbose: Bool = false
  ) {
    self.style = style
    self.hasDetails = hasDetails
    self.host = host
    self.isVerbose = isVerbose
  }

  mutating func text(_ report: RunReport) -> String {
    let outcome = report.outcome.line(style.notation)
    let line = report.status == .same ? outcome : style.bold(outcome)
    var details = report.outcome.details(style: style)
    if report.acceptance == nil, !hasDetails || report.status == .same {
      if report.status != .same, !details.isEmpty { isHiding = true }
      details = []
    }
    var remarks = report.remarks(style.notation)
    if let host, hasDetails || report.isHostLost {
      remarks += HostOutputText(host: host).lines(report.hostOutput, isVerbose: isVerbose)
    }
    return style.fitted(
      ReplayOutcome.text(of: report.name, line, details: details, remarks: remarks)
    )
  }

  func closing(_ summary: RunSummary) -> String {
    guard summary.logs + summary.notReplayed > 1 || summary.interruption != nil else { return "" }
    var lines = [Wording.summary(summary)] + Self.groups(summary)
    if isHiding { lines.append("  \(Wording.moreWithVerbose)") }
    return style.fitted(lines.joined(separator: "\n") + "\n")
  }

  /// The groups, when they add to the lines before them.
  static func groups(_ summary: RunSummary) -> [String] {
    guard summary.groups.count < summary.failed else { return [] }
    return summary.largestGroups.flatMap { group -> [String] in
      let rest = group.count - group.logs.count
      let names = group.logs.joined(separator: ", ") + (rest > 0 ? Wording.andMore(rest) : "")
      return ["  \(group.count) × \(group.text)", "      \(names)"]
    }
  }
}

/// The reports of a run as one JSON document, written log by log.
struct RunJSON: RunWriter {
  private var isFirst = true

  mutating func text(_ report: RunReport) -> String {
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
    return opening + "\(JSON.object(object))"
  }

  mutating func closing(_ summary: RunSummary) -> String {
    let members = summary.json.map { "\(JSON.string($0.key)):\($0.value)" }
    return (isFirst ? opening : "") + "],\(members.joined(separator: ","))}\n"
  }

  private var opening: String {
    mutating get {
      defer { isFirst = false }
      return isFirst ? #"{"logs":["# : ","
    }
  }
}
