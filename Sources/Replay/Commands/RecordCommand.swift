import ActionLog
import Foundation

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
      .output, .host,
    ],
    discussion: """
      A line of the file of actions is an action as a log writes it, or {"$wait": SECONDS}, or {"$finish": true},
      which waits until no effect is alive. The log is written while the feature runs, and stays when it traps; a
      log that exists is never touched, the new one gets a free name beside it.
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
    if let host = try context.host(arguments) {
      try HostExecution.become(
        host,
        arguments: ["record", "--actions", actions, "--output", output, "--", name]
      )
    }
    context.console.reserveStreams()
    let entry = try context.features.entry(named: name)
    guard let record = entry.record else { throw CommandError.cannotRecord(name) }
    let script = try ActionScript.read(actions, console: context.console)
    func recorded(in path: String) async throws -> RecordSummary {
      do {
        return try await record(RecordRequest(feature: name, steps: script.steps, path: path))
      } catch let error as RecordRequest.StepError { throw script.failure(of: error) }
    }
    guard output == "-" || FileKind(output) == .stream else {
      try context.console.print(Wording.recorded(try await recorded(in: output)))
      return .same
    }
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/log.jsonl"
    let summary = try await recorded(in: path)
    let log = try FileHandle(readingLog: summary.path)
    try context.console.write(to: output) { sink in
      while let chunk = try log.read(upToCount: 1024 * 1024), !chunk.isEmpty {
        try sink.write(chunk)
      }
    }
    return .same
  }
}
