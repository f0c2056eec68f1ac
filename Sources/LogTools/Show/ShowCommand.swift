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
        value: "PLACE",
        summary:
          "only what is at this place, such as todos[0].title; without --at, the actions that changed it"
      ),
      CommandSyntax.Option(
        name: "--range",
        value: "A..B",
        summary: "only these actions, both ends included; A is one action"
      ),
      .raw, .full, .format,
    ]
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let at = try arguments.seq("--at")
    let path = try arguments.place("--path")
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
      let style = arguments.isJSON ? nil : context.style(arguments)
      try show(&seek, at: at, path, style, context.console)
      return .same
    }
    let style = context.style(arguments)
    var printer = LogPrinter(
      arguments.isJSON ? TimelineJSON(hasPath: path != nil) : TimelineText(style: style),
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
          try write(printer, style, isJSON: arguments.isJSON, context.console)
          printer.clear()
        }
      }
    } catch let error where !(error is StreamError) {
      // The lines before the error are shown.
      try write(printer, style, isJSON: arguments.isJSON, context.console)
      throw error
    }
    printer.close()
    try write(printer, style, isJSON: arguments.isJSON, context.console)
    if arguments.value("--range") != nil, !printer.hasActions {
      throw CommandError.noSuchAction(range.lowerBound, last: printer.seq ?? 0)
    }
    if let path, let ids = printer.ambiguousIDs { throw CommandError.ambiguous(path, ids: ids) }
    if let path, let place = printer.missing {
      let isWhole = arguments.value("--range") == nil
      context.complain(Wording.nothing(at: path, place, isWhole: isWhole))
    }
    return .same
  }

  private static func write(
    _ printer: LogPrinter,
    _ style: Style,
    isJSON: Bool,
    _ console: Console
  ) throws {
    guard style.width != nil, !isJSON else { return try console.output.write(printer.output) }
    try console.print(style.fitted(String(decoding: printer.output, as: UTF8.self)))
  }

  /// Shows a state, or the value at one place in it, as text or, without a style, as JSON.
  private static func show(
    _ seek: inout StateSeek,
    at seq: Int,
    _ place: Place?,
    _ style: Style?,
    _ console: Console
  ) throws {
    let found = try seek.state(after: seq)
    guard let place, place.pointer != JSON.Pointer() else {
      return try show(found, at: seq, nil, style, console)
    }
    switch place.resolve(in: found) {
    case .found(let pointers):
      for pointer in pointers {
        try show(found[pointer] ?? .null, at: seq, pointer, style, console)
      }
    case .ambiguous(_, let ids): throw CommandError.ambiguous(place, ids: ids)
    case .missing:
      throw CommandError.nothing(at: place, UnresolvedPath(place, in: found), seq: seq)
    }
  }

  private static func show(
    _ value: JSON,
    at seq: Int,
    _ path: JSON.Pointer?,
    _ style: Style?,
    _ console: Console
  ) throws {
    if let style {
      let text = style.notation.isRaw ? value.indented : style.notation.lines(value)
      try console.print(style.fitted(text + "\n"))
    } else {
      var document: JSON.Object = ["seq": .number(JSON.Number(seq))]
      document["path"] = path.map { .string($0.description) }
      document[path == nil ? "state" : "value"] = value
      try console.print("\(JSON.object(document))\n")
    }
  }
}
