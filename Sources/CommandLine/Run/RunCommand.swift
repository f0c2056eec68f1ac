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
    forms: [CommandSyntax.Form("LOG"), CommandSyntax.Form("--files-from", allows: ["LOG"])],
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

      With --results, the result of each log is appended to a file, as one line, as soon as it is known. The file is an
      addition to the report; '--output' of other commands names the file of the result itself. 'summarize' merges such
      files, and its --merge replaces a file as a whole. --resume continues where an earlier run ended: a log is
      replayed again only if the log, the host or an option has changed.

      --ignore leaves a path in the log and out of the comparison; 'mask --omit' takes it out of a log. --accept rewrites
      what later runs compare with; 'summarize --baseline' compares results with earlier ones and changes no file.

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
      // The progress line ends now, because it would appear between the lines of the debugger.
      context.console.progress.end()
      if let debugger = pause.debugger {
        try pause.become(debugger, arguments, request.runner.options, context)
      }
    }
    guard request.isWatching else { return try await run(request, arguments, &pages, context) }
    return try await watch(request, arguments, &pages, in: &context)
  }

  /// Repeats the run when a file on which the result depends has changed, until the command is interrupted.
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
        pages?.prepareForRun(request.runner.options)
        status = try await run(request, arguments, &pages, context)
      case .failure(let error):
        // Settings and invariants may be temporarily invalid while they are edited.
        context.complain("\(error)")
        status = ExitStatus(error)
      }
      // If the run was interrupted, it has already reported the interruption.
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
    let logs = OperandLogs(arguments.operands, input: console.input)
    defer { withExtendedLifetime(logs) {} }
    let list = try request.pathList(arguments, context)
    if let seq = request.runner.options.pauseBefore { try RunPause.check(seq, logs, arguments) }
    let entries = request.shard.map { logs.part($0.index, of: $0.count) } ?? logs.entries
    let detailed: RunText.DetailLevel =
      logs.entries.count == 1 && list == nil || arguments.isOn("--verbose") ? .all : .first
    let resultsPath = arguments.value("--results")
    let caller = CommandSuggestions.InvokedCommand(
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
    var failed = arguments.value("--keep-failed").map { FailedLogCopier(in: $0) }
    var summary = RunSummary()
    var doubts = InvariantWarnings()
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
    try results?.finish()
    try list?.check()
    if let file, let text = junit?.closing(summary) {
      try file.write(text.utf8)
      try file.finish()
    }
    if let stepSummary, let text = markdown?.closing(summary) {
      try RunMarkdown.append(text, to: stepSummary)
    }
    if let pages {
      // A failure to write this file does not affect the run and its status.
      do throws(StreamError) {
        let index = try pages.writeIndex(summary)
        let count = summary.pages.count
        if count > 0 { context.complain(Wording.wrotePages(count, index: index)) }
      } catch {
        context.complain("\(error)")
      }
    }
    context.reportInterruption()
    // If logs were not replayed, the ignored path may occur in one of them.
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
