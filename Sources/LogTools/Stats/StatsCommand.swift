import ActionLog
import ReplayCommands
import ReplayEngine

/// `stats LOG...`: prints statistics about logs.
package enum StatsCommand: Command {
  package static let syntax = CommandSyntax(
    name: "stats",
    summary: "show statistics of logs",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder to search recursively for *.jsonl; '-' is standard input",
        isRepeated: true
      )
    ],
    options: [
      CommandSyntax.Option(
        name: "--sort",
        value: StatisticsOrder.allCases.map(\.rawValue).joined(separator: "|"),
        summary:
          "sort rows by count, time, size or name (count; logs in the given order)",
        choices: StatisticsOrder.allCases.map(\.rawValue)
      ),
      CommandSyntax.Option(
        name: "--verbose",
        short: "-v",
        summary: "with several logs, show each one in full"
      ),
      .serial, .format,
    ],
    examples: [
      CommandSyntax.Example("bug.jsonl", "show what a log consists of, and what is slow"),
      CommandSyntax.Example("Logs --sort time", "show a folder of logs, the longest first"),
    ],
    discussion: """
      With several logs, shows the totals, a line for each log, and the ten slowest actions, the ten largest changes and
      the ten most frequent actions of all of them. Effects whose ids differ only in their values share a line.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let console = context.console
    let logs = OperandLogs(arguments.operands, input: console.input)
    defer { withExtendedLifetime(logs) {} }
    var status = ExitStatus.same
    var documents: [JSON] = []
    var overview = StatisticsOverview()
    // The statistics of a single log are printed in full, so they are held until the input shows a second log.
    var only: (name: String, statistics: LogStatistics)?
    var count = 0
    let style = context.style(arguments)
    let order = arguments.value("--sort").flatMap(StatisticsOrder.init)
    func show(_ statistics: LogStatistics, _ name: String) throws {
      let text = StatisticsText(statistics, style, order: order ?? .count)
      try console.print(text.text(name))
    }
    let stretched = ParallelLogReading(arguments, context)
    try logs.forEachLog { log, _ in
      let statistics = try stretched?.statistics(of: log) ?? LogStatistics(of: log)
      count += 1
      if let broken = statistics.growth.broken {
        context.complain(Wording.brokenGrowth(broken, in: log.name))
      }
      if arguments.isJSON {
        var object: JSON.Object = ["log": .string(log.name)]
        for (name, value) in statistics.json.object ?? [:] { object[name] = value }
        documents.append(.object(object))
      } else if arguments.isOn("--verbose") {
        try show(statistics, log.name)
      } else {
        only = count == 1 ? (log.name, statistics) : nil
        overview.add(statistics, log.name)
      }
    } unreadable: { name, error in
      status = max(status, ExitStatus(error))
      documents.append(["log": .string(name), "message": .string("\(error)")])
      context.complain("\(error)")
    }
    if arguments.isJSON {
      try console.print(["logs": .array(documents)] as JSON)
    } else if let only {
      try show(only.statistics, only.name)
    } else if count > 0, !arguments.isOn("--verbose") {
      try console.print(overview.text(style, order: order))
    }
    return status
  }
}

/// The messages of `stats`.
extension Wording {
  static func brokenGrowth(_ broken: LogCursor.BrokenPatch, in log: String) -> String {
    "\(Notation.visible(log)): \(broken); sizes of the state are missing from there to the next checkpoint"
  }
}
