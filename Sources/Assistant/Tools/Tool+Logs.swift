import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

extension Tool {
  static let listLogs = Tool(
    name: "list_logs",
    title: "List logs",
    description:
      "Lists the action logs in the folders of this server: recordings of what users did in an app. Call this first.",
    worker: .lookup,
    input: [.cursor],
    output: [
      .required(
        "logs",
        .list(
          "",
          of: .object(
            "",
            [
              .required("log", .text("the log's name, as other tools take it")),
              .required("bytes", .integer("")), .optional("feature", .data("")),
              .optional("startedAt", .data("")), .optional("app", .data("")),
              .optional("problem", .data("why the log cannot be read")),
            ]
          )
        )
      ),
      .nextCursor,
    ]
  ) { call in
    var answer = call.makeAnswer()
    let listing = call.desk.setup.folders.listing()
    answer.say(Wording.logs(listing.count))
    answer.addList("logs")
    var start = 0
    if let cursor = call.text("cursor") {
      guard let index = listing.firstIndex(where: { $0.name == cursor }) else {
        throw ToolError.badCursor(cursor)
      }
      start = index
    }
    for file in listing[start...] {
      try call.interruption.check()
      let (row, line) = Self.row(file)
      guard answer.addRow(row, to: "logs", quoting: [line]) else {
        answer["cursor"] = .string(file.name)
        answer.say(Wording.moreWithCursor)
        return answer.answer
      }
    }
    if let first = listing.first, listing.count == 1 {
      answer.suggest([SuggestedCall("replay_log", ["log": .string(first.name)], Wording.whyReplay)])
    } else if !listing.isEmpty {
      answer.say(Wording.chooseLog)
    }
    return answer.answer
  }

  private static func row(_ file: LogFolders.ListedFile) -> (JSON.Object, String) {
    var row: JSON.Object = ["log": .string(file.name), "bytes": .int(file.bytes)]
    var line = "\(file.name)  \(file.bytes) bytes"
    do {
      guard let header = try LogSlice(path: file.path, name: file.name).header()
      else { throw LogReadError.empty }
      row["feature"] = .string(String(header.feature.prefix(200)))
      row["startedAt"] = .string(String(header.startedAt.prefix(40)))
      line += "  \(header.feature.prefix(200))  \(header.startedAt.prefix(40))"
      if let version = header.app?["version"]?.string {
        row["app"] = .string(String(version.prefix(60)))
        line += "  app \(version.prefix(60))"
      }
    } catch {
      let problem = "\(error)"
      row["problem"] = .string(String(problem.prefix(300)))
      line += "  \(problem.prefix(300))"
    }
    return (row, line)
  }

  static let summarizeLog = Tool(
    name: "summarize_log",
    title: "Summarize a log",
    description:
      "Summarizes what a log contains: its feature, the number of actions, how it ends, its actions and effects, and its problems (failed effects, gaps, an action during which the app ended). Call this before you search a log.",
    worker: .lookup,
    input: [.log],
    output: [
      .logName, .required("feature", .data("")), .required("startedAt", .data("")),
      .required("lastAction", .integer("")), .required("seconds", .number("")),
      .required("ending", .data("how the log ends")),
      .optional("logsInFile", .integer("")),
      .optional("continues", .any("the position in another log from which this log continues")),
      .required(
        "problems",
        .list(
          "",
          of: .object(
            "",
            [
              .required("action", .integer("")), .required("kind", .text("")),
              .required("text", .data("")),
            ]
          )
        )
      ),
      .required("moreProblems", .integer("")),
      .required("alive", .list("effects that are alive at the end", of: .data(""))),
      .required("members", .list("members of the state", of: .data(""))),
      .required("actions", .list("", of: Self.counted)),
      .required("effects", .list("", of: Self.counted)),
      .required("reads", .list("", of: Self.counted)),
      .required("isCut", .flag("whether lists were shortened")),
    ]
  ) { call in
    let log = try call.log()
    let summary: LogSummary = try log.remembering("summary") {
      try LogSummary(log, call)
    }
    return summary.toolAnswer(log, call)
  }

  private static let counted: Schema = .object(
    "",
    [
      .required("name", .data("")), .required("count", .integer("")),
      .optional("failed", .integer("")), .optional("cancelled", .integer("")),
    ]
  )
}

/// The contents of a log, collected in two passes.
private struct LogSummary {
  private let statistics: JSON
  private var problems: [(seq: Int, report: LogStep.ProblemReport)] = []
  private var moreProblems = 0
  private let last: LogStep?
  private let ending: String

  /// The maximum number of listed problems.
  private static let mostProblems = 40
  /// The maximum number of names in a list.
  private static let mostNames = 40

  init(_ log: OpenLog, _ call: ToolCall) throws {
    call.report.show(Wording.counting)
    var isWhole = true
    do {
      statistics = try LogStatistics(of: log.slice, check: { try call.interruption.check() }).json
    } catch is LogReadError {
      // The steps before the damage are still known.
      (statistics, isWhole) = ([:], false)
    }
    var ending = Wording.endsWithoutEnd
    var step = try log.log.first()
    var passed = 0
    while let current = step {
      for problem in LogStep.ProblemKind.allCases {
        guard let report = current.report(of: problem) else { continue }
        if problems.count < Self.mostProblems {
          problems.append((current.seq, report))
        } else {
          moreProblems += 1
        }
      }
      for case .end(let end) in current.events { ending = Wording.ends(end.reason) }
      passed += 1
      if passed % 64 == 0 { try call.interruption.check() }
      if passed % 16384 == 0 { call.report.show(Wording.lookedAt(passed)) }
      step = try log.log.step(after: current.id)
    }
    last = try log.log.last()
    if let damage = log.log.damage {
      ending = "\(damage)"
    } else if !isWhole {
      ending = Wording.damaged
    }
    self.ending = ending
  }

  func toolAnswer(_ log: OpenLog, _ call: ToolCall) -> ToolResult {
    var answer = call.makeAnswer()
    let header = log.log.header
    let seq = last?.seq ?? 0
    answer["log"] = .string(log.name)
    answer["feature"] = .string(String(header.feature.prefix(200)))
    answer["startedAt"] = .string(String(header.startedAt.prefix(40)))
    answer["lastAction"] = .int(seq)
    answer["seconds"] = .seconds(last?.at ?? 0)
    answer["ending"] = .string(String(ending.prefix(400)))
    if log.siblings > 1 { answer["logsInFile"] = .int(log.siblings) }
    answer["continues"] = statistics["continues"]
    answer.say(Wording.holds(seq, problems: problems.count + moreProblems))
    answer.quote([String(Wording.title(header).prefix(400)), String(ending.prefix(400))])
    if log.siblings > 1 { answer.say(Wording.siblings(log.siblings)) }
    var isCut = false
    var more = moreProblems
    answer.addList("problems")
    for (seq, report) in problems {
      let row: JSON.Object = [
        "action": .int(seq), "kind": .string(report.problem.rawValue),
        "text": .string(String(report.text.prefix(240))),
      ]
      let line = "action \(seq)  \(report.problem.rawValue)  \(report.text.prefix(240))"
      if !answer.addRow(row, to: "problems", quoting: [line]) { more += 1 }
    }
    answer["moreProblems"] = .int(more)
    let alive = Self.fitting((last?.alive ?? []).map { "\($0.id) \($0.label)" }, answer.room / 8)
    answer["alive"] = .array(alive.map(JSON.string))
    if !alive.isEmpty { answer.quote(["alive at the end: \(alive.joined(separator: ", "))"]) }
    let members = Self.fitting(last?.after?.object?.keys ?? [], answer.room / 8)
    answer["members"] = .array(members.map(JSON.string))
    if !members.isEmpty { answer.quote(["state: \(members.joined(separator: ", "))"]) }
    for list in ["actions", "effects", "reads"] { isCut = add(list, to: &answer) || isCut }
    answer["isCut"] = .bool(isCut)
    var next = [SuggestedCall("replay_log", ["log": .string(log.name)], Wording.whyReplay)]
    if let first = problems.first {
      next.append(.details(of: first.seq, before: 2, in: log, Wording.whyProblem))
    }
    answer.suggest(next)
    return answer.answer
  }

  /// Returns the first names whose total size fits the given number of bytes.
  private static func fitting(_ names: [String], _ bytes: Int) -> [String] {
    var left = bytes
    return names.prefix { name in
      left -= JSON.string(name).bytes.count + 2
      return left >= 0
    }.map { $0 }
  }

  /// Adds the counts of a list in descending order.
  ///
  /// - Returns: Whether some were omitted.
  private func add(_ list: String, to answer: inout ToolResultBuilder) -> Bool {
    answer.addList(list)
    var rows: [(name: String, count: Int, value: JSON)] = []
    for (name, value) in statistics[list]?.object ?? JSON.Object() {
      rows.append((name, value.int ?? value["count"]?.int ?? 0, value))
    }
    rows.sort { ($1.count, $0.name) < ($0.count, $1.name) }
    for (index, row) in rows.enumerated() {
      var object: JSON.Object = [
        "name": .string(String(row.name.prefix(160))), "count": .int(row.count),
      ]
      var line = "\(row.count) × \(row.name.prefix(160))"
      for member in ["failed", "cancelled"] {
        guard let count = row.value[member]?.int, count > 0 else { continue }
        object[member] = .int(count)
        line += ", \(count) \(member)"
      }
      guard index < Self.mostNames, answer.addRow(object, to: list, quoting: [line]) else {
        return true
      }
    }
    return false
  }
}
