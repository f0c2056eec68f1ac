import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `explore LOG`: whether something holds in whatever order effects answer.
package enum ExploreCommand: Command {
  package static let syntax = CommandSyntax(
    name: "explore",
    summary: "look for an order of effects' outputs that breaks a condition",
    operands: [.log],
    options: [
      CommandSyntax.Option(
        name: "--invariant",
        value: "EXPR",
        summary: "what is to hold after each action, such as '$.state.count >= 0'"
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
        summary: "choose among orders that are equally near in another way (0)"
      ),
      CommandSyntax.Option(
        name: "--strategy",
        value: "systematic|random",
        summary: "how to choose orders (systematic); random is what it is measured by",
        choices: Explorer.Strategy.allCases.map(\.rawValue)
      ),
      .jobs, .host, .feature, .timeout, .format,
    ],
    discussion: """
      The outputs of effects come in other orders than they were recorded in: those of one effect keep their order, none
      comes before the action that started its effect, and what comes of an effect that has been cancelled does not arrive.
      What the user did keeps its order. An effect is taken to send the same whenever it runs. Orders near to the
      recorded one come first, and those that lead to the same state are continued once.

      Ends with status 0 when the condition held in all orders that were tried, 1 when one breaks it, which --output
      writes as a log that 'run' reproduces.
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
    let arrivals = try Arrivals(try log.events())
    context.warn(of: invariant, "--invariant", in: log)
    let seed = try arguments.seed("--seed") ?? 0
    let deadline = try arguments.deadline("--budget")
    let progress = context.console.progress
    let explorer = Explorer(
      arrivals: arrivals,
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
      arrivals: arrivals,
      result: result,
      output: output
    )
    let style = Style(hasColor: context.console.hasColor)
    try context.console.report(
      arguments.isJSON ? "\(report.json)\n" : report.text(style),
      besides: output
    )
    context.reportInterruption()
    return result.violation == nil ? .same : .different
  }
}
