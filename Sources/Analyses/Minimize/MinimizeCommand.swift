import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `minimize LOG`: the fewest actions that still show something.
package enum MinimizeCommand: Command {
  package static let syntax = CommandSyntax(
    name: "minimize",
    summary: "find the fewest actions that still show something",
    operands: [.log],
    options: [
      .when,
      CommandSyntax.Option(
        name: "--traps",
        summary: "that the host still traps in the same kind of action"
      ),
      CommandSyntax.Option(
        name: "--reference-host",
        value: "PATH",
        summary: "that this other host still behaves differently"
      ),
      .output, .force, .host, .feature, .jobs, .timeout, .budget, .format,
    ],
    discussion: """
      One of --when, --traps and --reference-host says what is to be kept. Actions that an effect sent go with the
      action that started the effect. Then the values in the actions are made simpler. Each step is replayed; steps
      that add something odd, such as an action of an effect that is not alive, are not taken. The result is a
      log, which 'run' reproduces. Ends with status 0 when done and 1 when the log does not show it at all.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let output = arguments.value("--output")
    guard let output else {
      throw UsageError.missingOption("--output", value: "FILE", command: syntax.name)
    }
    try LogOutput.check(output, arguments)
    context.interruption.allowPartialResult()
    let (log, spool) = try context.log(arguments.operands[0])
    defer { withExtendedLifetime(spool) {} }
    let story = try Story(try log.events())
    let replayer = StoryReplayer(
      story: story,
      hosts: HostPool(context.makeReplayStarter, interruption: context.interruption),
      options: try context.replayOptions(arguments)
    )
    let property = try property(arguments, replayer, context)
    if case .condition(let condition) = property { context.warn(of: condition, "--when", in: log) }
    let deadline = try arguments.deadline("--budget")
    let progress = context.console.progress
    let minimizer = Minimizer(
      replayer: replayer,
      property: property,
      jobs: try arguments.count("--jobs") ?? context.processors,
      isTimeUp: { deadline.map { ContinuousClock.now >= $0 } ?? false },
      progress: { left, replays in progress.show(Wording.minimizing(left, replays)) }
    )
    let result: Minimizer.Result
    do {
      result = try minimizer.minimize()
    } catch let failure as Minimizer.Failure {
      throw CannotMinimize(log: log.name, failure: failure)
    }
    try context.console.write(log: result.events, to: output, by: syntax.name)
    let report = MinimizeReport(name: log.name, output: output, story: story, result: result)
    try context.console.report(
      arguments.isJSON ? "\(report.json)\n" : report.text,
      besides: output
    )
    context.reportInterruption()
    return .same
  }

  private static func property(
    _ arguments: ParsedArguments,
    _ replayer: StoryReplayer,
    _ context: CommandContext
  ) throws -> MinimizedProperty {
    let options = ["--when", "--traps", "--reference-host"]
    let given = options.filter { arguments.isOn($0) || arguments.value($0) != nil }
    guard let first = given.first else {
      throw UsageError.missingOption(
        options.joined(separator: ", "),
        value: "(one of them)",
        command: syntax.name
      )
    }
    if given.count > 1 { throw UsageError.conflict(first, given[1], command: syntax.name) }
    if let condition = try arguments.condition("--when") {
      context.warn(of: condition)
      return .condition(condition)
    }
    if let path = arguments.value("--reference-host") {
      var options = replayer.options
      options.host = path
      let hosts = HostPool(context.makeReplayStarter, interruption: context.interruption)
      return .difference(
        to: StoryReplayer(story: replayer.story, hosts: hosts, options: options)
      )
    }
    return .trap
  }
}
