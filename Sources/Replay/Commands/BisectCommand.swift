import ActionLog

/// `bisect LOG --when EXPR`: the first action after which something holds.
enum BisectCommand: Command {
  static let syntax = CommandSyntax(
    name: "bisect",
    summary: "find the action or the commit that brought something about",
    operands: [.log],
    options: [.when, .format],
    discussion: """
      With --when alone the log is read once: the first action after which the expression holds, what it has
      changed, what led to it, and every place at which the answer changes. Ends with status 0 when there is one, 1 when
      there is none.

      An expression is a logical expression of RFC 9535 over $.seq, $.action, $.origin, $.before, $.state,
      $.effects and $.reads.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    guard let condition = try arguments.condition("--when") else {
      throw UsageError.missingOption("--when", value: "EXPR", command: syntax.name)
    }
    context.warn(of: condition)
    let (log, spool) = try context.log(arguments.operands[0])
    defer { withExtendedLifetime(spool) {} }
    let scan = try ConditionScan(try log.events(), for: condition)
    let causes = try scan.first.map { first in
      try CauseChain(of: first).links { try log.events() }
    }
    let report = BisectReport(
      name: log.name,
      condition: condition.expression.description,
      scan: scan,
      causes: causes ?? []
    )
    let style = Style(hasColor: context.console.hasColor)
    try context.console.print(arguments.isJSON ? "\(report.json)\n" : report.text(style))
    return scan.first == nil ? .different : .same
  }
}

extension CommandContext {
  /// The first log of a file, or of standard input, which is kept as a file to be read more than once.
  func log(_ operand: String) throws -> (log: LogSlice, spool: TemporaryFile?) {
    guard operand == "-" else {
      return (try LogSlice.slices(of: operand, name: operand)[0], nil)
    }
    let file = try TemporaryFile(copying: console.input)
    return (try LogSlice.slices(of: file.path, name: Wording.standardInput)[0], file)
  }
}
