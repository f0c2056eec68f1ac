import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayDebugger
import ReplayEngine
import ReplayHosts

extension Tool {
  static let replayLog = Tool(
    name: "replay_log",
    title: "Replay a log",
    description:
      "Replays the log's actions with the code of the host and compares the result with the recording. Reports the verdict (identical, diverged, trapped, ...), the first action that differs, what differs there, and the causes of that action. Call this to learn whether the current code does what was recorded. With 'all', also reports later differences.",
    worker: .host,
    input: [
      .log, .optional("all", .flag("continue from the recorded state after a difference")),
      .ignoredPlaces,
    ],
    output: [
      .logName,
      .required(
        "verdict",
        .text(
          "identical, cut, trapReproduced, trapGone, trapped, diverged, undecodable, notReplayable, unreadable, missing or failed"
        )
      ),
      .required("isSame", .flag("whether the replay does what was recorded")),
      .required("line", .data("the verdict in words")),
      .optional("action", .integer("the action of the verdict")),
      .optional("kind", .text("state, effects, reads, sequence, ...")),
      .optional("signal", .text("the signal of a trap")),
      .required("differences", Schema.differences("recorded", "replayed")),
      .required("moreDifferences", .integer("")), .required("causes", .causes),
      .required("further", .list("later differences", of: .data(""))),
      .required("notes", .list("", of: .data(""))),
      .required("hostOutput", .list("what the host printed", of: .data("from the host"))),
      .optional("suspicion", .text("what the differing values suggest")),
    ]
  ) { call in
    let log = try call.log()
    var options = call.options
    options.comparison.ignored += try call.ignoredPlaces()
    call.report.show(Wording.replaying)
    let isContinuing = call.flag("all")
    let context = call.context
    let checker = context.makeChecker()
    var hostOutput: [String] = []
    func check(_ slice: LogSlice) -> ReplayCheck {
      ReplayCheck(log: slice, options: options.comparison, isContinuing: isContinuing)
    }
    let outcome = log.slice.migratedOutcome(options) { slice in
      let checked = checker(check(slice), options)
      hostOutput = checked.hostOutput
      return try checked.outcome.get()
    } isSame: { slice in
      try checker(check(slice), options).outcome.get().isSame
    }
    try call.interruption.check()
    return Self.answer(outcome, hostOutput, log, call)
  }

  private static func answer(
    _ outcome: ReplayOutcome,
    _ hostOutput: [String],
    _ log: OpenLog,
    _ call: ToolCall
  ) -> ToolResult {
    let notation = ToolCall.notation
    let document = outcome.json
    var answer = call.makeAnswer()
    var (isSame, divergence, verdict) = (false, Verdict.Divergence?.none, Verdict?.none)
    var links: [Verdict.Divergence.Link] = []
    var further: [String] = []
    if case .verdict(let result) = outcome {
      (isSame, verdict, divergence) = (result.isSame, result.verdict, result.verdict.divergence)
      links = divergence?.causes ?? result.causes
      further = result.further.map { Wording.line($0.verdict, through: result.seq, notation) }
    }
    if links.isEmpty, let seq = verdict?.at, verdict?.isCut == false {
      links = Self.links(of: seq, in: log)
    }
    let line = String(outcome.line(notation).prefix(600))
    answer.say(isSame ? Wording.sameBehavior : Wording.otherBehavior)
    answer["log"] = .string(log.name)
    answer["verdict"] = document["verdict"] ?? "failed"
    answer["isSame"] = .bool(isSame)
    answer["line"] = .string(line)
    answer["action"] = document["at"]
    answer["kind"] = document["cause"]
    answer["signal"] = document["signal"]
    answer.quote([line])
    answer.addList("causes")
    for link in links.prefix(20) {
      let row: JSON.Object = [
        "action": .int(link.seq), "text": .string(notation.action(link.action)),
        "sender": .string(Wording.kind(of: link.origin)),
      ]
      guard answer.addRow(row, to: "causes", quoting: []) else { break }
    }
    if !links.isEmpty, verdict != .identical {
      answer.quoteFitting(VerdictText(style: ToolCall.style).causes(links, of: links[0].seq))
    }
    if let suspicion = divergence.flatMap(LikelyDivergenceCause.init) {
      answer["suspicion"] = .string(Wording.suspicion(suspicion))
      answer.say(Wording.suspicion(suspicion))
    }
    // The output of an identical replay is not relevant.
    let isQuiet = verdict.map { $0 == .identical } ?? false
    var said: [String] = []
    if case .failure(let error) = outcome {
      said = (error as? HostFailure)?.standardErrorLines ?? []
    } else if !isQuiet {
      said = HostOutputText(host: call.desk.setup.options.host).lines(hostOutput, isVerbose: nil)
    }
    answer.add(said, to: "hostOutput")
    answer.add(Array(outcome.notes(notation).prefix(10)), to: "notes")
    answer.add(Array(further.prefix(20)), to: "further")
    answer.add(
      divergence?.differences ?? [],
      to: "differences",
      "recorded",
      "replayed",
      rest: "moreDifferences"
    )
    if let verdict { answer.suggest(next(verdict, log)) }
    return answer.answer
  }

  /// Returns the chain of causes of an action, from the log.
  private static func links(of seq: Int, in log: OpenLog) -> [Verdict.Divergence.Link] {
    guard let step = try? log.log.step(at: seq), let chain = try? log.session.causes(of: step)
    else {
      return []
    }
    return chain.compactMap { step in
      guard let action = step.action else { return nil }
      return Verdict.Divergence.Link(seq: step.seq, origin: action.origin, action: action.action)
    }
  }

  /// Returns suggested calls after a verdict that is not identical.
  private static func next(_ verdict: Verdict, _ log: OpenLog) -> [SuggestedCall] {
    let name = JSON.string(log.name)
    func details(_ seq: Int) -> SuggestedCall { .details(of: seq, before: 2, in: log) }
    switch verdict {
    case .identical, .cut:
      return [
        SuggestedCall("list_actions", ["log": name], Wording.whyList),
        SuggestedCall("explore_orders", ["log": name], Wording.whyExplore),
      ]
    case .trapReproduced(let at, _):
      return [
        details(at),
        SuggestedCall("minimize_log", ["log": name, "keep": "trap"], Wording.whyMinimize),
      ]
    case .trapGone(let at): return [details(at)]
    case .trapped(let at, _):
      return [
        details(at),
        SuggestedCall("minimize_log", ["log": name, "keep": "trap"], Wording.whyMinimize),
      ]
    case .undecodable(let value), .notReplayable(let value): return [details(value.at)]
    case .diverged(let divergence):
      guard let first = divergence.differences.first(where: { $0.cause == .state }),
        divergence.cause == .state, first.expected != nil, !first.subject.isEmpty
      else { return [details(divergence.at)] }
      let arguments: JSON.Object = [
        "log": name, "path": .string(Wording.locationText(first, Notation())),
        "action": .int(divergence.at),
      ]
      return [SuggestedCall("who_changed", arguments, Wording.whyBlame), details(divergence.at)]
    }
  }
}

extension Verdict {
  /// Whether the log was cut, which is not caused by an action.
  fileprivate var isCut: Bool { if case .cut = self { true } else { false } }
}
