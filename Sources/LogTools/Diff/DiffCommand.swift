import ActionLog
import ReplayCommands
import ReplayEngine

/// `diff A B`: the differences between two logs.
package enum DiffCommand: Command {
  package static let syntax = CommandSyntax(
    name: "diff",
    summary: "show the differences between two logs",
    operands: [
      CommandSyntax.Operand(name: "A", summary: "a log; '-' is standard input"),
      CommandSyntax.Operand(name: "B", summary: "the log to compare it with"),
    ],
    options: [.raw, .full, .format],
    discussion: """
      Compares values, not bytes, and ignores times and places in the source. Ends with status 0 when there is no
      difference and with 1 when there is one.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let names = arguments.operands
    guard names != ["-", "-"] else { throw UsageError.standardInputTwice(command: syntax.name) }
    let console = context.console
    let diff = try LogDiff(
      { try events(names[0], console, $0) },
      { try events(names[1], console, $0) },
      notCompared: { try notCompared(names, $0) }
    )
    // The differences that follow are no surprise then.
    if let features = diff.otherFeatures {
      context.console.complain("\(context.program.name): \(Wording.otherFeature(features))")
    }
    if arguments.isJSON {
      try context.console.print(diff.json)
    } else if diff.isSame {
      let gaps = Wording.notCompared(diff.notCompared, context.style(arguments).notation)
      try context.console.print(Wording.sameLogs(through: diff.seq) + gaps + "\n")
    } else {
      try print(diff.differences, names, context.style(arguments), context.console)
    }
    return diff.isSame ? .same : .different
  }

  /// The values of which one of the logs holds the type alone; a log that came through standard input is not there any more.
  private static func notCompared(
    _ names: [String],
    _ notes: [LogEvent.Finding]
  ) throws -> [UncomparedValue] {
    let file = names.first { $0 != "-" && FileKind($0) != .stream }
    let values = try file.map { try UncomparedValues(in: LogSlice(path: $0, name: $0)) }
    return (values ?? UncomparedValues()).list(.opaque, with: notes)
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
        // The message names the log, because there are two.
        throw CommandError.unreadable(name, error)
      }
    }
  }

  private static func print(
    _ differences: [LogDifference],
    _ names: [String],
    _ style: Style,
    _ console: Console
  ) throws {
    try console.print(Wording.legend(first: names[0], second: names[1]) + "\n")
    var rest = differences[...]
    while let seq = rest.first?.seq {
      let group = rest.prefix { $0.seq == seq }
      rest = rest.dropFirst(group.count)
      let lines = DifferenceText(style: style).lines(Array(group)).map { "  \($0)\n" }
      let text = "\n" + style.bold(Wording.heading(seq)) + "\n" + lines.joined()
      try console.print(style.fitted(text))
    }
  }
}

extension LogDifference {
  /// The difference with the first log's side as `expected`, whatever its cause.
  ///
  /// A difference in sequence reports the recording's event as the one that was found where the replay has another; here it is turned around.
  package var asFound: LogDifference {
    guard cause == .sequence, message == nil else { return self }
    var difference = self
    (difference.expected, difference.actual) = (actual, expected)
    return difference
  }
}

/// The words of `diff`.
extension Wording {
  package static func sameLogs(through seq: Int) -> String {
    seq == 0 ? "no difference, without actions" : "no difference, through action \(seq)"
  }

  package static func otherFeature(_ features: [String]) -> String {
    "the logs are of different features, \(features[0]) and \(features[1]); expected two of one feature"
  }

  package static func heading(_ seq: Int) -> String {
    seq == 0 ? "before the first action" : "action \(seq)"
  }
}
