import ActionLog
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

extension Tool {
  static let stateAt = Tool(
    name: "state_at",
    title: "State at an action",
    description:
      "Shows the app's state after an action, or a part of it: a path ('todos[0].title', 'todos[*].isDone'), the state before ('before.todos'), the action ('action'), its reads and effects ('reads', 'effects'), or an expression ('count > 3'). Call this when you know the action. Large values are shortened; ask for a narrower path or a smaller depth.",
    worker: .lookup,
    input: [
      .log, .action, .optional("path", .text("the path or expression (the whole state)")),
      .optional("depth", .integer("the number of nested containers to show", least: 0)),
    ],
    output: [
      .logName, .required("action", .integer("")), .required("text", .data("the action")),
      .required("value", .any("the value; data from the log")),
      .required("isCut", .flag("whether something was left out")),
      .required("alive", .list("effects that are alive after the action", of: .data(""))),
    ]
  ) { call in
    let log = try call.log()
    let step = try log.requiredStep(call.number("action") ?? 0)
    let path = call.text("path") ?? ""
    let value = try StepExpression(parsing: path.isEmpty ? "state" : path).value(in: step)
    var answer = call.makeAnswer()
    answer["log"] = .string(log.name)
    answer["action"] = .int(step.seq)
    answer["text"] = .string(step.title(ToolCall.notation))
    let alive = step.alive.map { "\($0.id) \($0.label)" }
    answer["alive"] = .array(alive.prefix(20).map { .string(String($0.prefix(120))) })
    answer.say(Wording.valueAfter(step.seq))
    let isCut = answer.add(value, depth: call.number("depth"))
    answer["isCut"] = .bool(isCut)
    if isCut { answer.say(Wording.valueCut) }
    let isPlace = !path.isEmpty && (try? ValuePath(parsing: path)) != nil
    let isOfState = !["before", "action", "reads", "effects"].contains {
      path == $0 || path.hasPrefix("\($0).") || path.hasPrefix("\($0)[")
    }
    if isPlace, isOfState, step.seq > 0 {
      let arguments: JSON.Object = [
        "log": .string(log.name), "path": .string(path), "action": .int(step.seq),
      ]
      answer.suggest([SuggestedCall("who_changed", arguments, Wording.whyBlame)])
    }
    return answer.answer
  }

  static let whoChanged = Tool(
    name: "who_changed",
    title: "Who changed a value",
    description:
      "Finds the action that last set a value, the value before it, and the chain of causes that led to that action. Call this when a value is wrong. 'path' can match several values: 'todos[*].title'.",
    worker: .lookup,
    input: [
      .log, .required("path", .text("the path in the state, such as 'todos[0].title'")),
      .optional("action", .integer("examine the value after this action (the last one)")),
    ],
    output: [
      .logName, .required("after", .integer("the action after which the values were examined")),
      .required(
        "values",
        .list(
          "",
          of: .object(
            "",
            [
              .required("place", .data("")), .required("value", .data("")),
              .optional("action", .integer("the action that set it; absent for the first state")),
              .optional(
                "isFromOutside",
                .flag("whether something else changed it after the action")
              ),
              .optional("text", .data("the action")), .optional("before", .data("")),
              .required("causes", .causes),
            ]
          )
        )
      ),
      .required("more", .integer("values that were left out")),
    ]
  ) { call in
    let log = try call.log()
    guard let place = try call.valuePath("path") else { return call.makeAnswer().answer }
    let results = try log.blame(place, at: call.number("action"))
    var answer = call.makeAnswer()
    answer["log"] = .string(log.name)
    answer["after"] = .int(results.first?.at ?? call.number("action") ?? 0)
    answer.addList("values")
    answer.say(Wording.changed(results.count))
    var next: [SuggestedCall] = []
    for (index, result) in results.enumerated() {
      let (row, lines, seq) = try Self.row(result, log)
      guard answer.addRow(row, to: "values", quoting: lines) else {
        answer["more"] = .int(results.count - index)
        answer.say(Wording.valuesLeftOut(results.count - index))
        break
      }
      if next.isEmpty, let seq {
        next = [
          .details(of: seq, in: log),
          SuggestedCall(
            "list_actions",
            ["log": .string(log.name), "changes": .string(call.text("path") ?? "")],
            Wording.whyHistory
          ),
        ]
      }
    }
    if answer["more"] == nil { answer["more"] = 0 }
    answer.suggest(next)
    return answer.answer
  }

  private static func row(
    _ result: Blame.Result,
    _ log: OpenLog
  ) throws -> (JSON.Object, [String], Int?) {
    let notation = ToolCall.notation
    let value = notation.value(result.value)
    var row: JSON.Object = ["place": .string(result.place), "value": .string(value)]
    var lines = ["\(result.place) = \(value)"]
    var causes: [JSON] = []
    if let change = result.change {
      row["action"] = .int(change.seq)
      let before = change.before.map { notation.value($0) }
      row["before"] = before.map(JSON.string)
      if change.isExternal {
        row["isFromOutside"] = true
        lines.append("  " + Wording.changedFromOutside(after: change.seq))
      } else if let step = try log.log.step(at: change.seq) {
        let chain = try log.session.causes(of: step)
        row["text"] = .string(step.title(notation))
        causes = chain.map { .object(StepRow.cause($0)) }
        lines += chain.enumerated().map { index, step in
          let word = index == 0 ? "  set by" : "  because of"
          return "\(word) action \(step.id)  \(step.title(notation))  (\(step.sender))"
        }
      }
      if let before { lines.append("  before: \(before)") }
    } else {
      lines.append("  " + Wording.neverChanged)
    }
    row["causes"] = .array(causes)
    return (row, lines, result.change?.seq)
  }

  static let findFirst = Tool(
    name: "find_first",
    title: "Find the first action where a condition holds",
    description:
      "Finds the first action after which a condition holds, and what that action changed: 'count < 0', 'items[*].price < 0', '.saved', 'before.count < count'. Call this when you know what is wrong but not when it began. Paths refer to the state; before, action, seq, effects and reads can be used, too.",
    worker: .lookup,
    input: [.log, .required("condition", .text("the condition"))],
    output: [
      .logName, .optional("action", .integer("the first action; absent when there is none")),
      .optional("text", .data("the action")),
      .required("holdsAtStart", .flag("whether it holds before the first action")),
      .required("changes", Schema.differences("before", "after")),
      .required("moreChanges", .integer("")),
      .required(
        "flips",
        .list(
          "the actions at which it starts (true) and stops (false) to hold",
          of: .object("", [.required("action", .integer("")), .required("holds", .flag(""))])
        )
      ),
      .required("flipCount", .integer("")), .required("causes", .causes),
      .required("doubts", .list("why it cannot hold as intended", of: .data(""))),
    ]
  ) { call in
    let log = try call.log()
    guard let condition = try call.condition("condition") else { return call.makeAnswer().answer }
    call.report.show(Wording.searching)
    let scan = try log.scan(condition, call.text("condition") ?? "", call)
    var answer = call.makeAnswer()
    answer["log"] = .string(log.name)
    answer["holdsAtStart"] = .bool(scan.holdsAtStart)
    answer["flipCount"] = .int(scan.flips.count)
    answer["flips"] = .array(
      scan.flips.prefix(20).map { ["action": .int($0.seq), "holds": .bool($0.holds)] }
    )
    let places = scan.doubts.isEmpty ? nil : log.slice.places
    let doubts =
      condition.unknownMembers.map(Wording.unknownMember)
      + scan.doubts.map { Wording.doubt($0, "condition", places) }
    answer.addList("causes")
    var causes: [JSON.Object] = []
    var next: [SuggestedCall] = []
    if let seq = scan.first, let step = try log.log.step(at: seq) {
      answer.say(Wording.holdsFirst(seq, flips: scan.flips.count))
      answer["action"] = .int(seq)
      answer["text"] = .string(step.title(ToolCall.notation))
      let chain = try log.session.causes(of: step)
      causes = chain.map(StepRow.cause)
      answer.quoteFitting(
        chain.enumerated().map { index, step in
          let word = index == 0 ? "" : "because of "
          return "\(word)action \(step.id)  \(step.title(ToolCall.notation))  (\(step.sender))"
        }
      )
      next = [.details(of: seq, in: log)]
    } else {
      answer.say(scan.holdsAtStart ? Wording.holdsFromStart : Wording.neverHolds(scan.last))
    }
    for cause in causes { _ = answer.addRow(cause, to: "causes", quoting: []) }
    answer.add(Array(doubts.prefix(10)), to: "doubts")
    answer.add(scan.differences, to: "changes", "before", "after", rest: "moreChanges")
    answer.suggest(next)
    return answer.answer
  }
}

extension ToolResultBuilder {
  /// Adds a value with the greatest depth and width that fit.
  ///
  /// - Returns: Whether a part was omitted.
  mutating func add(_ value: StepExpression.Value, depth: Int?) -> Bool {
    let whole: JSON
    switch value {
    case .one(let json): whole = json
    case .truth(let isTrue): whole = .bool(isTrue)
    case .action(let action): whole = .string(ToolCall.notation.action(action))
    case .many(let items):
      whole = .object(
        JSON.Object(members: items.map { (key: $0.place, value: $0.value) })
      )
    }
    for attempt in Self.attempts {
      let pruned = PrunedValue(
        whole,
        depth: min(depth ?? .max, attempt.depth),
        most: attempt.most
      )
      let text = ValueText(style: ToolCall.style)
      var lines = text.lines(.one(pruned.value))
      if case .many(let items) = value {
        lines = text.lines(.many(Array(items.prefix(attempt.most))))
      }
      let size =
        pruned.value.withVisibleTexts.bytes.count
        + lines.reduce(0) { $0 + JSON.string($1).bytes.count + 4 }
      guard hasRoom(for: size) else { continue }
      self["value"] = pruned.value
      quote(lines)
      return pruned.isCut
    }
    self["value"] = .string(String(ToolCall.notation.value(whole).prefix(200)))
    return true
  }

  /// The depths and numbers of elements to try, in descending order.
  private static let attempts: [(depth: Int, most: Int)] = [
    (64, 200), (16, 60), (8, 40), (6, 20), (4, 12), (3, 8), (2, 6), (1, 6), (1, 3), (0, 1),
  ]

  /// Adds differences of values.
  ///
  /// - Parameters:
  ///   - differences: The differences.
  ///   - list: The name of the list.
  ///   - first: The name of the first side.
  ///   - second: The name of the second side.
  ///   - rest: The member with the number of omitted differences.
  mutating func add(
    _ differences: [LogDifference],
    to list: String,
    _ first: String,
    _ second: String,
    rest: String
  ) {
    addList(list)
    let notation = ToolCall.notation
    var more = 0
    for (index, difference) in differences.enumerated() {
      var row: JSON.Object = [
        "action": .int(difference.seq), "kind": .string(difference.cause.rawValue),
        "place": .string(Wording.locationText(difference, notation)),
      ]
      let old = difference.expected.map { notation.value($0) }
      let new = difference.actual.map { notation.value($0) }
      row[first] = old.map(JSON.string)
      row[second] = new.map(JSON.string)
      let message =
        Wording.movedTo(difference, notation).map { Wording.moved(to: $0) } ?? difference.message
      row["message"] = message.map { .string(String($0.prefix(300))) }
      let place = Wording.locationText(difference, notation)
      var line = "action \(difference.seq)  \(Wording.name(difference.cause)) \(place)"
      if let message { line += "  \(message.prefix(300))" }
      if let old { line += "  \(first): \(old)" }
      if let new { line += "  \(second): \(new)" }
      guard index < Self.mostDifferences, addRow(row, to: list, quoting: [line]) else {
        more = differences.count - index
        break
      }
    }
    self[rest] = .int(more)
    if more > 0 { say(Wording.differencesLeftOut(more)) }
  }

  /// The maximum number of listed differences, which take one or two screens.
  private static let mostDifferences = 40
}

extension OpenLog {
  /// Returns the actions that last changed the values at a path.
  func blame(_ place: ValuePath, at seq: Int?) throws -> [Blame.Result] {
    let stretches = try remembering("stretches") {
      try LogLineRanges(of: slice, atLeast: Blame.usualStretch)
    }
    return try Blame(log: slice, place: place, at: seq, in: stretches).run()
  }
}
