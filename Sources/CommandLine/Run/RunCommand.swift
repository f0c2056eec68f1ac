import ActionLog
import LogTools
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import Synchronization

/// `run LOG...`: replays logs and reports whether the behavior is the same.
enum RunCommand: Command {
  static let syntax = CommandSyntax(
    name: "run",
    summary: "replay logs and report differences",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder to search recursively for *.jsonl; '-' is standard input",
        isRepeated: true,
        isOptional: true
      )
    ],
    options: RunRequest.options,
    examples: [
      CommandSyntax.Example("SampleLogs/todos.jsonl", "replay one log and show where it differs"),
      CommandSyntax.Example(
        "Logs --host .build/debug/app-replay",
        "replay a folder of logs with the host of an app"
      ),
      CommandSyntax.Example(
        "Logs --expected --junit results.xml",
        "compare the verdicts with the expected ones in CI"
      ),
      CommandSyntax.Example(
        "Logs --pages Pages --results results.jsonl",
        "write a page for each failing log, and a result for every log"
      ),
      CommandSyntax.Example("bug.jsonl --continue", "show all divergences of a log"),
    ],
    discussion: """
      Replays each log in a process of its own. Exits with status 0 for the verdicts identical, cut and trap reproduced,
      and with 1 for all others. With several logs, the worst status counts. With --expected, 0 means that every verdict
      is as expected.

      With --results, the result of each log is appended to a file, as one line, as soon as it is known. 'summarize'
      merges such files. --resume continues where an earlier run ended: a log is replayed again only if the log, the
      host or an option has changed.

      Each line of the list of --files-from is a path, or {"path":"/tmp/1.jsonl","log":"the name in results"}. The list
      is read while its logs are replayed, so a program can write a path and read the result before it writes the next
      path.

      If there are fewer logs than jobs, a long log is replayed in parallel stretches between its checkpoints. This can
      only prove that the log is identical; otherwise it is replayed again from its beginning.

      The file .tca-replay.json in the working folder can contain "host", "ignore" and "timeout".

      Each line of the file of --invariants is NAME: EXPR, such as
        total is not negative: total >= 0
      A line [Todos] starts the invariants of one feature, and # starts a comment. Each invariant is evaluated after
      every action; an invariant of the state alone is also evaluated on the first state. A log that violates an
      invariant results in status 1, whatever its verdict.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let request = try RunRequest(arguments, context)
    let pause = try RunPause(arguments)
    var pages = try arguments.value("--pages").map {
      try RunPages(in: $0, context, request.runner.options, isWatching: request.isWatching)
    }
    if let pause {
      // The progress line would appear between the lines of the debugger.
      context.console.progress.end()
      if let debugger = pause.debugger {
        try pause.become(debugger, arguments, request.runner.options, context)
      }
    }
    guard request.isWatching else { return try await run(request, arguments, &pages, context) }
    return try await watch(request, arguments, &pages, in: &context)
  }

  /// Repeats the run whenever a file that the result depends on has changed, until the command is interrupted.
  private static func watch(
    _ request: RunRequest,
    _ arguments: ParsedArguments,
    _ pages: inout RunPages?,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let files = WatchedFiles(
      logs: arguments.operands,
      host: request.runner.options.host,
      settings: ["\(context.folder)/\(Settings.name)"] + arguments.values("--invariants")
    )
    while true {
      let before = files.traces
      let status: ExitStatus
      switch Result(catching: { try RunRequest(arguments, context) }) {
      case .success(let request):
        pages?.beginRun(request.runner.options)
        status = try await run(request, arguments, &pages, context)
      case .failure(let error):
        // Settings and invariants may be temporarily invalid while they are edited.
        context.complain("\(error)")
        status = ExitStatus(error)
      }
      // The run was interrupted and has already reported it.
      guard !context.interruption.isRequested else { return status }
      context.console.progress.end()
      context.complain(Wording.watching)
      let changes = await files.changes(since: before, context) { [pages] in
        pages?.giveSignOfWaiting()
      }
      guard let changed = changes else {
        try pages?.freeze()
        context.interruption.fulfil()
        return status
      }
      context.complain(Wording.runsAgain(changed))
    }
  }

  private static func run(
    _ request: RunRequest,
    _ arguments: ParsedArguments,
    _ pages: inout RunPages?,
    _ context: CommandContext
  ) async throws -> ExitStatus {
    let console = context.console
    context.interruption.allowPartialResult()
    let logs = LogList(arguments.operands, input: console.input)
    defer { withExtendedLifetime(logs) {} }
    let list = try request.pathList(arguments, context)
    if let seq = request.runner.options.pauseBefore { try RunPause.check(seq, logs, arguments) }
    let entries = request.shard.map { logs.part($0.index, of: $0.count) } ?? logs.entries
    let detailed: RunText.Detailed =
      logs.entries.count == 1 && list == nil || arguments.isOn("--verbose") ? .all : .first
    let resultsPath = arguments.value("--results")
    let caller = NextSteps.Caller(
      program: context.program.name,
      host: arguments.value("--host"),
      reference: arguments.value("--reference-host"),
      isAligned: arguments.isOn("--aligned"),
      isContinuing: arguments.isOn("--continue")
    )
    var writer = request.format.writer(
      style: context.style(arguments),
      detailed: detailed,
      host: request.runner.options.host,
      isVerbose: arguments.isOn("--verbose"),
      caller: caller,
      folder: context.folder
    )
    let file = try arguments.value("--junit").map { try AtomicFile($0) }
    let style = context.style(arguments).withoutColor
    var junit = file.map { _ in RunJUnit(style: style) }
    let stepSummary = request.format == .github ? context.environment["GITHUB_STEP_SUMMARY"] : nil
    var markdown = stepSummary.map { _ in
      RunMarkdown(style: style, caller: caller, linksPages: false)
    }
    var failed = arguments.value("--keep-failed").map { FailedLogs(in: $0) }
    var summary = RunSummary()
    var doubts = InvariantDoubts()
    let results = try request.results(arguments, context)
    let (open, earlier) = results?.split(entries) ?? (entries, [])
    summary.add(earlier)
    if !earlier.isEmpty { context.complain(Wording.resumed(earlier.count)) }
    for await reports in request.reports(on: open, more: list, results) {
      summary.files += 1
      var text = ""
      for report in reports {
        summary.add(report)
        doubts.add(report.invariants ?? [])
        do { summary.pages[report.name] = try pages?.write(for: report) } catch {
          context.complain(Wording.noPage(of: report.name, error))
        }
        text += writer.text(report)
        _ = junit?.text(report)
        _ = markdown?.text(report)
        try failed?.copyLog(report)
      }
      if !text.isEmpty { try console.report(text, besides: resultsPath) }
      if open.count > 1, list == nil {
        console.progress.show(Wording.progress(summary, of: open.count))
      }
    }
    summary.notReplayed = max(open.count - summary.files, 0)
    summary.interruption = context.interruption.signal
    try console.report(writer.closing(summary), besides: resultsPath)
    try results?.check()
    try list?.check()
    if let file, let text = junit?.closing(summary) {
      try file.write(text.utf8)
      try file.finish()
    }
    if let stepSummary, let text = markdown?.closing(summary) {
      try RunMarkdown.append(text, to: stepSummary)
    }
    if let pages {
      // A failure here does not affect the run and its status, as with a page.
      do throws(StreamError) {
        let index = try pages.writeIndex(summary)
        let count = summary.pages.count
        if count > 0 { context.complain(Wording.wrotePages(count, index: index)) }
      } catch {
        context.complain("\(error)")
      }
    }
    context.reportInterruption()
    // Otherwise a log that was not replayed may have the path.
    if summary.notReplayed == 0 {
      context.warn(of: request.runner.ignored, in: logs.slices)
      if request.shard == nil, let invariants = request.runner.invariants {
        let features = request.runner.features
        doubts.warnings(of: invariants, features: features).forEach(context.complain)
      }
    }
    return summary.status
  }
}

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

  /// Reads the arguments and the project's settings.
  ///
  /// - Throws: `UsageError`, `CommandError`.
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
    try LogOutput.check(arguments.value("--junit"), arguments, as: .other)
    let until = try arguments.position("--until")
    let options = ReplayOptions(
      host: host ?? context.program.executable,
      feature: arguments.value("--feature"),
      until: until?.seq,
      pauseBefore: try arguments.count("--pause-before"),
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
      // The features of another host are not known here.
      features: host == nil ? context.features : nil,
      isExpecting: arguments.isOn("--expected"),
      isAccepting: isAccepting,
      // A shard can't report an unmatched path, because a log of another shard may have it.
      ignored: UnmatchedIgnoredPaths(shard == nil ? ignored : []),
      invariants: try arguments.value("--invariants").map { try Invariants(path: $0) },
      reference: reference,
      isAligned: arguments.isOn("--aligned"),
      isSerial: arguments.isOn("--serial"),
      now: context.now
    )
    jobs = try arguments.count("--jobs") ?? context.processors
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

  /// Returns the time limit of a host.
  ///
  /// While the host waits for a debugger, the time is unlimited.
  private static func timeout(
    _ arguments: ParsedArguments,
    _ settings: Settings
  ) throws(UsageError) -> Double {
    let asked = try arguments.seconds("--timeout")
    guard arguments.value("--pause-before") == nil else { return .infinity }
    return asked ?? settings.timeout ?? ReplayOptions.defaultTimeout
  }

  /// Returns the reports in the order of the logs.
  ///
  /// - Parameters:
  ///   - entries: The files.
  ///   - list: Further files, which follow `entries`.
  ///   - results: The file that receives each result as soon as it is known, independent of the order of the files.
  /// - Returns: The reports.
  func reports(
    on entries: LogFileList,
    more list: LogPathList? = nil,
    _ results: ResultsFile? = nil
  ) -> AsyncStream<[RunReport]> {
    let runner = runner
    let isFailFast = isFailFast
    let makeReplayStarter = makeReplayStarter
    let makeChecker = makeChecker
    let makeProver = makeProver
    let leastStretch = leastStretch
    let jobs = jobs
    let open = OpenCount(entries.count)
    return OrderedWork(
      workers: list == nil ? min(jobs, entries.count) : jobs,
      // A worker reuses its hosts for all logs.
      makeWorker: { () -> (LogList.Entry) -> [RunReport] in
        let check = makeChecker()
        let start = makeReplayStarter()
        let reference = makeReplayStarter()
        let stretched = makeProver.map { StretchedReplay(least: leastStretch, $0) }
        return { entry in
          // The jobs that have no log of their own left. With a list, further logs may still arrive.
          let threads = list == nil ? max(1, jobs / max(1, open.count)) : 1
          let stretches = stretched.map { LogRunner.Stretches(replay: $0, threads: threads) }
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

/// The number of logs that are not finished.
private final class OpenCount: Sendable {
  private let number: Atomic<Int>

  init(_ count: Int) { number = Atomic(count) }

  var count: Int { number.load(ordering: .relaxed) }

  func remove() { number.wrappingSubtract(1, ordering: .relaxed) }
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
      summary: "skip the logs that already have a result of this host in the file of --results"
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
        "update the baseline: rewrite the logs or, with --expected, the verdicts"
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
      summary: "with --reference-host: align the two replays as 'diff' does, and map ids and dates"
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
    .force,
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
