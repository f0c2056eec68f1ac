import ActionLog
import ReplayCommands
import ReplayEngine

/// `diff A B`: shows the differences between two logs.
package enum DiffCommand: Command {
  package static let syntax = CommandSyntax(
    name: "diff",
    summary: "show the differences between two logs",
    operands: [
      CommandSyntax.Operand(name: "A", summary: "a log; '-' is standard input"),
      CommandSyntax.Operand(name: "B", summary: "the log to compare it with"),
    ],
    options: [
      CommandSyntax.Option(
        name: "--exact",
        summary:
          "compare event by event, with every id and date, until events do not correspond"
      ),
      CommandSyntax.Option(
        name: "--ignore",
        value: "PLACE",
        summary:
          "ignore this part of the state, such as rows[*].seen; '*' matches every member or element",
        isRepeated: true
      ),
      .raw, .full, .format,
    ],
    examples: [
      CommandSyntax.Example(
        "before.jsonl after.jsonl",
        "show what one log does that the other does not"
      ),
      CommandSyntax.Example(
        "before.jsonl after.jsonl --ignore updatedAt",
        "ignore a part of the state"
      ),
    ],
    discussion: """
      Finds which actions correspond to each other, by what they are and what sent them, and compares those. Ids and
      dates that the two recordings do not share are mapped to each other. Compares values, not bytes, and ignores times
      and source locations. --ignore leaves a path out of the comparison; 'mask --omit' takes it out of a log. Exits with
      status 0 if there is no other difference, and with 1 if there is one.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let names = arguments.operands
    guard names != ["-", "-"] else { throw UsageError.standardInputTwice(command: syntax.name) }
    let ignored = try arguments.patterns("--ignore").flatMap {
      UnmatchedIgnoredPaths.IgnoredPath.places($0, source: .option)
    }
    let options = LogComparison.Options(ignored: ignored.map(\.place))
    let status =
      arguments.isOn("--exact")
      ? try compareExactly(names, options, arguments, context)
      : try compareAligned(names, options, arguments, context)
    warn(of: ignored, in: names, context)
    return status
  }

  /// Warns about ignored paths that neither log contains.
  private static func warn(
    of ignored: [UnmatchedIgnoredPaths.IgnoredPath],
    in names: [String],
    _ context: CommandContext
  ) {
    // Standard input and other streams can't be read a second time.
    guard !names.contains(where: { $0 == "-" || FileSystemItemKind($0) == .stream }) else { return }
    let logs = names.flatMap { (try? LogSlice.slices(of: $0, name: $0)) ?? [] }
    let unmatched = UnmatchedIgnoredPaths(ignored)
    for log in logs { unmatched.scan(through: log, until: .max, matched: []) }
    context.warn(of: unmatched, in: logs)
  }

  /// Returns the values that were not compared because a log holds only their type names.
  private static func notCompared(
    _ log: LogSlice?,
    _ notes: [LogEvent.Finding]
  ) throws -> [UncomparedValue] {
    let values = try log.map { try UncomparedValues(in: $0) }
    return (values ?? UncomparedValues()).list(.opaque, with: notes)
  }
}

// MARK: - Comparison of aligned logs

extension DiffCommand {
  private static func compareAligned(
    _ names: [String],
    _ options: LogComparison.Options,
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> ExitStatus {
    let (first, spool) = try context.logs(names[0])
    let (second, otherSpool) = try context.logs(names[1])
    defer { withExtendedLifetime((spool, otherSpool)) {} }
    // If the files contain different numbers of logs, the text output says so at its end.
    for (logs, name) in zip([first, second], names)
    where first.count == second.count || arguments.isJSON {
      context.report(logs.count, logsOf: name, command: syntax.name)
    }
    let style = context.style(arguments)
    var (documents, isSame): ([JSON], Bool) = ([], first.count == second.count)
    for (log, other) in zip(first, second) {
      var comparison = try AlignedComparison(
        { try events(of: log) },
        { try events(of: other) },
        options: options
      )
      let logs = try comparison.run()
      if logs.features[0] != logs.features[1] {
        context.complain(Wording.otherFeature(logs.features))
      }
      let notCompared = try notCompared(log, logs.notes)
      if !logs.isSame { isSame = false }
      if arguments.isJSON {
        documents.append(json(logs, notCompared))
      } else {
        try context.console.print(text(logs, log.name, other.name, notCompared, style))
      }
    }
    if arguments.isJSON {
      try context.console.print(document(documents, isSame: isSame))
    } else if first.count != second.count {
      try context.console.print(Wording.moreLogs(names, first.count, second.count) + "\n")
    }
    return isSame ? .same : .different
  }

  private static func events(of log: LogSlice) throws -> LogComparison.Events {
    let events = try log.events()
    return { try CommandError.naming(log.name) { try events() } }
  }

  private static func text(
    _ logs: AlignedComparisonResult,
    _ first: String,
    _ second: String,
    _ values: [UncomparedValue],
    _ style: Style
  ) -> String {
    let text = AlignedText(logs, first, second)
    let gaps =
      text.notCompared + (values.isEmpty ? [] : [UncomparedValue.list(values, style.notation)])
    if logs.isSame {
      let parts =
        [Wording.sameLogs(through: logs.first.last)]
        + [Wording.mapped(logs.mappedCounts)].compactMap { $0 }
        + (gaps.isEmpty ? [] : [Wording.notCompared(gaps)])
      return parts.joined(separator: "; ") + "\n"
    }
    let head =
      [Wording.legend(first: first, second: second)]
      + [text.summary, text.lengths].map { style.wrapped($0) }
      + (gaps.isEmpty ? [] : [style.wrapped(Wording.notCompared(gaps))])
    return style.fitted(head.map { "\($0)\n" }.joined() + text.groups(style))
  }

  private static func json(_ logs: AlignedComparisonResult, _ values: [UncomparedValue]) -> JSON {
    var object: JSON.Object = [
      "same": .bool(logs.isSame), "differences": .array(logs.differences.map(\.json)),
      "alignment": logs.alignmentJSON, "mapped": logs.mappedJSON,
    ]
    if !values.isEmpty { object["notCompared"] = .array(values.map(\.json)) }
    return .object(object)
  }

  /// Combines the JSON documents for the logs of two files.
  ///
  /// A single pair of logs has its own document. Several pairs have a document that lists them.
  private static func document(_ pairs: [JSON], isSame: Bool) -> JSON {
    if pairs.count == 1, var object = pairs[0].object {
      object["same"] = .bool(isSame)
      return .object(object)
    }
    return [
      "same": .bool(isSame),
      "differences": .array(pairs.flatMap { $0["differences"]?.array ?? [] }),
      "logs": .array(pairs),
    ]
  }
}

// MARK: - Exact comparison

extension DiffCommand {
  /// Reads the events of a log, and collects its features and its number of actions.
  private final class CountingLogReader {
    private let events: LogComparison.Events
    private(set) var features: [String] = []
    private(set) var actions = 0

    init(_ path: String, _ console: Console) throws(LogReadError) {
      var reader = try console.logReader(of: path)
      let name = path == "-" ? Wording.standardInput : path
      events = { try CommandError.naming(name) { try reader.next()?.event } }
    }

    func next() throws -> LogEvent? {
      let event = try events()
      switch event {
      case .header(let header): features.append(header.feature)
      case .action, .excluded: actions += 1
      default: break
      }
      return event
    }

    /// Reads the remaining events of the log.
    ///
    /// - Returns: The number of remaining actions.
    func finish() throws -> Int {
      let read = actions
      while try next() != nil {}
      return actions - read
    }
  }

  private static func compareExactly(
    _ names: [String],
    _ options: LogComparison.Options,
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> ExitStatus {
    let logs = try names.map { try CountingLogReader($0, context.console) }
    var comparison = LogComparison(
      recorded: { try logs[0].next() },
      replayed: { try logs[1].next() },
      extent: .all,
      options: options
    )
    let result = try comparison.run()
    let features = logs.compactMap(\.features.first)
    // A message about the features comes first, because it explains the differences that follow.
    if features.count > 1, features[0] != features[1] {
      context.console.complain("\(context.program.name): \(Wording.otherFeature(features))")
    }
    let differences = result.differences.map(\.asFound)
    let rest = result.stop == .differs ? try logs.map { try $0.finish() } : [0, 0]
    // Standard input and other streams can't be read a second time.
    let file = names.first { $0 != "-" && FileSystemItemKind($0) != .stream }
    let notCompared = try notCompared(file.map { LogSlice(path: $0, name: $0) }, result.notes)
    if arguments.isJSON {
      var document: JSON.Object = [
        "same": .bool(differences.isEmpty),
        "differences": .array(differences.map(\.json)),
      ]
      if !notCompared.isEmpty { document["notCompared"] = .array(notCompared.map(\.json)) }
      if rest != [0, 0] {
        document["rest"] = [
          "first": .number(JSON.Number(rest[0])), "second": .number(JSON.Number(rest[1])),
        ]
      }
      try context.console.print(JSON.object(document))
    } else if differences.isEmpty {
      let gaps = Wording.notCompared(notCompared, context.style(arguments).notation)
      try context.console.print(Wording.sameLogs(through: result.seq) + gaps + "\n")
    } else {
      let style = context.style(arguments)
      try print(differences, names, style, context.console)
      if rest != [0, 0] {
        try context.console.print("\n" + style.wrapped(Wording.rest(names, rest)) + "\n")
      }
    }
    return differences.isEmpty ? .same : .different
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
  /// The difference with the first log's value as `expected` and the second log's value as `actual`.
  ///
  /// If the logs have different events, `LogComparison` reports the recording's event as `actual`. This property swaps
  /// both values of such a difference.
  package var asFound: LogDifference {
    guard cause == .sequence, message == nil else { return self }
    var difference = self
    (difference.expected, difference.actual) = (actual, expected)
    return difference
  }
}

/// The messages of `diff`.
extension Wording {
  package static func sameLogs(through seq: Int) -> String {
    seq == 0 ? "no difference, without actions" : "no difference, through action \(seq)"
  }

  package static func otherFeature(_ features: [String]) -> String {
    "the logs are of different features, \(features[0]) and \(features[1]); expected two of one feature"
  }

  static func notCompared(_ parts: [String]) -> String {
    "not compared: \(parts.joined(separator: "; "))"
  }

  /// Returns a message that counts the actions after the point where an exact comparison stopped.
  static func rest(_ names: [String], _ counts: [Int]) -> String {
    let parts = zip(names, counts).filter { $0.1 > 0 }
      .map { "\(actions($0.1)) of \(Notation.visible($0.0))" }
    return "not compared: the next \(parts.joined(separator: " and the next ")),"
      + " because the events before them do not correspond; without --exact they are aligned"
  }

  static func moreLogs(_ names: [String], _ first: Int, _ second: Int) -> String {
    let index = first > second ? 0 : 1
    let (more, less) = (max(first, second), min(first, second))
    return
      "\(Notation.visible(names[index])) has \(more) logs, \(Notation.visible(names[1 - index])) \(less);"
      + " the others were not compared"
  }
}
