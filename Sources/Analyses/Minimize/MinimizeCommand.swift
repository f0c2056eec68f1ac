import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `minimize LOG`: removes the actions that a property doesn't need, and simplifies the values in the other actions.
package enum MinimizeCommand: Command {
  package static let syntax = CommandSyntax(
    name: "minimize",
    summary: "find the fewest actions that still show a problem",
    operands: [.log],
    options: [
      .when,
      CommandSyntax.Option(
        name: "--traps",
        summary: "keep a trap in the same kind of action"
      ),
      CommandSyntax.Option(
        name: "--reference-host",
        value: "PATH",
        summary: "keep a difference from the replay by this executable"
      ),
      .log, .requiredOutput, .force, .host, .feature, .jobs, .timeout, .budget, .raw, .full,
      .format,
    ],
    forms: [
      CommandSyntax.Form("--when"), CommandSyntax.Form("--traps"),
      CommandSyntax.Form("--reference-host"),
    ],
    examples: [
      CommandSyntax.Example(
        "bug.jsonl -o small.jsonl --when 'count < 0'",
        "find the fewest actions after which a condition holds"
      ),
      CommandSyntax.Example(
        "crash.jsonl -o small.jsonl --traps",
        "find the fewest actions that still trap"
      ),
    ],
    discussion: """
      One of --when, --traps and --reference-host defines what to keep. Removes actions, and simplifies the values in the
      remaining ones. Removing an action also removes what the effects that it started sent. Each step is replayed. A
      step that introduces an irregularity, such as an action of an effect that is not alive, is rejected. The result is
      a log that 'run' reproduces. Exits with status 0 when done, and with 1 if the replay of the log does not
      show the problem.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let output = try arguments.value(of: .requiredOutput)
    try OverwriteGuard.check(output, arguments)
    context.interruption.allowPartialResult()
    let (recorded, spool) = try context.log(arguments)
    let options = try context.replayOptions(arguments)
    let hosts = HostPool(context)
    let (log, migrated) = try hosts.current(recorded, options)
    defer { withExtendedLifetime((spool, migrated)) {} }
    let property = try property(arguments, context)
    if case .condition(let condition) = property { context.warn(of: condition, "--when", in: log) }
    let progress = context.console.progress
    let request = MinimizeRequest(
      log: log,
      hosts: hosts,
      options: options,
      property: property,
      jobs: try arguments.positiveCount("--jobs") ?? context.processors,
      deadline: try arguments.deadline("--budget"),
      progress: { progress.show($0) }
    )
    var report = try request.run(in: context)
    try report.write(to: output, context.console)
    let style = context.style(arguments)
    try context.console.report(
      arguments.isJSON ? "\(report.json)\n" : style.report(report.text(style)),
      besides: output
    )
    context.reportInterruption()
    return .same
  }

  private static func property(
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> MinimizeRequest.RequestedProperty {
    if let condition = try arguments.condition("--when") {
      context.warn(of: condition)
      return .condition(condition)
    }
    if let path = arguments.value("--reference-host") {
      return .difference(fromHost: path)
    }
    return .trap
  }
}

/// Formats the result of a minimization as text and as JSON.
package struct MinimizeReport {
  let name: String
  /// The path of the minimized log, or `nil` if it has not been written.
  package private(set) var output: String?
  let log: CausalLog
  let result: Minimizer.Result

  /// The remaining units, with the action's number in the minimized log (`seq`) and in the original log (`recorded`).
  package var units: [(seq: Int, recorded: Int, action: JSON)] {
    var sends: Set<EffectID> = []
    var written: [Int] = []
    for event in result.events {
      switch event {
      case .checkpoint(let checkpoint): sends.formUnion(checkpoint.effects.sends)
      case .change(let change): sends.formUnion(change.effects.sends)
      case .action(let action):
        // An action that the reducer sends through a `.send` effect is not a unit.
        if let id = action.origin.directEffect, sends.contains(id) { continue }
        written.append(action.seq)
      default: break
      }
    }
    return zip(written, result.subset.units.sorted()).map { seq, unit in
      let action = result.subset.actions[unit] ?? log.units[unit].action
      return (seq, log.units[unit].seq, action)
    }
  }

  /// The number of actions in the minimized log that the reducer itself sends.
  private var produced: Int {
    let actions = result.events.count { if case .action = $0 { true } else { false } }
    return max(0, actions - result.subset.units.count)
  }

  /// Writes the minimized log.
  ///
  /// - Parameters:
  ///   - path: The path of the output file, or `-` for standard output.
  ///   - console: The console that writes the file.
  /// - Throws: `StreamError`.
  package mutating func write(to path: String, _ console: Console) throws {
    try console.write(log: result.events, to: path, by: MinimizeCommand.syntax.name)
    output = path
  }

  package func text(_ style: Style) -> String {
    var lines = [
      Wording.minimized(
        name,
        from: log.units.count,
        to: result.subset.units.count,
        and: produced,
        output,
        result
      )
    ]
    lines += units.map { unit in
      "  \(Wording.wasAction(unit.seq))  \(style.notation.action(unit.action))"
        + (unit.recorded == unit.seq ? "" : Wording.whichWas(unit.recorded))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  package var json: JSON {
    var object: JSON.Object = [
      "log": .string(name),
      "output": output.map(JSON.string) ?? .null,
      "isMinimal": .bool(result.isMinimal),
      "replays": .number(JSON.Number(result.replays)),
      "inMemory": .number(JSON.Number(result.inMemory)),
      "actions": [
        "before": .number(JSON.Number(log.units.count)),
        "after": .number(JSON.Number(result.subset.units.count)),
      ],
      "produced": .number(JSON.Number(produced)),
      "kept": .array(
        units.map { unit in
          [
            "seq": .number(JSON.Number(unit.recorded)),
            "writtenSeq": .number(JSON.Number(unit.seq)), "action": unit.action,
          ]
        }
      ),
    ]
    if result.interruption != nil { object["isPartial"] = true }
    return .object(object)
  }
}

extension [EffectDescription] {
  /// The ids of the `.send` effects in the descriptions, including nested ones.
  fileprivate var sends: [EffectID] {
    flatMap(\.flattened).compactMap { $0.operation == .send ? $0.id : nil }
  }
}
