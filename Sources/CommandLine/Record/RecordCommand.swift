import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `record FEATURE --actions FILE -o LOG`: runs a feature live, with its effects, and records it.
enum RecordCommand: Command {
  static let syntax = CommandSyntax(
    name: "record",
    summary: "run a feature live with the recorder on",
    operands: [CommandSyntax.Operand(name: "FEATURE", summary: "the feature's name")],
    options: [
      CommandSyntax.Option(
        name: "--actions",
        value: "FILE",
        summary: "the actions to send, one JSON value a line; '-' is standard input"
      ),
      .output,
      CommandSyntax.Option(
        name: "--timeout",
        value: "SECONDS",
        summary: "end the recording after this time, whatever still runs"
      ),
      CommandSyntax.Option(
        name: "--calls",
        summary: "write the calls that effects make of dependency clients, too"
      ),
      .host,
    ],
    discussion: """
      A line of the file is an action as a log writes it, {"$wait": SECONDS}, or {"$finish": true}, which waits until
      no effect of the feature runs; a presented child is not an effect. After 3 seconds it says what it waits for. The
      log is written while the feature runs, and stays when the feature traps. An existing log is never touched; the new
      one gets a free name beside it. When --timeout ends a recording, the log ends there, and the status is 69.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    guard let actions = arguments.value("--actions") else {
      throw UsageError.missingOption("--actions", value: "FILE", command: syntax.name)
    }
    guard let output = arguments.value("--output") else {
      throw UsageError.missingOption("--output", value: "FILE", command: syntax.name)
    }
    let name = arguments.operands[0]
    let timeout = try arguments.seconds("--timeout")
    if let host = try context.host(arguments) {
      let limit = arguments.value("--timeout").map { ["--timeout", $0] } ?? []
      let calls = arguments.isOn("--calls") ? ["--calls"] : []
      try HostExecution.become(
        host,
        arguments: ["record", "--actions", actions, "--output", output] + limit + calls
          + ["--", name]
      )
    }
    context.console.reserveStreams()
    let entry = try context.features.entry(named: name)
    guard let record = entry.record else { throw CommandError.cannotRecord(name) }
    // The actions are read twice: to check each of them, and to send them.
    let copy = try TemporaryFile.copy(of: actions, input: context.console.input)
    defer { withExtendedLifetime(copy) {} }
    let script = try ActionScript(
      path: copy?.path ?? actions,
      name: actions == "-" ? Wording.standardInput : actions
    )
    let (console, program) = (context.console, context.program.name)
    context.interruption.allowPartialResult()
    let interruption = context.interruption
    let recordsCalls = arguments.isOn("--calls")
    func recorded(in path: String) async throws -> (summary: RecordSummary, status: ExitStatus) {
      var request = RecordRequest(feature: name, steps: script.steps, path: path, timeout: timeout)
      request.recordsCalls = recordsCalls
      request.didWait = { waiting in
        console.complain("\(program): \(Wording.waiting(waiting, at: script.place))")
      }
      let task = Task { @MainActor [request] in try await record(request) }
      // The log is closed where it ends.
      let action = interruption.onRequest { task.cancel() }
      defer { interruption.cancelAction(action) }
      do { return (try await task.value, .same) } catch let error as RecordRequest.StepError {
        throw script.failure(of: error)
      } catch let error as RecordRequest.TimeoutError {
        console.complain("\(program): \(Wording.timeIsUp(error, at: script.place))")
        return (error.summary, .hostFailed)
      }
    }
    guard output == "-" || FileKind(output) == .stream else {
      let (summary, status) = try await recorded(in: output)
      try console.print(Wording.recorded(summary))
      context.reportInterruption()
      return status
    }
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let (summary, status) = try await recorded(in: folder.path + "/log.jsonl")
    let log = try FileHandle(readingLog: summary.path)
    try console.write(to: output) { sink in
      while let chunk = try log.read(upToCount: 1024 * 1024), !chunk.isEmpty {
        try sink.write(chunk)
      }
    }
    context.reportInterruption()
    return status
  }
}
