import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `explore LOG`: whether a condition holds in every order of effects' outputs.
package enum ExploreCommand: Command {
  package static let syntax = CommandSyntax(
    name: "explore",
    summary: "look for an order of effects' outputs that breaks a condition",
    operands: [.log],
    options: [
      CommandSyntax.Option(
        name: "--invariant",
        value: "EXPR",
        summary: "what must hold after each action, such as '$.state.count >= 0'"
      ),
      .output, .force,
      CommandSyntax.Option(
        name: "--replays",
        value: "N",
        summary: "end the search after this many replays (\(Explorer.usualReplays))"
      ),
      .budget,
      CommandSyntax.Option(
        name: "--seed",
        value: "S",
        summary: "choose differently among equally near orders (0)"
      ),
      CommandSyntax.Option(
        name: "--strategy",
        value: "systematic|random",
        summary: "how to choose orders (systematic); random is for comparison",
        choices: Explorer.Strategy.allCases.map(\.rawValue)
      ),
      .jobs, .host, .feature, .timeout, .raw, .full, .format,
    ],
    discussion: """
      Replays the log with the outputs of its effects in other orders. The outputs of one effect keep their order, and so
      do the user's actions. No output comes before the action that started its effect, and none from a cancelled effect.
      An effect sends what it sent in the recording, whenever it runs. Orders near the recorded one come first; orders
      that lead to the same state are continued once.

      Ends with status 0 when the condition held in all orders that were tried, and with 1 when one breaks it. --output
      writes that order as a log, which 'run' reproduces.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    guard let invariant = try arguments.condition("--invariant") else {
      throw UsageError.missingOption("--invariant", value: "EXPR", command: syntax.name)
    }
    context.warn(of: invariant)
    try LogOutput.check(arguments.value("--output"), arguments)
    context.interruption.allowPartialResult()
    let (log, spool) = try context.log(arguments.operands[0])
    defer { withExtendedLifetime(spool) {} }
    let threadedLog = try ThreadedLog(try log.events())
    context.warn(of: invariant, "--invariant", in: log)
    let seed = try arguments.seed("--seed") ?? 0
    let deadline = try arguments.deadline("--budget")
    let progress = context.console.progress
    let explorer = Explorer(
      log: threadedLog,
      replayer: EventReplayer(
        hosts: HostPool(context.makeReplayStarter, interruption: context.interruption),
        options: try context.replayOptions(arguments)
      ),
      invariant: invariant,
      strategy: arguments.value("--strategy").flatMap(Explorer.Strategy.init) ?? .systematic,
      seed: seed,
      mostReplays: try arguments.count("--replays") ?? Explorer.usualReplays,
      jobs: try arguments.count("--jobs") ?? context.processors,
      isTimeUp: { deadline.map { ContinuousClock.now >= $0 } ?? false },
      progress: { replays, places in progress.show(Wording.exploring(replays, places)) }
    )
    let result: Explorer.Result
    do {
      result = try explorer.explore()
    } catch let failure as Explorer.Failure {
      throw CannotExplore(log: log.name, failure: failure)
    }
    let output = result.violation == nil ? nil : arguments.value("--output")
    if let output, let violation = result.violation {
      try context.console.write(log: violation.events, to: output, by: syntax.name)
    }
    let report = ExploreReport(
      name: log.name,
      condition: invariant.expression.description,
      seed: seed,
      log: threadedLog,
      result: result,
      output: output
    )
    let style = context.style(arguments)
    try context.console.report(
      arguments.isJSON ? "\(report.json)\n" : style.fitted(report.text(style)),
      besides: output
    )
    context.reportInterruption()
    return result.violation == nil ? .same : .different
  }
}

/// The report of an exploration, as text and as JSON.
struct ExploreReport {
  let name: String
  let condition: String
  let seed: UInt64
  let log: ThreadedLog
  let result: Explorer.Result
  /// Where the violating order was written.
  let output: String?

  /// A step that does not come where it was recorded.
  struct Move: Equatable {
    let step: LogEvent.Action
    /// The recorded number of the action after which it comes; `nil` when it comes first.
    let predecessor: Int?
  }

  /// The moves that make the recorded order the violating one: as few as there can be.
  var moves: [Move] {
    guard let order = result.violation?.order else { return [] }
    let actions = order.filter { log.steps[$0].action != nil }
    let kept = Set(Self.longestRise(in: actions))
    var moves: [Move] = []
    var last: Int?
    for index in actions {
      guard let action = log.steps[index].action else { continue }
      if !kept.contains(index) { moves.append(Move(step: action, predecessor: last)) }
      last = action.seq
    }
    return moves
  }

  /// The most numbers that rise from left to right.
  private static func longestRise(in numbers: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous: [Int?] = []
    for (index, number) in numbers.enumerated() {
      let place = tails.firstIndex { numbers[$0] >= number } ?? tails.count
      previous.append(place > 0 ? tails[place - 1] : nil)
      if place == tails.count { tails.append(index) } else { tails[place] = index }
    }
    var rise: [Int] = []
    var next = tails.last
    while let index = next {
      rise.append(numbers[index])
      next = previous[index]
    }
    return rise.reversed()
  }

  func text(_ style: Style) -> String {
    var lines = [style.bold(Wording.explored(name, condition, result))]
    if result.unclear > 0 { lines.append(Wording.unclearOrders(result.unclear)) }
    if let violation = result.violation {
      lines.append("")
      if moves.isEmpty {
        lines.append("  " + Wording.recordedOrderBreaks(isTrap: violation.trap != nil))
      }
      lines += moves.map { "  " + Wording.move($0, style.notation) }
      if let action = violation.action {
        lines += ["", "  " + Wording.breaks(violation, action, condition, style.notation)]
      }
      if let output { lines.append("  " + Wording.wrote(output)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    var object: JSON.Object = [
      "log": .string(name),
      "invariant": .string(condition),
      "held": .bool(result.violation == nil),
      "isComplete": .bool(result.isComplete),
      "seed": .number(JSON.Number(seed)),
      "replays": .number(JSON.Number(result.replays)),
      "places": .number(JSON.Number(result.places)),
      "unclear": .number(JSON.Number(result.unclear)),
    ]
    if result.interruption != nil { object["isPartial"] = true }
    if let violation = result.violation {
      var broken: JSON.Object = ["seq": .number(JSON.Number(violation.seq))]
      broken["action"] = violation.action?.action
      broken["recordedSeq"] = violation.action?.originalSeq.map { .number(JSON.Number($0)) }
      broken["trap"] = violation.trap.map(JSON.string)
      broken["moves"] = .array(moves.map(\.json))
      object["violation"] = .object(broken)
    }
    object["endedBy"] = result.limit.map { .string($0.rawValue) }
    object["output"] = output.map(JSON.string)
    return .object(object)
  }
}

extension ExploreReport.Move {
  fileprivate var json: JSON {
    var object: JSON.Object = [
      "seq": .number(JSON.Number(step.seq)), "origin": step.origin.json, "action": step.action,
    ]
    object["behind"] = predecessor.map { .number(JSON.Number($0)) }
    return .object(object)
  }
}

extension Explorer.Violation {
  /// The action after which, or within which, it shows.
  var action: LogEvent.Action? {
    for case .action(let action) in events where action.seq == seq { return action }
    return nil
  }
}
