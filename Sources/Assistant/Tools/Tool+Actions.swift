import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

extension Tool {
  static let listActions = Tool(
    name: "list_actions",
    title: "List actions",
    description:
      "Lists the actions of a log in order, with their senders, changes and effects. An action is listed only if it matches all given filters. Call this to see what happened around an action; with 'details', it shows everything about each action: what it read, each change, each effect. To see every change of a value, filter with 'changes'.",
    worker: .lookup,
    input: [
      .log, .optional("from", .integer("the first action")),
      .optional("to", .integer("the last action")),
      .optional(
        "name",
        .text("only actions such as '.saved', '.path[2].report' or '.saved(.failure)'")
      ),
      .optional(
        "effect",
        .text("only actions that start, come from or end an effect with this name or id")
      ),
      .optional(
        "sender",
        .text("only actions from this sender", choices: ["view", "effect", "parent", "action"])
      ),
      .optional(
        "cause",
        .integer("only actions that this action, or an effect of it, sent", least: 1)
      ),
      .optional("changes", .text("only actions that change this path: 'todos[*].title'")),
      .optional(
        "where",
        .text("only actions after which this condition holds: 'count > 3 && before.count <= 3'")
      ),
      .optional(
        "problems",
        .flag("only actions with a problem: a failed effect, a gap, an unfinished action")
      ),
      .optional("details", .flag("show everything about each action")),
      .optional("limit", .integer("the maximum number of actions", least: 1)), .cursor,
    ],
    output: [
      .logName,
      .required(
        "actions",
        .list(
          "",
          of: .object(
            "",
            [
              .required("action", .integer("the number of the action")),
              .optional("part", .integer("the number of a change from outside after the action")),
              .optional("seconds", .number("seconds since the start")),
              .required("text", .data("")), .required("sender", .data("")),
              .optional("cause", .integer("the action that led to it")),
            ]
          )
        )
      ),
      .required("lastAction", .integer("the last action of the log")), .nextCursor,
    ]
  ) { call in
    let log = try call.log()
    var search = try ActionSearch(log, call)
    return try search.run()
  }
}

/// Searches for actions from a position in the log on.
private struct ActionSearch {
  private let log: OpenLog
  private let call: ToolCall
  private let targets: [Breakpoint]
  private let text = StepText(style: ToolCall.style)
  private var answer: ToolResultBuilder
  private var paths: Set<String> = []

  /// The maximum number of case paths that are compared with an unknown one.
  private static let mostPaths = 1000

  init(_ log: OpenLog, _ call: ToolCall) throws {
    (self.log, self.call) = (log, call)
    answer = call.makeAnswer()
    var targets: [Breakpoint.Target] = []
    if let name = call.text("name") {
      do throws(NotationSyntaxError) {
        targets.append(.action(try ActionPattern(parsing: name)))
      } catch {
        throw ToolError.badArguments("'name': \(error)")
      }
    }
    if let effect = call.text("effect") { targets.append(.effect(effect)) }
    if let place = try call.valuePath("changes") { targets.append(.change(PathWatch(place))) }
    if let condition = try call.condition("where") { targets.append(.condition(condition)) }
    self.targets = targets.map { Breakpoint(number: 1, $0, text: "") }
  }

  mutating func run() throws -> ToolResult {
    let last = try log.log.last()?.seq ?? 0
    let to = call.number("to") ?? .max
    let limit = call.number("limit") ?? .max
    answer["log"] = .string(log.name)
    answer["lastAction"] = .int(last)
    answer.addList("actions")
    var next = try firstStep()
    var (found, passed) = (0, 0)
    var isCut = false
    while let step = next, step.seq <= to {
      if isMet(step) {
        guard found < limit, add(step) else {
          isCut = true
          answer["cursor"] = .string(step.id.description)
          break
        }
        found += 1
      }
      passed += 1
      if passed % 64 == 0 { try call.interruption.check() }
      if passed % 4096 == 0 { call.report.show(Wording.lookedAt(passed)) }
      next = try log.log.step(after: step.id)
    }
    answer.open(with: Wording.foundActions(found, last: last))
    if isCut { answer.say(Wording.moreWithCursor) }
    if found == 0 { try explain() }
    if !isCut, let damage = log.log.damage { answer.quote(["\(damage)"]) }
    suggest()
    return answer.answer
  }

  private func firstStep() throws -> LogStep? {
    if let cursor = call.text("cursor") {
      let parts = cursor.split(separator: "+", omittingEmptySubsequences: false).map { Int($0) }
      guard (1...2).contains(parts.count), let seq = parts[0], seq >= 0 else {
        throw ToolError.badCursor(cursor)
      }
      let part = parts.count == 2 ? parts[1] : 0
      guard let part, part >= 0, let step = try log.log.step(at: StepID(seq: seq, part: part))
      else { throw ToolError.badCursor(cursor) }
      return step
    }
    let from = call.number("from") ?? 1
    if let step = try log.log.step(at: from) { return step }
    guard from > 0 else { return try log.log.first() }
    return try log.log.step(after: StepID(seq: from - 1, part: .max))
  }

  private mutating func isMet(_ step: LogStep) -> Bool {
    if step.kind == .start { return call.number("from") == 0 && targets.isEmpty && !hasOthers }
    if let cause = call.number("cause"), step.cause != cause { return false }
    if let sender = call.text("sender"), step.origin.map({ Wording.kind(of: $0) }) != sender {
      return false
    }
    if call.flag("problems"),
      !LogStep.ProblemKind.allCases.contains(where: { step.report(of: $0) != nil })
    {
      return false
    }
    if call.text("name") != nil, paths.count < Self.mostPaths, let action = step.action {
      paths.insert(Notation().casePath(action.action))
    }
    return targets.allSatisfy { $0.hit(at: step) != nil }
  }

  private var hasOthers: Bool {
    call.number("cause") != nil || call.text("sender") != nil || call.flag("problems")
  }

  private mutating func add(_ step: LogStep) -> Bool {
    var row = StepRow.object(step)
    let lines = call.flag("details") ? details(step) : text.lines(step)
    if step.id.part > 0 { row["part"] = .int(step.id.part) }
    if answer.addRow(row, to: "actions", quoting: lines.map { String($0.prefix(1200)) }) {
      return true
    }
    // An action that is larger than an answer is shown without the parts that do not fit.
    guard answer.isEmptyList("actions") else { return false }
    _ = answer.addRow(row, to: "actions", quoting: [])
    let rest = answer.quoteFitting(lines.map { String($0.prefix(1200)) })
    if rest > 0 { answer.say(Wording.linesLeftOut(rest)) }
    return true
  }

  private func details(_ step: LogStep) -> [String] {
    var lines = text.details(step)
    let alive = step.alive
    if !alive.isEmpty {
      let names = alive.map { "\($0.id) \($0.label)" }.joined(separator: ", ")
      lines.append("    alive: \(names)")
    }
    return lines
  }

  /// Explains why the search found no actions.
  private mutating func explain() throws {
    if let name = call.text("name"),
      let meant = SpellingSuggestion.closestPath(to: name, among: paths.sorted()), meant != name
    {
      answer.quote([Wording.didYouMean(meant)])
    }
    if let place = try call.valuePath("changes"), let state = try log.log.last()?.after,
      let missing = UnresolvedPath(place, in: state)
    {
      answer.quote([Wording.nothing(at: place, missing, isWhole: true)])
    }
    if let condition = try call.condition("where") {
      let scan = try log.scan(condition, call.text("where") ?? "", call)
      let places = scan.doubts.isEmpty ? nil : log.slice.places
      answer.quote(
        condition.unknownMembers.map(Wording.unknownMember)
          + scan.doubts.map { Wording.doubt($0, "where", places) }
      )
    }
  }

  private mutating func suggest() {
    guard let first = answer.firstRow(of: "actions")?["action"] else { return }
    let arguments: JSON.Object = ["log": .string(log.name), "action": first]
    answer.suggest([SuggestedCall("state_at", arguments, Wording.whyState)])
  }
}

/// Creates the row of an action in an answer.
enum StepRow {
  static func object(_ step: LogStep) -> JSON.Object {
    var row: JSON.Object = ["action": .int(step.seq)]
    row["seconds"] = step.at.map(JSON.seconds)
    row["text"] = .string(step.title(ToolCall.notation))
    row["sender"] = .string(step.sender)
    row["cause"] = step.cause.map(JSON.int)
    return row
  }

  /// Returns an element of a chain of causes.
  static func cause(_ step: LogStep) -> JSON.Object {
    [
      "action": .int(step.seq), "text": .string(step.title(ToolCall.notation)),
      "sender": .string(step.sender),
    ]
  }
}

extension LogStep {
  /// The sender of the action: `view`, or `effect load`.
  var sender: String {
    guard let origin else { return "outside" }
    guard case .effect(let id, _) = origin else { return Wording.kind(of: origin) }
    var name: [UInt8] = []
    start.known.write(id, to: &name)
    let text = String(decoding: name, as: UTF8.self)
    // An unnamed effect already appears as 'effect 7.0'.
    return start.known[id]?.label.isEmpty ?? true ? text : "effect \(text)"
  }
}

extension OpenLog {
  /// Returns the actions at which a condition starts or stops to hold.
  func scan(_ condition: Condition, _ text: String, _ call: ToolCall) throws -> ConditionScan {
    try remembering("condition \(text)") {
      let events = try slice.events()
      var count = 0
      return try ConditionScan(
        {
          count += 1
          if count % 4096 == 0 { try call.interruption.check() }
          return try events()
        },
        for: condition
      )
    }
  }
}
