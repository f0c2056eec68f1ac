import ActionLog
import ReplayCommands
import ReplayEngine

/// `summarize RESULTS...`: summarizes the results of many logs.
enum SummarizeCommand: Command {
  static let syntax = CommandSyntax(
    name: "summarize",
    summary: "merge results of 'run --results' and group the failures",
    operands: [
      CommandSyntax.Operand(
        name: "RESULTS",
        summary: "a file of results from 'run --results', or of merged results",
        isRepeated: true
      )
    ],
    options: [
      CommandSyntax.Option(
        name: "--baseline",
        value: "RESULTS",
        summary: "show what is new, known and gone compared with these results",
        isRepeated: true
      ),
      CommandSyntax.Option(
        name: "--merge",
        short: "-m",
        value: "FILE",
        summary: "also write the merged results to this file, one line per log"
      ),
      CommandSyntax.Option(
        name: "--pages",
        value: "FOLDER",
        summary:
          "link to the pages that 'run --pages' wrote to this folder, given relative to the report",
        requires: "--format html|markdown"
      ),
      .force("overwrite a file that does not contain results").requiring("--merge"),
      CommandSyntax.Option(
        name: "--format",
        value: Format.allCases.map(\.rawValue).joined(separator: "|"),
        summary: "the format of the result (text)",
        choices: Format.allCases.map(\.rawValue)
      ),
    ],
    examples: [
      CommandSyntax.Example("results.jsonl", "group the failures by cause"),
      CommandSyntax.Example(
        "shard-*.jsonl --format markdown",
        "merge the results of several machines"
      ),
    ],
    discussion: """
      Results can be merged in any order and in several steps. If a log has several results, the latest one counts.
      Exits with the worst status of a log. With --baseline, exits with status 1 if a log fails that passed there, or if
      a cause is new. --baseline reads earlier results and changes no file; 'run --accept' rewrites what later runs
      compare with.

      --merge adds a file to the report, which it replaces as a whole; 'run --results' appends to its file. '--output'
      of other commands names the file of the result itself.
      """
  )

  enum Format: String, CaseIterable {
    case text, json, markdown, html
  }

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let format = arguments.value("--format").flatMap(Format.init) ?? .text
    let pages = arguments.value("--pages").map { "\($0)/\(RunPages.indexName)" }
    try OverwriteGuard.check(
      arguments.value("--merge"),
      arguments,
      as: .text(beginning: RunResult.beginning, name: Wording.results)
    )
    let results = try resultSet(arguments.operands)
    // If no log was replayed, success would prove nothing.
    guard results.count > 0 else { throw ResultsError.isEmpty(arguments.operands) }
    let baseline = arguments.values("--baseline")
    let summary = ResultSummary(results, baseline: baseline.isEmpty ? nil : try resultSet(baseline))
    if let path = arguments.value("--merge") {
      let file = try AtomicFile(path)
      for result in results.results { try file.write(result.line) }
      try file.finish()
    }
    let console = context.console
    switch format {
    case .text: try console.print(SummaryText(summary, context.style(arguments)).text)
    case .json: try console.print(summary.json)
    case .markdown: try console.print(SummaryMarkdown(summary, pages: pages).text)
    case .html: try console.output.write(SummaryPage(summary, pages: pages).text.utf8)
    }
    return summary.exitStatus
  }

  private static func resultSet(_ paths: [String]) throws -> ResultSet {
    var set = ResultSet()
    for path in paths { try set.add(contentsOf: path) }
    return set
  }
}

extension ResultSummary {
  /// The exit status of `summarize`.
  ///
  /// Without a baseline, the status is the worst status of a log. With a baseline, it shows whether a log that passed
  /// fails now, or whether a cause is new.
  var exitStatus: ExitStatus {
    guard let broken else { return status }
    return broken.isEmpty && !groups.contains { $0.isNew } ? .same : .different
  }
}
