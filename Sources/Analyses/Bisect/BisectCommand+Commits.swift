import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

extension BisectCommand {
  nonisolated static let commitOptions = [
    CommandSyntax.Option(name: "--good", value: "REV", summary: "a commit at which all is well"),
    CommandSyntax.Option(name: "--bad", value: "REV", summary: "a later one at which it is not"),
    CommandSyntax.Option(
      name: "--build",
      value: "CMD",
      summary: "builds the host of a commit, run by the shell in a worktree of its own"
    ),
    CommandSyntax.Option(
      name: "--host",
      value: "PATH",
      summary: "where the build leaves the host, from where the command runs"
    ),
    CommandSyntax.Option(
      name: "--runs",
      value: "N",
      summary:
        "how often each commit replays the log, to find those that differ from themselves (2)"
    ),
    CommandSyntax.Option(
      name: "--fresh",
      summary: "test again what is known from earlier searches"
    ),
    .feature, .timeout,
  ]

  /// Looks for the first commit at which the log diverges, or at which a condition holds.
  static func bisectCommits(
    _ arguments: ParsedArguments,
    _ condition: Condition?,
    in context: inout CommandContext
  ) throws -> ExitStatus {
    func needed(_ option: String, _ value: String) throws(UsageError) -> String {
      guard let text = arguments.value(option) else {
        throw .missingOption(option, value: value, command: syntax.name)
      }
      return text
    }
    let good = try needed("--good", "REV")
    let bad = try needed("--bad", "REV")
    let build = try needed("--build", "CMD")
    let host = try needed("--host", "PATH")
    guard !host.hasPrefix("/") else {
      throw UsageError.badValue(
        host,
        option: "--host",
        expected: "a path within the worktree, where each commit's build leaves its host",
        command: syntax.name
      )
    }
    let runs = try arguments.count("--runs") ?? 2
    context.interruption.allowPartialResult()
    let interruption = context.interruption
    let (log, spool) = try context.log(arguments.operands[0])
    defer { withExtendedLifetime(spool) {} }
    if let condition { context.warn(of: condition, "--when", in: log, isOfReplays: true) }
    let options = try context.replayOptions(arguments)
    let makeReplayStarter = context.makeReplayStarter
    let worktree = try Worktree(around: FileManager.default.currentDirectoryPath)
    defer { worktree.close() }
    let content = FileManager.default.contents(atPath: log.path) ?? Data()
    let question = [
      content.digest, build, host, condition?.expression.description ?? "", worktree.prefix,
      arguments.value("--feature") ?? "", String(runs), "\(options.comparison.ignored)",
    ].joined(separator: "\n").utf8.digest
    let cache = CommitCache(path: worktree.cache, question: question)
    let test = CommitTest(
      worktree: worktree.checkout,
      prefix: worktree.prefix,
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
    try worktree.open(at: try worktree.repository.commit(bad))
    let result = try search.search(good: good, bad: bad)
    let report = CommitReport(
      log: log.name,
      condition: condition?.expression.description,
      result: result,
      commits: try result.culprit.commits.map { try worktree.repository.describe($0) }
    )
    let style = Style(hasColor: console.hasColor)
    try console.print(arguments.isJSON ? "\(report.json)\n" : report.text(style))
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
