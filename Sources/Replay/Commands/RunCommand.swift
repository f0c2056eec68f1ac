import ActionLog
import Foundation

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
    options: [
      CommandSyntax.Option(
        name: "--expected",
        summary: "compare each verdict with NAME.verdict.json beside NAME.jsonl"
      ),
      .feature, .until, .host,
      CommandSyntax.Option(
        name: "--timeout",
        value: "SECONDS",
        summary: "kill a host that takes longer for one log (60)"
      ),
      CommandSyntax.Option(
        name: "--verbose",
        short: "-v",
        summary: "show the details of every log that differs"
      ),
      .format,
    ],
    discussion: """
      Each log is replayed in a process of its own. Identical, cut and reproduced traps end with status 0, other
      verdicts with 1; several logs end with the worst. With --expected, 0 means that all is as expected.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let host = context.host(arguments)
    let runner = LogRunner(
      options: ReplayOptions(
        host: host ?? context.program.executable,
        feature: arguments.value("--feature"),
        until: try arguments.seq("--until"),
        timeout: try arguments.seconds("--timeout") ?? ReplayOptions.defaultTimeout
      ),
      // Another host knows by itself what it has.
      features: host == nil ? context.features : nil,
      isExpecting: arguments.isOn("--expected"),
      start: context.startReplay
    )
    var spooled: TemporaryFile?
    let logs = LogList(arguments.operands) {
      let file = try spooled ?? TemporaryFile(copying: context.console.input)
      spooled = file
      return file.path
    }
    var reports: [RunReport] = []
    let isSingle = logs.entries.count == 1
    for entry in logs.entries {
      for report in runner.run(entry) {
        reports.append(report)
        guard !arguments.isJSON else { continue }
        let text = RunReportText(style: Style(hasColor: context.console.hasColor))
        let hasDetails = isSingle || arguments.isOn("--verbose")
        try context.console.print(text.text(report, hasDetails: hasDetails))
      }
    }
    if arguments.isJSON {
      try context.console.print("\(RunReport.document(reports))\n")
    } else if reports.count > 1 {
      let same = reports.count { $0.status == .same }
      try context.console.print(
        Wording.summary(same: same, others: reports.count - same) + "\n"
      )
    }
    withExtendedLifetime(spooled) {}
    return reports.map(\.status).max() ?? .same
  }
}
