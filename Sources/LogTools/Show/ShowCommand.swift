import ActionLog
import ReplayCommands
import ReplayEngine

/// `show LOG`: actions, changes and the state at any point, from the log alone.
package enum ShowCommand: Command {
  package static let syntax = CommandSyntax(
    name: "show",
    summary: "show the actions, changes and states of a log",
    operands: [.log],
    options: [
      CommandSyntax.Option(
        name: "--at",
        value: "SEQ",
        summary: "show the state after this action (0: the first state)"
      ),
      CommandSyntax.Option(
        name: "--path",
        value: "PTR",
        summary: "only what is at this path; without --at, the actions that changed it"
      ),
      CommandSyntax.Option(
        name: "--range",
        value: "A..B",
        summary: "only these actions, both ends included; A is one action"
      ),
      .format,
    ]
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let at = try arguments.seq("--at")
    let path = try arguments.pointer("--path")
    let range = try arguments.range("--range") ?? 0...Int.max
    if at != nil, arguments.value("--range") != nil {
      throw UsageError.conflict("--at", "--range", command: syntax.name)
    }
    let name = arguments.operands[0]
    if let at {
      var seek =
        name == "-"
        ? StateSeek(LogReader(context.console.input, name: Wording.standardInput))
        : try StateSeek(name, for: at, cache: context.cacheFolder)
      try show(&seek, at: at, path, isJSON: arguments.isJSON, context.console)
      return .same
    }
    let style = Style(hasColor: context.console.hasColor)
    var printer = LogPrinter(
      arguments.isJSON ? TimelineJSON(path: path) : TimelineText(style: style),
      path: path,
      range: range
    )
    var events =
      name == "-"
      ? RangeReader(LogReader(context.console.input, name: Wording.standardInput))
      : try RangeReader(name, range, cache: context.cacheFolder)
    do {
      while let entry = try events.next() {
        if try !printer.take(entry) { try events.skipLog() }
        if printer.output.count > 64 * 1024 {
          try context.console.output.write(printer.output)
          printer.clear()
        }
      }
    } catch let error where !(error is StreamError) {
      // The lines before the error are shown.
      try context.console.output.write(printer.output)
      throw error
    }
    printer.close()
    try context.console.output.write(printer.output)
    if arguments.value("--range") != nil, !printer.hasActions {
      throw CommandError.noSuchAction(range.lowerBound, last: printer.seq ?? 0)
    }
    if let path, let place = printer.missing {
      let isWhole = arguments.value("--range") == nil
      context.complain(Wording.nothing(at: path, place, isWhole: isWhole))
    }
    return .same
  }

  private static func show(
    _ seek: inout StateSeek,
    at seq: Int,
    _ path: JSON.Pointer?,
    isJSON: Bool,
    _ console: Console
  ) throws {
    let found = try seek.state(after: seq)
    guard let value = path.map({ found[$0] }) ?? found else {
      let path = path ?? JSON.Pointer()
      throw CommandError.nothing(at: path, UnresolvedPath(path, in: found), seq: seq)
    }
    if isJSON {
      var document: JSON.Object = ["seq": .number(JSON.Number(seq))]
      document["path"] = path.map { .string($0.description) }
      document[path == nil ? "state" : "value"] = value
      try console.print("\(JSON.object(document))\n")
    } else {
      try console.print(value.indented + "\n")
    }
  }
}
