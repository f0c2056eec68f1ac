import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine

/// `bisect LOG`: finds the first action after which a condition holds, or the first commit at which the replay
/// diverges.
package enum BisectCommand: Command {
  package static let syntax = CommandSyntax(
    name: "bisect",
    summary: "find the action or the commit that introduced a problem",
    operands: [.log],
    options: [.when] + commitOptions + [.log, .raw, .full, .format],
    forms: [
      CommandSyntax.Form("--when"),
      CommandSyntax.Form("--good", "--bad", "--build", "--host", allows: ["--when"]),
    ],
    examples: [
      CommandSyntax.Example(
        "bug.jsonl --when 'count < 0'",
        "find the first action after which a condition holds"
      ),
      CommandSyntax.Example(
        "bug.jsonl --good v1.2 --bad HEAD --build 'swift build' --host .build/debug/app-replay",
        "find the first commit with which a log fails"
      ),
    ],
    discussion: """
      With --when alone, reads the log once and shows the first action after which the expression holds, what it
      changed, what led to it, and every later action at which the answer changes. Exits with status 0 if there is such
      an action, and with 1 if there is none.

      An expression refers to the state, as in 'count > 3', or to before, action, seq, origin, effects and reads, as in
      'count > before.count && .saved'. Its full form is RFC 9535: '$.state.count > 3'.

      With --good, --bad, --build and --host, tests commits: builds each commit in a separate worktree and lets its host
      replay the log. A commit is bad if the log diverges or, with --when, if the expression holds in the replay. Skips
      commits that cannot be built, cannot read the log, or replay it differently each time. Results are kept, so you
      can interrupt a search and continue it later.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let given = try arguments.condition("--when")
    if let given { context.warn(of: given) }
    // Without a condition, the arguments are those for testing commits.
    guard let condition = given, !arguments.isGiven("--good") else {
      return try bisectCommits(arguments, given, in: &context)
    }
    let (log, spool) = try context.log(arguments)
    defer { withExtendedLifetime(spool) {} }
    context.interruption.allowPartialResult()
    let interruption = context.interruption
    let events = try log.events()
    let scan = try ConditionScan(
      { try interruption.isRequested ? nil : events() },
      for: condition
    )
    context.warn(of: scan.doubts, "--when", in: log)
    let causes = try scan.first.map { first in
      try CauseChain(of: first).links { try log.events() }
    }
    let report = LogBisectReport(
      name: log.name,
      condition: condition.expression.description,
      scan: scan,
      causes: causes ?? [],
      isPartial: interruption.isRequested
    )
    let style = context.style(arguments)
    try context.console.print(
      arguments.isJSON ? report.json : nil,
      or: style.report(report.text(style))
    )
    context.reportInterruption()
    return scan.first == nil ? .different : .same
  }
}

extension CommandSyntax.Option {
  fileprivate static let good = Self(name: "--good", value: "REV", summary: "a good commit")
  fileprivate static let bad = Self(
    name: "--bad",
    value: "REV",
    summary: "a later, bad commit",
    requires: "--good"
  )
  fileprivate static let build = Self(
    name: "--build",
    value: "CMD",
    summary: "build the host of a commit with this shell command, in a separate worktree",
    requires: "--good"
  )
  fileprivate static let builtHost = Self(
    name: "--host",
    value: "PATH",
    summary: "the path of the built host, relative to the working folder of --build",
    requires: "--good"
  )
}

extension BisectCommand {
  nonisolated static let commitOptions = [
    CommandSyntax.Option.good, .bad, .build, .builtHost,
    CommandSyntax.Option(
      name: "--runs",
      value: "N",
      summary: "replay the log this many times per commit, to detect unstable commits (2)",
      requires: "--good"
    ),
    CommandSyntax.Option(
      name: "--fresh",
      summary: "test commits again that earlier searches tested",
      requires: "--good"
    ),
    .feature.requiring("--good"), .timeout.requiring("--good"),
  ]

  /// Finds the first commit at which the replay diverges, or at which the condition holds.
  static func bisectCommits(
    _ arguments: ParsedArguments,
    _ condition: Condition?,
    in context: inout CommandContext
  ) throws -> ExitStatus {
    let (good, bad) = (try arguments.value(of: .good), try arguments.value(of: .bad))
    let (build, host) = (try arguments.value(of: .build), try arguments.value(of: .builtHost))
    guard !host.hasPrefix("/") else {
      throw UsageError.badValue(
        host,
        option: "--host",
        expected: "a path within the worktree, where each commit's build leaves its host",
        command: syntax.name
      )
    }
    let runs = try arguments.positiveCount("--runs") ?? 2
    context.interruption.allowPartialResult()
    let interruption = context.interruption
    let (log, spool) = try context.log(arguments)
    defer { withExtendedLifetime(spool) {} }
    if let condition { context.warn(of: condition, "--when", in: log, isOfReplays: true) }
    let options = try context.replayOptions(arguments)
    let makeReplayStarter = context.makeReplayStarter
    let worktree = try Worktree(around: FileManager.default.currentDirectoryPath)
    defer { worktree.close() }
    let content = FileManager.default.contents(atPath: log.path) ?? Data()
    let question = [
      content.digest, "\(log.start)", build, host, condition?.expression.description ?? "",
      worktree.prefix,
      arguments.value("--feature") ?? "", String(runs), "\(options.comparison.ignored)",
    ].joined(separator: "\n").utf8.digest
    let cache = CommitCache(path: worktree.cache, question: question)
    let test = CommitTest(
      checkout: worktree.checkout,
      build: build,
      host: host,
      log: log,
      condition: condition,
      options: options,
      runs: runs,
      start: { host, log in
        var options = options
        options.host = host
        return try makeReplayStarter()(log, options)
      },
      buildLog: { [builds = worktree.builds] commit in "\(builds)/\(commit).txt" },
      interruption: interruption
    )
    let isFresh = arguments.isOn("--fresh")
    let console = context.console
    let search = CommitBisection(
      repository: worktree.repository,
      test: { commit in
        if !isFresh, let known = cache[commit] { return known }
        let outcome = try test.test(commit)
        cache[commit] = outcome
        return outcome
      },
      willTest: { commit, suspects in console.complain(Wording.willTest(commit, suspects)) },
      interruption: interruption
    )
    try worktree.add(at: try worktree.repository.commit(bad))
    let result = try search.search(good: good, bad: bad)
    let report = CommitBisectReport(
      log: log.name,
      condition: condition?.expression.description,
      result: result,
      commits: try result.culprit.commits.map { try worktree.repository.describe($0) }
    )
    let style = context.style(arguments)
    try console.print(
      arguments.isJSON ? report.json : nil,
      or: style.report(report.text(style))
    )
    context.reportInterruption()
    return .same
  }
}

extension CommitBisection.Culprit {
  fileprivate var commits: [String] {
    switch self {
    case .first(let commit, _): [commit]
    case .oneOf(let commits, _): commits
    case .unknown: []
    }
  }
}
