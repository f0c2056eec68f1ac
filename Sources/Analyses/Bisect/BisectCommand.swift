import ActionLog
import ReplayCommands
import ReplayEngine

/// `bisect LOG`: the first action after which something holds, or the first commit at which the log goes another way.
package enum BisectCommand: Command {
  package static let syntax = CommandSyntax(
    name: "bisect",
    summary: "find the action or the commit that brought something about",
    operands: [.log],
    options: [.when] + commitOptions + [.format],
    discussion: """
      With --when alone the log is read once: the first action after which the expression holds, what it has
      changed, what led to it, and every place at which the answer changes. Ends with status 0 when there is one, 1 when
      there is none.

      An expression is a logical expression of RFC 9535 over $.seq, $.action, $.origin, $.before, $.state,
      $.effects and $.reads.

      With --good, --bad, --build and --host commits are tested: each one is checked out and built in a worktree of its
      own, and its host replays the log. The first commit at which the log diverges is bad, or, with --when, the first at
      whose replay the expression holds. Commits that cannot be built or cannot read the log, or whose replays
      differ from each other, are skipped. What is known of a commit is kept, so that an interrupted search goes on.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let condition = try arguments.condition("--when")
    if let condition { context.warn(of: condition) }
    if arguments.value("--good") != nil || arguments.value("--bad") != nil {
      return try bisectCommits(arguments, condition, in: &context)
    }
    guard let condition else {
      throw UsageError.missingOption("--when", value: "EXPR", command: syntax.name)
    }
    let (log, spool) = try context.log(arguments.operands[0])
    defer { withExtendedLifetime(spool) {} }
    context.interruption.allowPartialResult()
    let interruption = context.interruption
    let events = try log.events()
    let scan = try ConditionScan(
      { try interruption.isRequested ? nil : events() },
      for: condition
    )
    context.warn(of: scan.doubts, "--when")
    let causes = try scan.first.map { first in
      try CauseChain(of: first).links { try log.events() }
    }
    let report = BisectReport(
      name: log.name,
      condition: condition.expression.description,
      scan: scan,
      causes: causes ?? [],
      isPartial: interruption.isRequested
    )
    let style = Style(hasColor: context.console.hasColor)
    try context.console.print(arguments.isJSON ? "\(report.json)\n" : report.text(style))
    context.reportInterruption()
    return scan.first == nil ? .different : .same
  }
}
