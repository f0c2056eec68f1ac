import ActionLog
import ReplayCommands
import ReplayEngine

/// `trace LOG... -o FILE`: writes the events of logs as a trace for Perfetto.
package enum TraceCommand: Command {
  package static let syntax = CommandSyntax(
    name: "trace",
    summary: "write a trace of logs for Perfetto or chrome://tracing",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder to search recursively for *.jsonl; '-' is standard input",
        isRepeated: true
      )
    ],
    options: [
      .output, .force("overwrite a file that is not a trace"),
      CommandSyntax.Option(
        name: "--counter",
        value: "PLACE",
        summary: "also show the number, count or length at this path, such as todos or cart.total",
        isRepeated: true
      ),
      .raw, .full,
    ],
    examples: [
      CommandSyntax.Example("bug.jsonl -o trace.json", "show effects as spans on a timeline")
    ],
    discussion: """
      Writes Chrome trace events (JSON), which ui.perfetto.dev and chrome://tracing open. An action is a slice as long
      as the reducer took, with the action, what it read, what it changed and what it started. An effect is a lane from
      its start to its end, with its calls inside. Arrows lead from an action to the actions that its effects sent. Each
      recording is a process. Segments of a recording, given in their order, are one recording. What a log cuts off ends
      with the log and has an argument 'cut'.

      A counter shows a number as it is, true as 1, a list as its count, a text as its length, and nothing as 0. A path
      such as todos[*].isDone, which matches many values, shows their sum.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let console = context.console
    let output = arguments.value("--output")
    try OverwriteGuard.check(
      output,
      arguments,
      as: .text(beginning: TraceWriter.beginning, name: Wording.trace)
    )
    let counters = try arguments.valuePaths("--counter")
    let logs = OperandLogs(arguments.operands, input: console.input)
    defer { withExtendedLifetime(logs) {} }
    var trace = LogTrace(style: context.style(arguments), counters: counters)
    var failures: [any Error] = []
    try console.write(to: output) { sink in
      try logs.forEachLog { log, _ in
        try read(log, into: &trace, sink, context)
      } unreadable: { _, error in
        failures.append(error)
      }
      // If no log can be read, an existing output file is kept.
      if trace.recordings == 0, let failure = failures.first { throw failure }
      trace.close()
      try sink.write(trace.writer.bytes)
    }
    for failure in failures { context.complain("\(failure)") }
    let missing = trace.missing
    let places = missing.isEmpty ? nil : StatePathSuggestions(in: logs.slices)
    for (place, end) in missing {
      context.complain(
        Wording.nothingToCount(at: place, end.proposing("\(place)", from: places))
      )
    }
    if let output, output != "-" {
      let text = Wording.wroteTrace(output, logs: trace.recordings, actions: trace.actions)
      try console.report(text, besides: output)
    }
    return failures.map { ExitStatus($0) }.max() ?? .same
  }

  /// Adds a log to the trace, and writes the buffer whenever it is full.
  private static func read(
    _ log: LogSlice,
    into trace: inout LogTrace,
    _ sink: any ByteSink,
    _ context: CommandContext
  ) throws {
    do {
      var source = try LogEventIterator(log)
      while let entry = try source.next() {
        trace.traceEvent(entry.event)
        guard trace.writer.bytes.count > mostBuffered else { continue }
        try sink.write(trace.writer.bytes)
        trace.clear()
      }
    } catch let error as LogReadError {
      trace.markUnreadable(error)
      throw error
    }
    for broken in trace.consumeBrokenPatches() {
      context.complain(Wording.brokenPatch(broken, in: log.name))
    }
  }

  /// The size at which the buffer is written, in bytes: the capacity of a pipe on Linux.
  private static let mostBuffered = 64 * 1024
}
