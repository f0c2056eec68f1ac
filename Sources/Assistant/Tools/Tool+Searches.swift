import ActionLog
import LogTools
import ReplayAnalyses
import ReplayCommands
import ReplayDebugger
import ReplayEngine
import ReplayHosts

extension Tool {
  static let compareLogs = Tool(
    name: "compare_logs",
    title: "Compare two logs",
    description:
      "Shows the differences between two logs. Actions are aligned first, so an action that is left out, added or moved does not shift the others. Ids and dates that correspond to each other do not count as differences. Call this when one log shows a fault and another log does not.",
    worker: .lookup,
    input: [
      .log, .required("other", .text("the name of the log to compare it with")), .ignoredPlaces,
    ],
    output: [
      .logName, .required("other", .text("")), .required("isSame", .flag("")),
      .required(
        "summary",
        .data("corresponding actions, mapped ids and dates, lengths, and what was not compared")
      ),
      .required("differences", Schema.differences("first", "second")),
      .required("moreDifferences", .integer("")),
      .optional("otherFeatures", .list("the features, when they differ", of: .data(""))),
    ]
  ) { call in
    let log = try call.log()
    let other = try call.log("other")
    call.report.show(Wording.comparing)
    var comparison = try AlignedComparison(
      { try log.slice.events() },
      { try other.slice.events() },
      options: LogComparison.Options(ignored: try call.ignoredPlaces())
    )
    let logs = try comparison.run()
    let summary = AlignedText(logs, log.name, other.name).overview(most: 1000)
    var answer = call.makeAnswer()
    answer["log"] = .string(log.name)
    answer["other"] = .string(other.name)
    answer["isSame"] = .bool(logs.isSame)
    answer["summary"] = .string(summary)
    if logs.features[0] != logs.features[1] {
      let features = logs.features.map { String($0.prefix(200)) }
      answer["otherFeatures"] = .array(features.map { .string($0) })
      answer.quote([Wording.otherFeature(features)])
    }
    let differences = logs.differences
    if logs.isSame {
      answer.say(Wording.sameLogs(through: logs.first.last))
    } else {
      answer.say(Wording.differentLogs(differences.count))
    }
    answer.quote([summary])
    answer.add(differences, to: "differences", "first", "second", rest: "moreDifferences")
    if let first = differences.first {
      answer.suggest([.details(of: first.seq, before: 2, in: log)])
    }
    return answer.answer
  }

  static let minimizeLog = Tool(
    name: "minimize_log",
    title: "Minimize a log",
    description:
      "Finds the fewest actions that still end in a trap, or still make a condition hold, by replaying the log with fewer and fewer actions. Call this when a log is long and most of it has nothing to do with the fault.",
    worker: .host,
    writes: true,
    input: [
      .log, .optional("keep", .text("what to keep", choices: ["trap", "condition"])),
      .optional("condition", .text("the condition to keep: 'count < 0'")), .seconds,
    ],
    output: [
      .logName, .required("before", .integer("actions from outside in the log")),
      .required("after", .integer("actions from outside that remain")),
      .required("isMinimal", .flag("whether no single action can be removed")),
      .required("replays", .integer("")),
      .required(
        "kept",
        .list(
          "",
          of: .object(
            "",
            [.required("action", .integer("its number in the log")), .required("text", .data(""))]
          )
        )
      ),
      .required("more", .integer("the number of actions that are not listed")), .output,
    ]
  ) { call in
    let log = try call.log()
    let condition = try call.condition("condition")
    if call.text("keep") == "condition", condition == nil {
      throw ToolError.badArguments(Wording.missingCondition)
    }
    if call.text("keep") == "trap", condition != nil {
      throw ToolError.badArguments(Wording.twoProperties)
    }
    let (context, options) = (call.context, call.options)
    let hosts = HostPool(context)
    let (current, migrated) = try hosts.current(log.slice, options)
    let report = call.report
    var result = try MinimizeRequest(
      log: current,
      hosts: hosts,
      options: options,
      property: condition.map { .condition($0) } ?? .trap,
      jobs: context.processors,
      deadline: call.deadline(),
      progress: { report.show($0) }
    ).run(in: context)
    withExtendedLifetime(migrated) {}
    try call.interruption.check()
    var answer = call.makeAnswer()
    let written = try call.newFile(for: log, "-minimal.jsonl")
    if let written { try result.write(to: written.path, context.console) }
    let (units, document) = (result.units, result.json)
    answer["log"] = .string(log.name)
    answer["before"] = document["actions"]?["before"] ?? 0
    answer["after"] = .int(units.count)
    answer["isMinimal"] = document["isMinimal"] ?? false
    answer["replays"] = document["replays"] ?? 0
    answer["output"] = written.map { .string($0.name) }
    answer.say(
      Wording.minimizedTo(units.count, isMinimal: document["isMinimal"]?.bool ?? false)
    )
    answer.say(written == nil ? Wording.notWritten : Wording.written)
    answer.addList("kept")
    var more = 0
    for (index, unit) in units.enumerated() {
      let text = ToolCall.notation.action(unit.action)
      let row: JSON.Object = ["action": .int(unit.recorded), "text": .string(text)]
      guard answer.addRow(row, to: "kept", quoting: ["action \(unit.recorded)  \(text)"]) else {
        more = units.count - index
        break
      }
    }
    answer["more"] = .int(more)
    if let written {
      answer.suggest([
        SuggestedCall("write_test", ["log": .string(written.name)], Wording.whyTest),
        SuggestedCall("list_actions", ["log": .string(written.name)], Wording.whyList),
      ])
    }
    return answer.answer
  }

  static let exploreOrders = Tool(
    name: "explore_orders",
    title: "Explore orders of effects",
    description:
      "Replays the answers of the log's effects in other orders, and searches for an order that breaks an invariant, traps, or lets an old answer replace a newer one. Call this when a fault comes and goes: a race between effects.",
    worker: .host,
    writes: true,
    input: [
      .log,
      .optional("invariant", .text("a condition that must hold after each action: 'count >= 0'")),
      .optional("allowOvertaking", .flag("allow an old answer to replace a newer one")), .seconds,
    ],
    output: [
      .logName, .required("isFound", .flag("whether an order that breaks it was found")),
      .required("isComplete", .flag("whether all orders were tried")),
      .required("transitions", .integer("the number of transitions")),
      .required("line", .data("the result in words")),
      .optional("action", .integer("the action that shows it, in the found order")),
      .optional("kind", .text("trap, fault, invariant or overtaken")),
      .optional("text", .data("the action")),
      .optional("place", .data("the path at which an answer was replaced")),
      .required(
        "moves",
        .list(
          "actions at another position than in the recording",
          of: .object(
            "",
            [
              .required("action", .integer("")), .required("text", .data("")),
              .optional(
                "after",
                .integer("the action after which it comes; absent if it comes first")
              ),
            ]
          )
        )
      ),
      .output,
    ]
  ) { call in
    let log = try call.log()
    let (context, options, report) = (call.context, call.options, call.report)
    let hosts = HostPool(context)
    let (current, migrated) = try hosts.current(log.slice, options)
    var request = ExploreRequest(
      log: current,
      hosts: hosts,
      options: options,
      deadline: call.deadline(),
      progress: { report.show($0) }
    )
    request.invariant = try call.condition("invariant")
    request.allowsOvertaking = call.flag("allowOvertaking")
    var result = try request.run(in: context)
    withExtendedLifetime(migrated) {}
    try call.interruption.check()
    var answer = call.makeAnswer()
    let written =
      result.hasViolation ? try call.newFile(for: log, "-order.jsonl") : nil
    if let written { try result.write(to: written.path, context.console) }
    let (document, style) = (result.json, ToolCall.style)
    let violation = document["violation"]
    answer["log"] = .string(log.name)
    answer["isFound"] = .bool(result.hasViolation)
    answer["isComplete"] = document["isComplete"] ?? false
    answer["transitions"] = document["transitions"] ?? 0
    answer["output"] = written.map { .string($0.name) }
    let lines = result.text(style).split(separator: "\n").map { String($0.prefix(600)) }
    answer["line"] = .string(lines.first ?? "")
    answer.say(result.hasViolation ? Wording.orderBreaks : Wording.noOrderBreaks)
    answer["action"] = violation?["seq"]
    let kinds = ["trap", "fault", "invariant", "overtaken"]
    if result.hasViolation {
      answer["kind"] = .string(kinds.first { violation?[$0] != nil } ?? "invariant")
    }
    answer["text"] = violation?["action"].map { .string(style.notation.action($0)) }
    answer["place"] = violation?["place"]
    answer["moves"] = .array(
      (violation?["moves"]?.array ?? []).prefix(20).map { move in
        var object: JSON.Object = [
          "action": move["seq"] ?? 0,
          "text": .string(style.notation.action(move["action"] ?? .null)),
        ]
        object["after"] = move["behind"]
        return .object(object)
      }
    )
    // The last line contains a path instead of a name that other tools accept.
    answer.quoteFitting(lines.filter { written == nil || !$0.contains(written?.path ?? "") })
    if let written {
      answer.say(Wording.written)
      answer.suggest([
        SuggestedCall("list_actions", ["log": .string(written.name)], Wording.whyList),
        SuggestedCall("write_test", ["log": .string(written.name)], Wording.whyTest),
      ])
    } else if result.hasViolation {
      answer.say(Wording.notWritten)
    }
    return answer.answer
  }

  static let whatIf = Tool(
    name: "what_if",
    title: "What if",
    description:
      "Changes the history of a log and replays what follows: shows how the log would end without an action, with another action, another answer or another state. Call this to test a hypothesis about a cause. Edits: 'skip 4', 'edit 3 .add(2)', 'edit 3 title = \"Milk\"', 'insert 2 .increment', 'reorder 5 before 3', 'answer 5 uuid = \"…\"', 'answer 4.0 failed \"offline\"', 'set 2 count = 0'.",
    worker: .host,
    writes: true,
    input: [.log, .required("edits", .list("the edits, each as one text", of: .text("")))],
    output: [
      .logName, .required("edits", .list("", of: .data("the edit as it was understood"))),
      .optional("firstDifference", .integer("the first action that differs")),
      .required("lastAction", .integer("the last action of the new history")),
      .optional("trap", .text("the signal that ends the new history")),
      .required("leftOut", .list("what can no longer happen, and why", of: .data(""))),
      .required("differences", Schema.differences("before", "after")),
      .required("moreDifferences", .integer("")),
      .optional("repeats", .flag("whether a second replay gives the same result")), .output,
    ]
  ) { call in
    let log = try call.log()
    var edits: [TimelineEdit] = []
    for text in call.arguments["edits"]?.array?.compactMap(\.string) ?? [] {
      let word = String(text.prefix { !$0.isWhitespace })
      guard TimelineEdit.words.contains(word) else {
        throw ToolError.badArguments(Wording.noEdit(text, words: TimelineEdit.words))
      }
      do throws(EditSyntaxError) {
        edits.append(
          try TimelineEdit(
            word: word,
            String(text.dropFirst(word.count).drop { $0 == " " }),
            named: { ActionMatches($0, in: log.slice) }
          )
        )
      } catch {
        throw ToolError.badArguments("'\(text)': \(error)")
      }
    }
    guard !edits.isEmpty else { throw ToolError.badArguments(Wording.noEdits) }
    call.report.show(Wording.replaying)
    let forker = TimelineForker(call.context, call.options)
    let fork = try forker.fork(log.slice, edits)
    var verdict: Verdict?
    if fork.trap == nil { verdict = try forker.check(fork) }
    try call.interruption.check()
    var answer = call.makeAnswer()
    let document = ForkReport(fork).json
    let notation = ToolCall.notation
    let written = try call.newFile(for: log, "-fork.jsonl")
    if let written {
      try call.context.console.write(to: written.path) {
        try fork.write(to: $0, written.path, by: ForkCommand.syntax.name)
      }
    }
    answer["log"] = .string(log.name)
    answer["firstDifference"] = document["firstDifference"].flatMap { $0.isNull ? nil : $0 }
    answer["lastAction"] = document["actions"]?["after"] ?? 0
    answer["trap"] = document["trap"]
    answer["repeats"] = verdict.map { .bool($0.isSame) }
    answer["output"] = written.map { .string($0.name) }
    answer.say(fork.trap == nil ? Wording.otherHistory : Wording.otherHistoryTraps)
    answer.add(edits.prefix(20).map { $0.text(notation) }, to: "edits")
    let leftOut = (document["leftOut"]?.array ?? []).prefix(20).map { one -> String in
      let text = one["action"].map { "  \(notation.action($0))" } ?? ""
      return "action \(one["seq"]?.int ?? 0)\(text)  \(one["reason"]?.string ?? "")"
    }
    if !leftOut.isEmpty { answer.say(Wording.leftOutActions) }
    answer.add(leftOut, to: "leftOut")
    if fork.trap == nil { answer.say(Wording.endText(isSame: fork.differences.isEmpty)) }
    answer.add(fork.differences, to: "differences", "before", "after", rest: "moreDifferences")
    if let verdict, !verdict.isSame { answer.say(Wording.notRepeatable) }
    answer.say(written == nil ? Wording.notWritten : Wording.written)
    if let written {
      answer.suggest([
        SuggestedCall("list_actions", ["log": .string(written.name)], Wording.whyList)
      ])
    }
    return answer.answer
  }

  static let writeTest = Tool(
    name: "write_test",
    title: "Write a test",
    description:
      "Writes the Swift code of a test from a log: a test that replays the log and passes as long as the feature does what was recorded or, with style 'store', a test that performs the log's steps with a TestStore. Call this last, with the smallest log that shows the fault.",
    worker: .lookup,
    writes: true,
    input: [
      .log,
      .optional("style", .text("replay (the default) or store", choices: ["replay", "store"])),
      .optional("reducer", .text("the code that makes the reducer, such as 'AppFeature()'")),
      .optional("imports", .list("modules that the test imports", of: .text(""))), .cursor,
    ],
    output: [
      .logName, .required("code", .data("Swift code; with a cursor, a part of it")),
      .required("notes", .list("what could not be written", of: .data(""))), .output, .nextCursor,
    ]
  ) { call in
    let log = try call.log()
    let modules = call.arguments["imports"]?.array?.compactMap(\.string) ?? []
    guard modules.allSatisfy(\.isSwiftIdentifier) else {
      throw ToolError.badArguments(Wording.badModule)
    }
    if let reducer = call.text("reducer"), reducer.allSatisfy(\.isWhitespace) {
      throw ToolError.badArguments(Wording.badReducer)
    }
    let code: String
    var notes: [String] = []
    if call.text("style") == "store" {
      let test = try StoreTest(
        log.slice,
        reducer: call.text("reducer"),
        modules: modules,
        name: nil,
        members: StoreTest.StateMemberTraits()
      )
      (code, notes) = (test.code, test.complaints)
    } else {
      let test = try GeneratedTest(
        log.slice,
        file: log.siblings == 1 ? log.slice.path : nil,
        reducer: call.text("reducer"),
        modules: modules,
        name: nil
      )
      code = test.code
      if test.refersToLog { notes.append(Wording.testRefers(to: log.name)) }
    }
    var answer = call.makeAnswer()
    answer["log"] = .string(log.name)
    answer["notes"] = .array(notes.prefix(10).map { .string(String($0.prefix(300))) })
    answer.quote(notes.prefix(10).map { String($0.prefix(300)) })
    var start = 0
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let cursor = call.text("cursor") {
      guard let line = Int(cursor), lines.indices.contains(line) else {
        throw ToolError.badCursor(cursor)
      }
      start = line
    } else if let written = try call.newFile(for: log, "-test.swift") {
      try call.context.console.write(to: written.path) { try $0.write(code.utf8) }
      answer["output"] = .string(written.name)
      answer.say(Wording.testWritten)
    }
    answer.say(Wording.code)
    let end = answer.addCode(lines, from: start)
    if end < lines.count {
      answer["cursor"] = .string("\(end)")
      answer.say(Wording.moreWithCursor)
    }
    return answer.answer
  }
}

extension ToolCall {
  /// Returns the new file for a result; `nil` if no files may be written.
  fileprivate func newFile(
    for log: OpenLog,
    _ suffix: String
  ) throws -> (path: String, name: String)? {
    guard desk.setup.folders.output != nil else { return nil }
    return try desk.setup.folders.newFile(for: log.name, suffix)
  }
}

extension ToolResultBuilder {
  /// Adds lines of code until the budget is exhausted.
  ///
  /// - Returns: The index of the first omitted line.
  fileprivate mutating func addCode(_ lines: [String], from start: Int) -> Int {
    var end = start
    var size = 0
    while end < lines.count {
      // Each line appears twice: as text and as structured data.
      let added = 2 * JSON.string(lines[end]).bytes.count + 8
      guard hasRoom(for: size + added) else { break }
      size += added
      end += 1
    }
    // A line that is longer than an answer is cut, so that the following lines can be reached.
    if end == start, start < lines.count {
      let part = String(lines[start].prefix(room / 8))
      self["code"] = .string(part)
      quote([part])
      return start + 1
    }
    // The line feeds are part of the code. Each line is escaped separately.
    addCode(lines[start..<end].joined(separator: "\n"))
    quote(Array(lines[start..<end]))
    return end
  }
}
