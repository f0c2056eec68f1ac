import ActionLog

/// `stats LOG...`: what logs consist of.
enum StatsCommand: Command {
  static let syntax = CommandSyntax(
    name: "stats",
    summary: "show what logs consist of",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder that is walked for *.jsonl; '-' is standard input",
        isRepeated: true
      )
    ],
    options: [.format]
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let console = context.console
    var spooled: TemporaryFile?
    let logs = LogList(arguments.operands) {
      let file = try spooled ?? TemporaryFile(copying: console.input)
      spooled = file
      return file.path
    }
    var documents: [JSON] = []
    for entry in logs.entries {
      guard case .file(let path, let name) = entry else {
        if case .failure(_, let error) = entry { throw error }
        continue
      }
      for log in try LogSlice.slices(of: path, name: name) {
        let statistics = try statistics(of: log)
        if arguments.isJSON {
          var object: JSON.Object = ["log": .string(log.name)]
          for (name, value) in statistics.json.object ?? [:] { object[name] = value }
          documents.append(.object(object))
        } else {
          try console.print(StatisticsText(statistics).text(log.name))
        }
      }
    }
    if arguments.isJSON { try console.print("\(["logs": .array(documents)] as JSON)\n") }
    withExtendedLifetime(spooled) {}
    return .same
  }

  private static func statistics(of log: LogSlice) throws -> LogStatistics {
    var statistics = LogStatistics()
    var source = try LogSource(log)
    while let entry = try source.nextSkimmed() { statistics.add(entry) }
    return statistics
  }
}
