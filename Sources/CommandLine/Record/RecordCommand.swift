import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `record FEATURE --actions FILE -o LOG`: runs a feature live, with its effects, and records it.
enum RecordCommand: Command {
  static let syntax = CommandSyntax(
    name: "record",
    summary: "run a feature live with the recorder on",
    operands: [
      CommandSyntax.Operand(
        name: "FEATURE",
        summary: "the name of the feature; with --from, the log names it",
        isOptional: true
      )
    ],
    options: [
      CommandSyntax.Option(
        name: "--actions",
        value: "FILE",
        summary: "send the actions in this file, one per line; '-' is standard input"
      ),
      .requiredOutput,
      CommandSyntax.Option(
        name: "--from",
        value: "LOG",
        summary: "continue from the state in this log; without --actions, type the actions"
      ),
      CommandSyntax.Option(
        name: "--until",
        value: "POSITION",
        summary: "continue after this action, or at this time (the end)",
        requires: "--from",
        formerName: "--through"
      ),
      CommandSyntax.Option(
        name: "--timeout",
        value: "SECONDS",
        summary: "end the recording after this time, even if effects still run"
      ),
      CommandSyntax.Option(
        name: "--calls",
        summary: "also record the calls that effects make to dependency clients"
      ),
      .host,
    ],
    forms: [
      CommandSyntax.Form("FEATURE", "--actions"),
      CommandSyntax.Form("--from", allows: ["FEATURE", "--actions"]),
    ],
    examples: [
      CommandSyntax.Example(
        "Counter --actions script.actions -o counter.jsonl",
        "send the actions in a file"
      ),
      CommandSyntax.Example(
        "--from bug.jsonl --until 12 -o further.jsonl",
        "continue from a log with typed actions"
      ),
    ],
    discussion: """
      Each line of the file is an action, as in a log ({"saved":{"_0":1}}) or in Swift notation (.saved(1)), or one of
      two instructions. {"$wait": SECONDS} waits for this time. {"$finish": true} waits until no effect of the feature
      runs; a presented child is not an effect. After 3 seconds, 'record' reports what it is waiting for.

      The log is written while the feature runs, and is kept if the feature traps. An existing log is never changed: the
      new log gets an unused name next to it. If --timeout ends a recording, the log ends there and the status is 69.

      With --from, the feature starts in the state of the log. Its effects are stopped unless the host defines how they
      restart. Actions on standard input are sent as soon as they are typed. A line that cannot be sent is reported and
      skipped. Each action is shown as it arrives. Between actions, words of the debugger such as 'print count', 'info
      effects' and 'list' show what was recorded so far. 'help' lists these words, and 'quit' ends the recording. The
      new log names the log and the action from which it continues, and 'run' replays it like any other log.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let origin = arguments.value("--from")
    let position = try arguments.position("--until")
    // With --from, actions may be typed.
    let actions = arguments.value("--actions") ?? "-"
    let output = try arguments.value(of: .requiredOutput)
    let timeout = try arguments.seconds("--timeout")
    // By default, the feature resumes after the last action that the log contains completely.
    let through = try origin.flatMap { origin in
      position == .end
        ? nil : try position?.seq(in: LogSlice(path: origin, name: origin))
    }
    if let host = try context.host(arguments) {
      let limit = arguments.value("--timeout").map { ["--timeout", $0] } ?? []
      let calls = arguments.isOn("--calls") ? ["--calls"] : []
      try HostExecution.become(
        host,
        arguments: ["record", "--actions", actions, "--output", output] + limit + calls
          + (origin.map { ["--from", $0] } ?? []) + (through.map { ["--until", "\($0)"] } ?? [])
          + ["--"] + arguments.operands
      )
    }
    context.console.reserveStreams()
    let start = origin.map { RecordRequest.Start(.file($0), through: through) }
    let entry = try entry(named: arguments.operands.first, start, among: context.features)
    let name = entry.name
    guard let record = entry.record else { throw CommandError.cannotRecord(name) }
    let (console, program) = (context.console, context.program.name)
    let isTyped = start != nil && actions == "-"
    let types = entry.types
    let samples: ActionScript.Reader.Samples = {
      var samples = (try? start?.log.notationSamples()) ?? OmittedNotationParts()
      if let types {
        samples.outline = TypeOutline(of: types.action)
        for type in [types.state, types.action] { LoggedTypeLookup.registerRoot(type) }
      }
      return samples
    }
    // A stream is copied, because a script is read twice: to validate all actions and to send them.
    let copy = isTyped ? nil : try TemporaryFile.copy(of: actions, input: context.console.input)
    defer { withExtendedLifetime(copy) {} }
    let live =
      isTyped
      ? LiveSession(
        context,
        context.style(arguments),
        usesError: output == "-",
        samples: samples
      ) : nil
    let script =
      isTyped
      ? nil
      : try ActionScript(
        path: copy?.path ?? actions,
        name: actions == "-" ? Wording.standardInput : actions,
        samples: samples
      )
    context.interruption.allowPartialResult()
    let interruption = context.interruption
    let recordsCalls = arguments.isOn("--calls")
    func recorded(in path: String) async throws -> (summary: RecordSummary, status: ExitStatus) {
      var request = RecordRequest(
        feature: name,
        steps: script?.steps ?? RecordRequest.Steps([]),
        path: path,
        timeout: timeout
      )
      request.recordsCalls = recordsCalls
      request.start = start
      request.didResume = { resumed in
        guard let text = Wording.resumed(resumed) else { return }
        console.complain("\(program): \(text)")
      }
      let place = { script?.place ?? Wording.standardInput }
      request.didWait = { waiting in
        console.complain("\(program): \(Wording.waiting(waiting, at: place()))")
      }
      live?.connect(&request)
      let task = Task { @MainActor [request] in try await record(request) }
      // If the task is canceled, the recording closes the log properly.
      let action = interruption.onRequest { task.cancel() }
      defer { interruption.cancelAction(action) }
      do {
        let summary = try await task.value
        await live?.finish()
        return (summary, live?.hasRefused == true ? .unreadable : .same)
      } catch let error as RecordRequest.StepError {
        throw script?.failure(of: error) ?? error
      } catch let error as RecordRequest.TimeoutError {
        await live?.finish()
        console.complain("\(program): \(Wording.timeIsUp(error, at: place()))")
        return (error.summary, .hostFailed)
      }
    }
    guard output == "-" || FileSystemItemKind(output) == .stream else {
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

  /// Returns the feature that the arguments name, or else the feature that the log names.
  private static func entry(
    named name: String?,
    _ start: RecordRequest.Start?,
    among features: FeatureCatalog
  ) throws -> FeatureEntry {
    guard let start else { return try features.entry(named: name ?? "") }
    // The headers are read even if the arguments name a feature, so that a missing log is reported early.
    let headers = try ResumePoint.headers(of: start.log)
    if let name { return try features.entry(named: name) }
    guard let header = headers.first else { throw ResumeError.noState }
    return try features.entry(for: header)
  }
}
