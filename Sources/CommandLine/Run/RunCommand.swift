import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// `run LOG...`: replays logs and says whether the behaviour is the same.
enum RunCommand: Command {
  static let syntax = CommandSyntax(
    name: "run",
    summary: "replay logs and compare",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder that is walked for *.jsonl; '-' is standard input",
        isRepeated: true
      )
    ],
    options: RunRequest.options,
    discussion: """
      Logs are replayed in processes of their own. Identical, cut and reproduced traps end with status 0, other
      verdicts with 1; several logs end with the worst. With --expected, 0 means that all is as expected.
      .tca-replay.json in the working folder may hold "host", "ignore" and "timeout".
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let request = try RunRequest(arguments, context)
    let console = context.console
    context.interruption.allowPartialResult()
    let logs = LogList(arguments.operands, input: console.input)
    defer { withExtendedLifetime(logs) {} }
    let entries = request.shard.map { logs.part($0.index, of: $0.count) } ?? logs.entries
    let hasDetails = logs.entries.count == 1 || arguments.isOn("--verbose")
    var writer = request.format.writer(
      style: Style(hasColor: console.hasColor),
      hasDetails: hasDetails,
      host: request.runner.options.host,
      isVerbose: arguments.isOn("--verbose")
    )
    let file = try arguments.value("--junit").map { try AtomicFile($0) }
    var junit = RunJUnit()
    var summary = RunSummary()
    for await reports in request.reports(on: entries) {
      summary.files += 1
      var text = ""
      for report in reports {
        summary.add(report)
        text += writer.text(report)
        _ = junit.text(report)
      }
      if !text.isEmpty { try console.print(text) }
      if entries.count > 1 { console.progress.show(Wording.progress(summary, of: entries.count)) }
    }
    summary.notReplayed = entries.count - summary.files
    summary.interruption = context.interruption.signal
    try console.print(writer.closing(summary))
    try file?.write(junit.closing(summary).utf8)
    try file?.finish()
    if request.format == .github, let path = context.environment["GITHUB_STEP_SUMMARY"] {
      try StepSummary(summary).append(to: path)
    }
    context.reportInterruption()
    // The logs that were left out may have what the others have not.
    if summary.notReplayed == 0 {
      let missing = request.runner.ignored.missing
      for place in missing.places {
        context.complain(Wording.ignoresNothing(place, logs: missing.logs))
      }
    }
    return summary.status
  }
}
