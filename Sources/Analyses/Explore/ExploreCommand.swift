import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `explore LOG`: searches for an order of effect actions that violates a condition or reveals a fault.
package enum ExploreCommand: Command {
  package static let syntax = CommandSyntax(
    name: "explore",
    summary: "search for an order of effect outputs that breaks a condition or the feature",
    operands: [.log],
    options: [
      CommandSyntax.Option(
        name: "--invariant",
        value: "EXPR",
        summary: "a condition that must hold after each action, such as 'count >= 0'"
      ),
      .invariants,
      CommandSyntax.Option(
        name: "--allow-overtaking",
        summary: "allow an effect's answer to replace that of a newer effect"
      ),
      .log, .optionalOutput, .force,
      CommandSyntax.Option(
        name: "--transitions",
        value: "N",
        summary: "stop the search after this many transitions (\(Explorer.usualTransitions))"
      ),
      .budget,
      CommandSyntax.Option(
        name: "--seed",
        value: "S",
        summary: "use this seed to choose among equally near orders (0)"
      ),
      CommandSyntax.Option(
        name: "--strategy",
        value: "systematic|random",
        summary: "the strategy that chooses orders (systematic); random is for comparison",
        choices: SearchStrategy.allCases.map(\.rawValue)
      ),
      .host, .feature, .timeout, .raw, .full, .format,
    ],
    examples: [
      CommandSyntax.Example("bug.jsonl", "search for races"),
      CommandSyntax.Example(
        "bug.jsonl --invariant 'count >= 0'",
        "search for an order that breaks a condition"
      ),
    ],
    discussion: """
      Replays the outputs of the log's effects in other orders. The outputs of one effect keep their order, and so do
      the user's actions. No output comes before the action that started its effect, and none comes from a canceled
      effect. An effect sends what it sent in the recording, regardless of when it runs. Orders near the recorded one
      come first. Orders that lead to the same state are continued once.

      Without --invariant, searches for an order in which the code traps, reports an issue, receives an action of an
      effect that is not alive, or lets an effect's answer replace that of a newer effect. --invariants adds the
      conditions of a file, in the format of 'run --invariants'.

      The host searches in memory. If it cannot, because a state holds objects or the host is of another version, each
      order is replayed from the start, and the report says so.

      Exits with status 0 if nothing was found in all orders that were tried, and with 1 if an order shows a fault.
      --output writes that order as a log that 'run' reproduces.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let invariant = try arguments.condition("--invariant")
    let invariants = try arguments.value("--invariants").map { try Invariants(path: $0) }
    if let invariant { context.warn(of: invariant) }
    try OverwriteGuard.check(arguments.value("--output"), arguments)
    context.interruption.allowPartialResult()
    let (recorded, spool) = try context.log(arguments)
    let options = try context.replayOptions(arguments)
    let hosts = HostPool(context)
    let (log, migrated) = try hosts.current(recorded, options)
    defer { withExtendedLifetime((spool, migrated)) {} }
    if let invariant { context.warn(of: invariant, "--invariant", in: log) }
    let progress = context.console.progress
    var request = ExploreRequest(
      log: log,
      hosts: hosts,
      options: options,
      deadline: try arguments.deadline("--budget"),
      progress: { progress.show($0) }
    )
    request.invariant = invariant
    request.invariants = invariants
    request.allowsOvertaking = arguments.isOn("--allow-overtaking")
    request.strategy = arguments.value("--strategy").flatMap(SearchStrategy.init) ?? .systematic
    request.seed = try arguments.seed("--seed") ?? 0
    request.mostTransitions =
      try arguments.positiveCount("--transitions") ?? Explorer.usualTransitions
    var report = try request.run(in: context)
    let output = report.hasViolation ? arguments.value("--output") : nil
    if let output { try report.write(to: output, context.console) }
    let style = context.style(arguments)
    try context.console.report(
      arguments.isJSON ? "\(report.json)\n" : style.report(report.text(style)),
      besides: output
    )
    context.reportInterruption()
    return report.hasViolation ? .different : .same
  }
}

extension Invariants {
  /// Returns the invariants that apply to the feature of a log.
  ///
  /// If `feature` is not `nil`, it replaces the feature name in the log header.
  func applying(to log: ThreadedLog, _ feature: String?) -> [Invariant] {
    var name = feature ?? ""
    if feature == nil, case .header(let header)? = log.head.first { name = header.feature }
    return applying(to: name)
  }
}

/// Formats the result of an exploration, as text and as JSON.
package struct ExploreReport {
  let name: String
  let judge: SearchJudge
  let seed: UInt64
  let log: ThreadedLog
  let result: Explorer.Result
  /// The confirmed race in the recorded order, or `nil` if there is none.
  let overtaking: OvertakingRaces.RecordedRace?
  /// The path of the file with the violating order, or `nil` if it has not been written.
  package private(set) var output: String?

  /// A step that has moved away from its recorded position.
  struct MovedStep: Equatable {
    let step: LogEvent.Action
    /// The recorded number of the preceding action in the violating order, or `nil` if the step comes first.
    let predecessor: Int?
  }

  /// The smallest list of moves that leads from the recorded order to the violating order.
  var moves: [MovedStep] {
    guard let order = result.violation?.order else { return [] }
    let actions = order.filter { log.steps[$0].action != nil }
    let kept = Set(ReorderingMinimizer.longestRise(in: actions))
    var moves: [MovedStep] = []
    var last: Int?
    for index in actions {
      guard let action = log.steps[index].action else { continue }
      if !kept.contains(index) { moves.append(MovedStep(step: action, predecessor: last)) }
      last = action.seq
    }
    return moves
  }

  /// The actions that are missing in the violating order because their effects don't run.
  ///
  /// Actions after the last step of the order are not included. The list is empty if steps have moved.
  private var missing: [LogEvent.Action] {
    guard let order = result.violation?.order, moves.isEmpty, let last = order.max() else {
      return []
    }
    let done = Set(order)
    return (0...last).filter { !done.contains($0) }.compactMap { log.steps[$0].action }
  }

  /// Whether the search found a violating order.
  package var hasViolation: Bool { result.violation != nil }

  /// Writes the replay of the violating order as a log.
  ///
  /// - Parameters:
  ///   - path: The path of the output file, or `-` for standard output.
  ///   - console: The console that writes the file.
  /// - Throws: `StreamError`.
  package mutating func write(to path: String, _ console: Console) throws {
    guard let violation = result.violation else { return }
    try console.write(log: violation.events, to: path, by: ExploreCommand.syntax.name)
    output = path
  }

  package func text(_ style: Style) -> String {
    var lines = [style.bold(Wording.explored(name, judge, result))]
    if let obstacle = result.obstacle, result.transitions > 0 {
      lines.append(Wording.obstacle(obstacle))
    }
    if let gap = log.gap { lines.append(Wording.afterGap(gap)) }
    if result.known > 0 { lines.append(Wording.known(result.known)) }
    if let overtaking { lines.append(Wording.recordedOvertaking(overtaking, style.notation)) }
    if result.unclear > 0 { lines.append(Wording.unclearOrders(result.unclear)) }
    if let violation = result.violation {
      lines.append("")
      if moves.isEmpty, missing.isEmpty {
        lines.append(style.wrapped("  " + Wording.recordedOrderBreaks(violation.kind)))
      }
      lines += missing.map { style.wrapped("  " + Wording.missing($0, style.notation)) }
      lines += moves.map { style.wrapped("  " + Wording.move($0, style.notation)) }
      if let action = violation.action {
        let reason = Wording.breaks(violation, action, judge, style.notation)
        lines += ["", style.wrapped("  " + reason)]
      }
      if let output, output != "-" { lines.append(style.wrapped("  " + Wording.wrote(output))) }
      lines.append("")
    }
    lines.append(style.dim(Wording.effort(result)))
    return lines.joined(separator: "\n") + "\n"
  }

  package var json: JSON {
    var object: JSON.Object = ["log": .string(name)]
    if let rule = judge.rules.first, rule.name == nil {
      object["invariant"] = .string(rule.condition.expression.description)
    }
    let rest: JSON.Object = [
      "held": .bool(result.violation == nil),
      "isComplete": .bool(result.isComplete),
      "seed": .number(JSON.Number(seed)),
      "transitions": .number(JSON.Number(result.transitions)),
      "replays": .number(JSON.Number(result.replays)),
      "places": .number(JSON.Number(result.places)),
      "unclear": .number(JSON.Number(result.unclear)),
      "isInMemory": .bool(result.obstacle == nil),
    ]
    for (name, value) in rest { object[name] = value }
    object["afterGap"] = log.gap.map { .number(JSON.Number($0)) }
    if result.known > 0 { object["known"] = .number(JSON.Number(result.known)) }
    if let overtaking {
      object["recordedOvertaking"] = [
        "seq": .number(JSON.Number(overtaking.seq)),
        "place": .string(overtaking.place.pointer.description),
      ]
    }
    if result.interruption != nil { object["isPartial"] = true }
    if let violation = result.violation {
      var broken: JSON.Object = ["seq": .number(JSON.Number(violation.seq))]
      broken["action"] = violation.action?.action
      broken["recordedSeq"] = violation.action?.originalSeq.map { .number(JSON.Number($0)) }
      switch violation.kind {
      case .trap(let signal): broken["trap"] = .string(signal)
      case .fault(let finding): broken["fault"] = finding.json
      case .rule(let index): broken["invariant"] = judge.rules[index].name.map(JSON.string)
      case .overtaken(let place):
        broken["overtaken"] = .string(place.pointer.description)
        broken["place"] = .string(Notation().pathText(place))
      }
      broken["moves"] = .array(moves.map(\.json))
      object["violation"] = .object(broken)
    }
    object["endedBy"] = result.limit.map { .string($0.rawValue) }
    object["output"] = output.map(JSON.string)
    return .object(object)
  }
}

extension ExploreReport.MovedStep {
  fileprivate var json: JSON {
    var object: JSON.Object = [
      "seq": .number(JSON.Number(step.seq)), "origin": step.origin.json, "action": step.action,
    ]
    object["behind"] = predecessor.map { .number(JSON.Number($0)) }
    return .object(object)
  }
}

extension Explorer.Violation {
  /// The action during or after which the violation occurs, or `nil` if the replay doesn't contain it.
  var action: LogEvent.Action? {
    for case .action(let action) in events where action.seq == seq { return action }
    return nil
  }
}
