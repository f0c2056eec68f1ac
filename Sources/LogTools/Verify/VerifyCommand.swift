import ActionLog
import ReplayCommands
import ReplayEngine

/// `verify LOG...`: checks logs for consistency.
package enum VerifyCommand: Command {
  package static let syntax = CommandSyntax(
    name: "verify",
    summary: "check the structure, numbers, patches and checkpoints of logs",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder to search recursively for *.jsonl; '-' is standard input",
        isRepeated: true
      )
    ],
    options: [
      CommandSyntax.Option(
        name: "--repair",
        value: "OUT",
        summary: "write the valid part of one file of logs to this file; '-' is standard output"
      ),
      .force, .serial, .format,
    ],
    examples: [
      CommandSyntax.Example("Logs", "check each log in a folder"),
      CommandSyntax.Example(
        "damaged.jsonl --repair sound.jsonl",
        "write the part that can be read"
      ),
    ],
    discussion: """
      Needs no host. An unfinished end, left by a process that was killed, is not a problem. Exits with status 0 if all
      logs are valid, with 1 if a log has problems, and with 65 if a log cannot be read at all.

      --repair adds a file to the report. '--output' of other commands names the file of the result itself.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let output = arguments.value("--repair")
    try OverwriteGuard.check(output, arguments)
    let logs = OperandLogs(arguments.operands, input: context.console.input)
    defer { withExtendedLifetime(logs) {} }
    guard let output else {
      var repair: LogRepairer?
      return try verify(logs, arguments, &repair, context)
    }
    guard logs.entries.count == 1, arguments.operands.count == 1 else {
      throw UsageError.oneLogOnly(
        option: "--repair",
        found: logs.entries.count,
        command: arguments.command
      )
    }
    guard output != "-" || !arguments.isJSON else {
      throw UsageError.conflict("--repair -", "--format json", command: syntax.name)
    }
    var status = ExitStatus.same
    var report = ""
    let console = context.console
    try console.write(to: output) { sink in
      var repair: LogRepairer? = LogRepairer(sink, output)
      status = try verify(logs, arguments, &repair, context)
      report = repair?.report ?? ""
    }
    console.complain(report)
    return status
  }

  private static func verify(
    _ logs: OperandLogs,
    _ arguments: ParsedArguments,
    _ repair: inout LogRepairer?,
    _ context: CommandContext
  ) throws -> ExitStatus {
    let console = context.console
    var status = ExitStatus.same
    var documents: [JSON] = []
    let stretched = repair == nil ? ParallelLogReading(arguments, context) : nil
    try logs.forEachLog { log, file in
      let result = try stretched?.verified(log) ?? check(log, &repair)
      status = max(status, result.isSound ? .same : .different)
      documents.append(result.json(log.name))
      guard !arguments.isJSON else { return }
      let text = result.text(log.name, file: file)
      let style = context.style(arguments)
      try console.report(
        style.wrapped(text.withoutControls()),
        besides: arguments.value("--repair")
      )
    } unreadable: { name, error in
      // A repair reads only one file, so the error ends the command.
      if repair != nil { throw error }
      status = max(status, ExitStatus(error))
      documents.append(["log": .string(name), "sound": false, "message": .string("\(error)")])
      context.complain("\(error)")
    }
    if arguments.isJSON { try console.print(["logs": .array(documents)] as JSON) }
    return status
  }

  private static func check(
    _ log: LogSlice,
    _ repair: inout LogRepairer?
  ) throws -> LogVerificationResult {
    var verifier = LogVerifier()
    var source = try LogEventIterator(log)
    repair?.reset()
    while true {
      let before = verifier.problemCount
      do {
        guard let entry = try source.next() else { break }
        verifier.add(entry)
        try repair?.append(entry, isSound: verifier.problemCount == before)
      } catch let error as LogReadError {
        let glued = source.gluedEntries
        guard let line = error.line, verifier.lines > 0 || !glued.isEmpty else { throw error }
        let isLost = glued.isEmpty || source.hasTornStart
        let text =
          switch (glued.count, source.hasTornStart) {
          case (0, _): "\(error)"
          case (let count, true): "\(error); \(Wording.tornStart(count))"
          case (let count, false): Wording.glued(line: line, count)
          }
        let problem = LogVerifier.LineError(line: line, text: text)
        verifier.add(problem, isNote: source.hasBrokenNote || !isLost)
        if !source.hasBrokenNote, isLost { repair?.skip() }
        for entry in glued {
          let before = verifier.problemCount
          verifier.add(entry)
          try repair?.append(entry, isSound: verifier.problemCount == before)
        }
      }
    }
    let notHeld = try UncomparedValues(in: log)
    return LogVerificationResult(verifier, tornTail: source.tornTail, notHeld: notHeld)
  }
}

/// The result of verifying one log, formatted as text or JSON.
struct LogVerificationResult {
  private let verifier: LogVerifier
  private let tornTail: LogReader.TornTail?
  private let notHeld: UncomparedValues

  init(
    _ verifier: LogVerifier,
    tornTail: LogReader.TornTail?,
    notHeld: UncomparedValues = UncomparedValues()
  ) {
    self.verifier = verifier
    self.tornTail = tornTail
    self.notHeld = notHeld
  }

  /// Whether the log has no problems.
  var isSound: Bool { verifier.problemCount == 0 }

  /// Returns a line for each problem in the form `FILE:LINE: error: ...`, as compilers print it, and a summary line.
  func text(_ name: String, file: String) -> String {
    let (name, file) = (Notation.visible(name), Notation.visible(file))
    var lines = verifier.problems.map { "\(file):\($0.line): error: \($0.text)" }
    let unlisted = verifier.problemCount - verifier.problems.count
    if unlisted > 0 { lines.append("\(file): note: \(Wording.unlisted(unlisted))") }
    if let tornTail {
      lines.append("\(file):\(tornTail.line): note: \(Wording.tornTail(tornTail))")
    }
    if verifier.unknown > 0 { lines.append("\(name): note: \(Wording.skipped(verifier.unknown))") }
    let errors = notHeld.list(.error)
    if !errors.isEmpty { lines.append("\(name): note: \(Wording.notReadBack(errors))") }
    lines.append(
      isSound
        ? "\(name): "
          + Wording.sound(verifier.lines, verifier.actions, isClosed: verifier.isClosed)
          + Wording.notCompared(notHeld.list(.opaque))
        : "\(name): \(Wording.problems(verifier.problemCount))"
    )
    return lines.joined(separator: "\n") + "\n"
  }

  func json(_ name: String) -> JSON {
    var object: JSON.Object = [
      "log": .string(name), "sound": .bool(isSound),
      "lines": .number(JSON.Number(verifier.lines)),
      "actions": .number(JSON.Number(verifier.actions)), "closed": .bool(verifier.isClosed),
      "unknown": .number(JSON.Number(verifier.unknown)),
      "problems": .array(
        verifier.problems.map {
          ["line": .number(JSON.Number($0.line)), "message": .string($0.text)]
        }
      ),
    ]
    let unlisted = verifier.problemCount - verifier.problems.count
    if unlisted > 0 { object["unlisted"] = .number(JSON.Number(unlisted)) }
    for (name, kind) in [("notCompared", UncomparedValue.Kind.opaque), ("notReadBack", .error)] {
      let values = notHeld.list(kind)
      if !values.isEmpty { object[name] = .array(values.map(\.json)) }
    }
    object["tornBytes"] = tornTail.map { .number(JSON.Number($0.bytes)) }
    return .object(object)
  }
}

/// Writes the valid parts of the logs in a file.
///
/// After a broken event, the state is unknown up to the next checkpoint, so the events before that checkpoint are
/// omitted. At the checkpoint, a new segment begins with its own header.
struct LogRepairer {
  private let output: String
  private let sink: any ByteSink
  private var header: LogEvent.Header?
  private var isBroken = false
  private var kept = 0
  private var actions = 0

  /// Creates a repairer.
  ///
  /// - Parameters:
  ///   - sink: The sink for the valid events.
  ///   - output: The path of the output file, or `-` for standard output.
  init(_ sink: any ByteSink, _ output: String) { (self.sink, self.output) = (sink, output) }

  /// Prepares for the next log in the file.
  mutating func reset() {
    header = nil
    isBroken = false
  }

  /// Writes an event, unless the event or an earlier one since the last checkpoint has a problem.
  ///
  /// A checkpoint is always written. If it has a problem, or if events before it were omitted, it starts a new segment
  /// with its own header.
  ///
  /// - Parameters:
  ///   - entry: The event with its line.
  ///   - isSound: Whether the verifier found no problem with the event.
  /// - Throws: `StreamError`.
  mutating func append(_ entry: LogReader.Entry, isSound: Bool) throws {
    let kind = entry.event.kind
    if kind == "action" { actions += 1 }
    if case .header(let header) = entry.event, self.header == nil || isBroken {
      (self.header, isBroken) = (header, false)
      return try write(entry.event)
    }
    if !isSound { isBroken = true }
    if isBroken {
      guard kind == "checkpoint", var header else { return }
      isBroken = false
      header.segment += 1
      self.header = header
      try write(.header(header))
    }
    if kind == "action" { kept += 1 }
    try write(entry.event)
  }

  /// Omits a line that can't be parsed, and all events up to the next checkpoint.
  mutating func skip() { isBroken = true }

  /// A message with the number of actions that were kept.
  var report: String { Wording.repaired(output, actions: kept, of: actions) }

  private func write(_ event: LogEvent) throws(StreamError) {
    try sink.write(event.written(by: VerifyCommand.syntax.name, to: output).line + [0x0A])
  }
}
