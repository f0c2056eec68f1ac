import ActionLog
import ReplayCommands
import ReplayEngine

/// `show LOG`: prints actions, changes, and the state at any point, from the log alone.
package enum ShowCommand: Command {
  package static let syntax = CommandSyntax(
    name: "show",
    summary: "show the actions, changes and states of a log",
    operands: [.log],
    options: [
      CommandSyntax.Option(
        name: "--at",
        value: "POSITION",
        summary:
          "show the state after this action (0: the first state), at this time, or at the 'end'"
      ),
      CommandSyntax.Option(
        name: "--path",
        value: "PLACE",
        summary:
          "show only this path, such as todos[0].title; without --at, the actions that changed it"
      ),
      CommandSyntax.Option(
        name: "--range",
        value: "A..B",
        summary:
          "show only the actions from A to B, both included, such as 3..9 or 1.2s..end; A alone is one action"
      ),
    ] + timelineOptions + [.raw, .full, .format],
    examples: [
      CommandSyntax.Example("bug.jsonl", "show one line per action"),
      CommandSyntax.Example("bug.jsonl --at 12 --path todos[0]", "show a value after an action"),
      CommandSyntax.Example(
        "bug.jsonl --action .saved --when 'count > 3'",
        "show the actions that match"
      ),
      CommandSyntax.Example("session.jsonl --follow", "follow a log while it grows"),
    ],
    discussion: """
      Each action is one line: its number, its time since the start, the action, its sender if that is not the view,
      what it changed, and the effects that it started or that ended after it. Filters of different kinds must all
      match; of several filters of one kind, one must match. With --follow, LOG is the path that the recorder was given;
      its newest recording is followed from file to file.

      --range sets both ends, and shows a single action in full. --since and --until are filters with one end each, and
      take times also with --follow, where --range takes only numbers.

      --path shows the changes of one value and nothing else. --changes shows each action that changed it, with all that
      the action changed. 'blame' finds only the last action that changed it.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    var asked = try ShowArguments(arguments)
    if let condition = asked.selection.criteria?.condition { context.warn(of: condition) }
    if asked.isFollowing {
      return try await follow(arguments.operands[0], asked, arguments, &context)
    }
    let pager = arguments.isOn("--no-pager") ? nil : Pager(&context)
    defer { pager?.close() }
    // Standard input is copied to a file if it must be read twice.
    let copied = asked.needsLog ? try context.logs(arguments.operands[0]) : nil
    defer { withExtendedLifetime(copied?.spool) {} }
    let name = copied?.spool?.path ?? arguments.operands[0]
    if let at = asked.at {
      let seq = try at.seq ?? copied?.logs.first.map { log in try at.seq(in: log) } ?? 0
      try showState(name, at: seq, asked.selection.place, arguments, context)
      if name != "-", try holdsSeveralLogs(name, context) {
        context.reportFirstLog(of: arguments.operands[0], command: "\(syntax.name) --at")
      }
      return .same
    }
    try asked.findRange(in: copied?.logs.first)
    let status = try showTimeline(name, asked, arguments, context)
    if let condition = asked.selection.criteria?.condition, name != "-" {
      for log in try LogSlice.slices(of: name, name: name) {
        context.warn(of: condition, "--when", in: log)
      }
    }
    return status
  }

  // MARK: - Timeline

  private static func showTimeline(
    _ name: String,
    _ asked: ShowArguments,
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> ExitStatus {
    let style = context.style(arguments)
    let selection = asked.selection
    var printer = LogPrinter(asked.writer(style), selection)
    var events =
      name == "-"
      ? RangeReader(LogReader(context.console.input, name: Wording.standardInput))
      : try RangeReader(name, selection.range, cache: context.cacheFolder)
    do {
      while let entry = try events.next() {
        if try !printer.printEvent(entry.event) { try events.skipLog() }
        if printer.output.count > 64 * 1024 {
          try context.console.write(&printer, style, isJSON: asked.isJSON)
          if context.interruption.isRequested { return .same }
        }
      }
    } catch let error where !(error is StreamError) {
      // The events before the error are still printed.
      printer.flush()
      try context.console.write(&printer, style, isJSON: asked.isJSON)
      throw error
    }
    printer.close()
    try context.console.write(&printer, style, isJSON: asked.isJSON)
    context.report(printer.logs, logsOf: arguments.operands[0], command: syntax.name)
    if arguments.value("--range") != nil, !printer.hasActions {
      throw CommandError.noSuchAction(selection.range.lowerBound, last: printer.seq ?? 0)
    }
    if let place = selection.place {
      if let ids = printer.ambiguousIDs { throw CommandError.ambiguous(place, ids: ids) }
      if let missing = printer.missing {
        let isWhole = arguments.value("--range") == nil
        let end = missing.proposing("\(place)", from: logPlaces(of: name) ?? printer.lastPlaces)
        context.complain(Wording.nothing(at: place, end, isWhole: isWhole))
        return .different
      }
    }
    guard selection.criteria != nil, !printer.hasShownActions else { return .same }
    context.complain(Wording.noneFound(selection.range))
    for (typed, meant) in printer.meantActions {
      context.complain(Wording.noSuchAction(typed, meant: meant))
    }
    for (typed, meant) in printer.meantEffects {
      context.complain(Wording.noSuchEffect(typed, meant: meant))
    }
    for place in selection.criteria?.changes ?? [] {
      guard let missing = printer.unresolved(place) else { continue }
      let end = missing.proposing("\(place)", from: logPlaces(of: name) ?? printer.lastPlaces)
      context.complain(Wording.nothingAtTheEnd(at: place, end))
    }
    return .different
  }

  /// Returns the paths in the first log of a file, or `nil` for standard input, which can't be read again.
  private static func logPlaces(of name: String) -> StatePathSuggestions? {
    name == "-" ? nil : (try? LogSlice.slices(of: name, name: name))?.first?.places
  }

  // MARK: - State at a position

  /// Returns whether a file contains several logs.
  ///
  /// For a large file, the answer comes from its index.
  private static func holdsSeveralLogs(_ name: String, _ context: CommandContext) throws -> Bool {
    if let index = try LogIndex.index(of: name, keptIn: context.cacheFolder) {
      return index.next != nil
    }
    return try LogSlice.slices(of: name, name: name).count > 1
  }

  /// Returns the name of an operand as messages show it.
  private static func name(of operand: String) -> String {
    operand == "-" ? Wording.standardInput : operand
  }

  private static func showState(
    _ name: String,
    at seq: Int,
    _ place: ValuePath?,
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws {
    var seek =
      name == "-"
      ? StateSeek(LogReader(context.console.input, name: Wording.standardInput))
      : try StateSeek(name, for: seq, cache: context.cacheFolder)
    let found: JSON
    do { found = try seek.state(after: seq) } catch let error as CommandError {
      guard seek.hasState else { throw CommandError.noState(Self.name(of: arguments.operands[0])) }
      throw error
    }
    let style = arguments.isJSON ? nil : context.style(arguments)
    guard let place, place.pointer != JSON.Pointer() else {
      return try printValue(found, at: seq, nil, style, context.console)
    }
    switch place.resolve(in: found) {
    case .found(let pointers) where place.standsForMany:
      if let style {
        let width = pointers.map { style.notation.pathText($0, in: found).count }.max() ?? 0
        for pointer in pointers {
          let text = style.notation.pathText(pointer, in: found)
          let gap = String(repeating: " ", count: width - text.count)
          let value = style.notation.value(found[pointer] ?? .null)
          try context.console.print(style.fitted("\(text)\(gap)  \(value)\n"))
        }
      } else {
        for pointer in pointers {
          try printValue(found[pointer] ?? .null, at: seq, pointer, style, context.console)
        }
      }
    case .found(let pointers):
      for pointer in pointers {
        try printValue(found[pointer] ?? .null, at: seq, pointer, style, context.console)
      }
    case .ambiguous(_, let ids): throw CommandError.ambiguous(place, ids: ids)
    case .missing:
      let end = UnresolvedPath(place, in: found)?
        .proposing("\(place)", from: logPlaces(of: name) ?? StatePathSuggestions(states: [found]))
      throw CommandError.nothing(at: place, end, seq: seq)
    }
  }

  /// Prints a state, or the value at a path in it.
  ///
  /// If `style` is `nil`, the output is JSON.
  private static func printValue(
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
      try console.print(JSON.object(document))
    }
  }
}

extension Console {
  /// Writes the printer's output and clears it.
  func write(_ printer: inout LogPrinter, _ style: Style, isJSON: Bool) throws {
    defer { printer.clear() }
    if isJSON {
      guard printer.output.contains(where: { $0 >= 0x7F }) else {
        return try output.write(printer.output)
      }
      return try output.write(String(decoding: printer.output, as: UTF8.self).visibleJSON.utf8)
    }
    // Without a terminal, no line is shortened. The writers have already escaped control characters.
    guard style.width != nil else { return try output.write(printer.output) }
    try print(style.fitted(String(decoding: printer.output, as: UTF8.self)))
  }
}

extension Wording {
  static func noSuchAction(_ typed: String, meant: String) -> String {
    "no action is \(typed); did you mean \(meant)?"
  }

  static func noSuchEffect(_ typed: String, meant: String) -> String {
    "no effect is \(typed); did you mean \(meant)?"
  }

  static func nothingAtTheEnd(at place: ValuePath, _ missing: UnresolvedPath) -> String {
    "the last state has nothing at '\(place)'" + nearest(missing, name: writer(of: "\(place)"))
  }

  static func noneFound(_ range: ClosedRange<Int>) -> String {
    range == 0...Int.max
      ? "no action of the log meets the filters; leave one out to see more"
      : "no action of the range meets the filters; leave one of them or --range out to see more"
  }
}
