import ActionLog
import ReplayCommands
import ReplayEngine

/// `verify LOG...`: whether the events of logs go together.
package enum VerifyCommand: Command {
  package static let syntax = CommandSyntax(
    name: "verify",
    summary: "check structure, numbers, patches and checkpoints of logs",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder that is walked for *.jsonl; '-' is standard input",
        isRepeated: true
      )
    ],
    options: [
      CommandSyntax.Option(
        name: "--repair",
        value: "OUT",
        summary: "write all that is sound of one file of logs"
      ),
      .force, .format,
    ],
    discussion: """
      Needs no host. What a killed writer left unfinished at the end is no problem. Ends with status 0 when all is
      sound, with 1 when a log has problems and with 65 when one cannot be read at all.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    try LogOutput.check(arguments.value("--repair"), arguments)
    let console = context.console
    let logs = LogList(arguments.operands, input: console.input)
    defer { withExtendedLifetime(logs) {} }
    var status = ExitStatus.same
    var documents: [JSON] = []
    var repair = try Repair(arguments, entries: logs.entries.count)
    try logs.forEachLog { log, file in
      let result = try check(log, &repair)
      status = max(status, result.isSound ? .same : .different)
      documents.append(result.json(log.name))
      if !arguments.isJSON { try console.print(result.text(log.name, file: file)) }
    } unreadable: { name, error in
      // What is repaired is one file: there is nothing else to go on with.
      if repair != nil { throw error }
      status = max(status, ExitStatus(error))
      documents.append(["log": .string(name), "sound": false, "message": .string("\(error)")])
      context.complain("\(error)")
    }
    if arguments.isJSON { try console.print("\(["logs": .array(documents)] as JSON)\n") }
    if let text = try repair?.finish() { console.complain(text) }
    return status
  }

  private static func check(_ log: LogSlice, _ repair: inout Repair?) throws -> VerifiedLog {
    var verifier = LogVerifier()
    var source = try LogSource(log)
    repair?.begin()
    while true {
      let before = verifier.problemCount
      do {
        guard let entry = try source.nextSkimmed() else { break }
        verifier.add(entry)
        try repair?.take(entry, isSound: verifier.problemCount == before)
      } catch let error as LogReadError {
        guard let line = error.line, verifier.lines > 0 else { throw error }
        let problem = LogVerifier.Problem(line: line, text: "\(error)")
        verifier.add(problem, isNote: source.hasBrokenNote)
        if !source.hasBrokenNote { repair?.skip() }
      }
    }
    return VerifiedLog(verifier, tornTail: source.tornTail)
  }
}
