import ActionLog
import ReplayCommands
import ReplayEngine

/// `stats LOG...`: numbers about logs.
package enum StatsCommand: Command {
  package static let syntax = CommandSyntax(
    name: "stats",
    summary: "show what logs consist of",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder that is walked for *.jsonl; '-' is standard input",
        isRepeated: true
      )
    ],
    options: [.serial, .format],
    examples: [
      CommandSyntax.Example("bug.jsonl", "what a log consists of, and what is slow"),
      CommandSyntax.Example("Logs", "a folder of logs"),
    ]
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let console = context.console
    let logs = LogList(arguments.operands, input: console.input)
    defer { withExtendedLifetime(logs) {} }
    var status = ExitStatus.same
    var documents: [JSON] = []
    let stretched = StretchedReading(arguments, context)
    try logs.forEachLog { log, _ in
      let statistics = try stretched?.statistics(of: log) ?? LogStatistics(of: log)
      if arguments.isJSON {
        var object: JSON.Object = ["log": .string(log.name)]
        for (name, value) in statistics.json.object ?? [:] { object[name] = value }
        documents.append(.object(object))
      } else {
        try console.print(StatisticsText(statistics).text(log.name))
      }
    } unreadable: { name, error in
      status = max(status, ExitStatus(error))
      documents.append(["log": .string(name), "message": .string("\(error)")])
      context.complain("\(error)")
    }
    if arguments.isJSON { try console.print(["logs": .array(documents)] as JSON) }
    return status
  }
}
