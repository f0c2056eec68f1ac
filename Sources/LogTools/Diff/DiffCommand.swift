import ActionLog
import ReplayCommands
import ReplayEngine

/// `diff A B`: in what two logs differ.
package enum DiffCommand: Command {
  package static let syntax = CommandSyntax(
    name: "diff",
    summary: "show the differences between two logs",
    operands: [
      CommandSyntax.Operand(name: "A", summary: "a log; '-' is standard input"),
      CommandSyntax.Operand(name: "B", summary: "the log to compare it with"),
    ],
    options: [.format],
    discussion: """
      Values are compared and not bytes; times and places in the source are ignored. Ends with status 0 when there
      is no difference and with 1 when there is one.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let names = arguments.operands
    guard names != ["-", "-"] else { throw UsageError.standardInputTwice(command: syntax.name) }
    var features: [String] = []
    let takeFeature = { (header: LogEvent.Header) in features.append(header.feature) }
    var comparison = LogComparison(
      recorded: try events(names[0], context.console, takeFeature),
      replayed: try events(names[1], context.console, takeFeature),
      extent: .all
    )
    let result = try comparison.run()
    // All that follows is only to be expected then.
    if features.count > 1, features[0] != features[1] {
      context.console.complain("\(context.program.name): \(Wording.otherFeature(features))")
    }
    let differences = result.differences.map(\.asFound)
    if arguments.isJSON {
      let document: JSON = [
        "same": .bool(differences.isEmpty),
        "differences": .array(differences.map(\.json)),
      ]
      try context.console.print("\(document)\n")
    } else if differences.isEmpty {
      try context.console.print(Wording.sameLogs(through: result.seq) + "\n")
    } else {
      try print(differences, names, context.console)
    }
    return differences.isEmpty ? .same : .different
  }

  private static func events(
    _ path: String,
    _ console: Console,
    _ visit: @escaping (LogEvent.Header) -> Void
  ) throws(LogReadError) -> LogComparison.Events {
    var reader = try console.logReader(of: path)
    let name = path == "-" ? Wording.standardInput : path
    return {
      do throws(LogReadError) {
        let event = try reader.next()?.event
        if case .header(let header) = event { visit(header) }
        return event
      } catch {
        // Of two logs it has to be said which one.
        throw CommandError.unreadable(name, error)
      }
    }
  }

  private static func print(
    _ differences: [LogDifference],
    _ names: [String],
    _ console: Console
  ) throws {
    let style = Style(hasColor: console.hasColor)
    try console.print(Wording.legend(first: names[0], second: names[1]) + "\n")
    var rest = differences[...]
    while let seq = rest.first?.seq {
      let group = rest.prefix { $0.seq == seq }
      rest = rest.dropFirst(group.count)
      let lines = DifferenceText(style: style).lines(Array(group)).map { "  \($0)\n" }
      try console.print("\n" + style.bold(Wording.heading(seq)) + "\n" + lines.joined())
    }
  }
}

extension LogDifference {
  /// The difference as two logs have it that are compared as equals.
  ///
  /// Of a replay, the events out of order are those of the recording, which should have been those of the replay.
  fileprivate var asFound: LogDifference {
    guard cause == .sequence, message == nil else { return self }
    var difference = self
    (difference.expected, difference.actual) = (actual, expected)
    return difference
  }
}
