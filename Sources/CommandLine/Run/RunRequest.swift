import ActionLog
import ReplayCommands
import ReplayEngine

/// What the arguments of `run` ask for.
struct RunRequest {
  let runner: LogRunner
  let jobs: Int
  let isFailFast: Bool
  let shard: (index: Int, count: Int)?
  let format: RunFormat
  private let makeReplayStarter: @Sendable () -> CommandContext.ReplayStarter
  private let interruption: Interruption

  /// Reads the arguments, and what the project has settled besides.
  ///
  /// - Throws: `UsageError`, `CommandError`.
  @MainActor init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
    let host = try context.host(arguments)
    let settings = try context.settings()
    let ignored =
      settings.ignored.map { IgnoredPaths.Place(place: $0, source: .settings) }
      + (try arguments.pointers("--ignore")).map {
        IgnoredPaths.Place(place: $0, source: .option)
      }
    shard = try arguments.shard("--shard")
    let isAccepting = arguments.isOn("--accept")
    if isAccepting, arguments.value("--until") != nil {
      throw UsageError.conflict("--accept", "--until", command: arguments.command)
    }
    if arguments.value("--junit") == "-" {
      throw UsageError.badValue(
        "-",
        option: "--junit",
        expected: Wording.fileBesideTheResult,
        command: arguments.command
      )
    }
    try LogOutput.check(arguments.value("--junit"), arguments)
    runner = LogRunner(
      options: ReplayOptions(
        host: host ?? context.program.executable,
        feature: arguments.value("--feature"),
        until: try arguments.seq("--until"),
        timeout: try arguments.seconds("--timeout") ?? settings.timeout
          ?? ReplayOptions.defaultTimeout,
        isContinuing: arguments.isOn("--continue"),
        comparison: LogComparison.Options(
          ignored: ignored.map(\.place),
          isStrict: arguments.isOn("--strict")
        )
      ),
      // Another host knows by itself what it has.
      features: host == nil ? context.features : nil,
      isExpecting: arguments.isOn("--expected"),
      isAccepting: isAccepting,
      // Of a part of the logs nothing could be said: the others may have what these have not.
      ignored: IgnoredPaths(shard == nil ? ignored : []),
      now: context.now
    )
    jobs = try arguments.count("--jobs") ?? context.processors
    isFailFast = arguments.isOn("--fail-fast")
    format = arguments.value("--format").flatMap(RunFormat.init) ?? .text
    makeReplayStarter = context.makeReplayStarter
    interruption = context.interruption
  }

  /// The reports on logs, in the order of the logs.
  func reports(on entries: [LogList.Entry]) -> AsyncStream<[RunReport]> {
    let runner = runner
    let isFailFast = isFailFast
    let makeReplayStarter = makeReplayStarter
    return OrderedWork(
      items: entries,
      workers: jobs,
      // A worker keeps what it replays with from one log to the next.
      makeWorker: { () -> (LogList.Entry) -> [RunReport] in
        let start = makeReplayStarter()
        return { entry in runner.run(entry, start) }
      },
      isLast: { reports in isFailFast && reports.contains { $0.status != .same } },
      interruption: interruption
    ).results()
  }
}

extension RunRequest {
  static let options: [CommandSyntax.Option] = [
    CommandSyntax.Option(
      name: "--expected",
      summary: "compare each verdict with NAME.verdict.json beside NAME.jsonl"
    ),
    CommandSyntax.Option(
      name: "--accept",
      summary:
        "take what is found for what is expected: rewrite the logs, with --expected the verdicts"
    ),
    CommandSyntax.Option(
      name: "--ignore",
      value: "POINTER",
      summary: "leave out this part of the state; '*' stands for each member or element",
      isRepeated: true
    ),
    CommandSyntax.Option(
      name: "--strict",
      summary: "differ when log and code have not the same members"
    ),
    CommandSyntax.Option(
      name: "--jobs",
      short: "-j",
      value: "N",
      summary: "replay this many logs at once (as many as there are processors)"
    ),
    CommandSyntax.Option(
      name: "--shard",
      value: "I/N",
      summary: "replay the I-th of N parts of the logs"
    ),
    CommandSyntax.Option(
      name: "--fail-fast",
      summary: "begin no other log after one that is not well"
    ),
    CommandSyntax.Option(
      name: "--continue",
      summary: "go on behind a divergence, from the recorded state, and show all that diverge"
    ),
    .until, .feature, .host, .timeout,
    CommandSyntax.Option(
      name: "--verbose",
      short: "-v",
      summary: "show the details of every log that differs, and all that the host wrote"
    ),
    CommandSyntax.Option(
      name: "--junit",
      value: "FILE",
      summary: "write the result to this file as well, as JUnit XML"
    ),
    .force,
    CommandSyntax.Option(
      name: "--format",
      value: RunFormat.allCases.map(\.rawValue).joined(separator: "|"),
      summary: "how to write the result (text)",
      choices: RunFormat.allCases.map(\.rawValue)
    ),
  ]
}
