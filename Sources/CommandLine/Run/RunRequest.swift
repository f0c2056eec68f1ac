import ActionLog
import LogTools
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayServing
import Synchronization

/// The request that the arguments of `run` describe.
struct RunRequest {
  let runner: LogRunner
  let jobs: Int
  let isFailFast: Bool
  let isWatching: Bool
  let shard: (index: Int, count: Int)?
  let format: RunFormat
  private let makeReplayStarter: @Sendable () -> CommandContext.ReplayStarter
  private let makeChecker: @Sendable () -> CommandContext.Checker
  private let makeProver: (@Sendable () -> CommandContext.Prover)?
  private let leastStretch: Int
  private let interruption: Interruption

  /// Creates a request from the arguments and the project's settings.
  ///
  /// - Throws: `UsageError` if an argument is invalid, or `CommandError` if the settings can't be read.
  @MainActor init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
    let host = try context.host(arguments)
    let settings = try context.settings()
    let ignored =
      settings.ignored.flatMap { UnmatchedIgnoredPaths.IgnoredPath.places($0, source: .settings) }
      + (try arguments.patterns("--ignore")).flatMap {
        UnmatchedIgnoredPaths.IgnoredPath.places($0, source: .option)
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
    try OverwriteGuard.check(arguments.value("--junit"), arguments, as: .other)
    let until = try arguments.position("--until")
    let options = ReplayOptions(
      host: host ?? context.program.executable,
      feature: arguments.value("--feature"),
      until: until?.seq,
      pauseBefore: try arguments.positiveCount("--pause-before"),
      timeout: try Self.timeout(arguments, settings),
      isContinuing: arguments.isOn("--continue"),
      comparison: LogComparison.Options(
        ignored: ignored.map(\.place),
        isStrict: arguments.isOn("--strict")
      )
    )
    let reference = try Self.reference(arguments, options)
    runner = LogRunner(
      options: options,
      until: until,
      // This process does not know the features of another host.
      features: host == nil ? context.features : nil,
      isExpecting: arguments.isOn("--expected"),
      isAccepting: isAccepting,
      // A shard can't report an unmatched path, because the path may occur in a log of another shard.
      ignored: UnmatchedIgnoredPaths(shard == nil ? ignored : []),
      invariants: try arguments.value("--invariants").map { try Invariants(path: $0) },
      reference: reference,
      isAligned: arguments.isOn("--aligned"),
      isSerial: arguments.isOn("--serial"),
      now: context.now
    )
    jobs = try arguments.positiveCount("--jobs") ?? context.processors
    isFailFast = arguments.isOn("--fail-fast")
    format = arguments.value("--format").flatMap(RunFormat.init) ?? .text
    isWatching = arguments.isOn("--watch")
    if isWatching {
      if isAccepting {
        throw UsageError.conflict("--watch", "--accept", command: arguments.command)
      }
      if format != .text {
        throw UsageError.conflict("--watch", "--format", command: arguments.command)
      }
      if arguments.operands.contains("-") {
        throw UsageError.badOperand(
          "-",
          operand: "LOG",
          expected: Wording.filesToWatch,
          command: arguments.command
        )
      }
    }
    makeReplayStarter = context.makeReplayStarter
    makeChecker = context.makeChecker
    makeProver = context.makeProver
    leastStretch = context.leastStretch
    interruption = context.interruption
  }

  /// Returns the time limit for replaying one log, which is unlimited if the host waits for a debugger.
  private static func timeout(
    _ arguments: ParsedArguments,
    _ settings: Settings
  ) throws(UsageError) -> Double {
    let asked = try arguments.seconds("--timeout")
    guard arguments.value("--pause-before") == nil else { return .infinity }
    return asked ?? settings.timeout ?? ReplayOptions.defaultTimeout
  }

  /// Starts the replays.
  ///
  /// - Parameters:
  ///   - entries: The log files.
  ///   - list: Further files, which follow `entries`, or `nil` if there are none.
  ///   - results: The file to which each result is appended as soon as it is known, independent of the order of the log
  ///     files, or `nil` to write no results.
  /// - Returns: A stream of the reports, in the order of the log files.
  func reports(
    on entries: LogFileList,
    more list: LogPathList? = nil,
    _ results: ResultsFile? = nil
  ) -> AsyncStream<[LogRunReport]> {
    let runner = runner
    let isFailFast = isFailFast
    let makeReplayStarter = makeReplayStarter
    let makeChecker = makeChecker
    let makeProver = makeProver
    let leastStretch = leastStretch
    let jobs = jobs
    let open = UnfinishedFileCount(entries.count)
    return OrderedWork(
      workers: list == nil ? min(jobs, entries.count) : jobs,
      // Each thread has a worker that reuses its hosts for all logs.
      makeWorker: { () -> (OperandLogs.Entry) -> [LogRunReport] in
        let check = makeChecker()
        let start = makeReplayStarter()
        let reference = makeReplayStarter()
        let stretched = makeProver.map { ParallelStretchReplay(least: leastStretch, $0) }
        return { entry in
          // Threads that have no file of their own left are used for stretches. With a list, further files may still
          // arrive.
          let threads = list == nil ? max(1, jobs / max(1, open.count)) : 1
          let stretches = stretched.map { LogRunner.StretchPlan(replay: $0, threads: threads) }
          let digest = results.flatMap { _ in ResultsFile.digest(of: entry) }
          let reports = runner.run(entry, check, start, reference: reference, stretches)
          open.remove()
          results?.append(reports, of: entry, with: digest)
          return reports
        }
      },
      isLast: { reports in
        isFailFast && reports.contains { $0.status != .same } || results?.hasFailed == true
      },
      interruption: interruption,
      item: { $0 < entries.count ? entries[$0] : list?.next() }
    ).results()
  }
}

extension RunRequest {
  static let options: [CommandSyntax.Option] =
    .group("which logs", chosenOptions)
    + .group("what is compared", comparingOptions)
    + .group("the host", hostOptions)
    + .group("how it runs", runningOptions)
    + .group("what is written", writingOptions)

  private static let chosenOptions: [CommandSyntax.Option] = [
    CommandSyntax.Option(
      name: "--files-from",
      value: "LIST",
      summary: "also replay the logs that this file lists, one per line; '-' is standard input"
    ),
    CommandSyntax.Option(
      name: "--shard",
      value: "I/N",
      summary: "replay only the I-th of N parts of the logs"
    ),
    CommandSyntax.Option(
      name: "--resume",
      summary: "skip the logs that already have a result of this host in that file",
      requires: "--results"
    ),
  ]

  private static let comparingOptions: [CommandSyntax.Option] = [
    CommandSyntax.Option(
      name: "--expected",
      summary: "compare each verdict with NAME.verdict.json next to NAME.jsonl"
    ),
    CommandSyntax.Option(
      name: "--accept",
      summary:
        "accept what was found: rewrite the logs or, with --expected, the verdicts"
    ),
    CommandSyntax.Option(
      name: "--ignore",
      value: "PLACE",
      summary:
        "ignore this part of the state, such as rows[*].seen; '*' matches every member or element",
      isRepeated: true
    ),
    CommandSyntax.Option(
      name: "--strict",
      summary: "treat added or removed members, and values that were not compared, as divergences"
    ),
    CommandSyntax.Option(
      name: "--invariants",
      value: "FILE",
      summary: "fail if a state of the replay violates an invariant in this file"
    ),
    CommandSyntax.Option(
      name: "--reference-host",
      value: "PATH",
      summary: "compare with replays by this executable instead of the recordings"
    ),
    CommandSyntax.Option(
      name: "--aligned",
      summary: "align the two replays as 'diff' does, and map ids and dates",
      requires: "--reference-host"
    ),
    CommandSyntax.Option(
      name: "--continue",
      summary: "continue from the recorded state after a divergence, and show all divergences"
    ),
    .until,
  ]

  private static let hostOptions: [CommandSyntax.Option] = [
    .host,
    .feature,
    .timeout,
  ]

  private static let runningOptions: [CommandSyntax.Option] = [
    CommandSyntax.Option(
      name: "--jobs",
      short: "-j",
      value: "N",
      summary:
        "replay this many logs, or stretches of a long log, in parallel (the number of processors)"
    ),
    .serial,
    CommandSyntax.Option(
      name: "--fail-fast",
      summary: "stop at the first failing log"
    ),
    CommandSyntax.Option(
      name: "--watch",
      summary:
        "run again whenever a log or the host changes, until Ctrl-C; open pages of --pages are updated"
    ),
    .pauseBefore,
    .native,
  ]

  private static let writingOptions: [CommandSyntax.Option] = [
    CommandSyntax.Option(
      name: "--verbose",
      short: "-v",
      summary: "show the details of every log that differs, and all output of the host"
    ),
    CommandSyntax.Option(
      name: "--pages",
      value: "FOLDER",
      summary: "write a page for each failing log; see 'view'"
    ),
    CommandSyntax.Option(
      name: "--keep-failed",
      value: "FOLDER",
      summary: "copy each failing log into this folder, with its expected verdict"
    ),
    CommandSyntax.Option(
      name: "--results",
      value: "FILE",
      summary:
        "append the result of each log to this file, one per line, for 'summarize'; '-' is standard output"
    ),
    CommandSyntax.Option(
      name: "--junit",
      value: "FILE",
      summary: "also write the result to this file as JUnit XML"
    ),
    .force("delete the earlier results in the file of --results, and let --junit overwrite a log"),
    .raw,
    .full,
    CommandSyntax.Option(
      name: "--format",
      value: RunFormat.allCases.map(\.rawValue).joined(separator: "|"),
      summary: "the format of the result (text)",
      choices: RunFormat.allCases.map(\.rawValue)
    ),
  ]
}

/// The number of files that are not finished, shared by the threads of a run.
private final class UnfinishedFileCount: Sendable {
  private let number: Atomic<Int>

  init(_ count: Int) { number = Atomic(count) }

  var count: Int { number.load(ordering: .relaxed) }

  func remove() { number.wrappingSubtract(1, ordering: .relaxed) }
}
