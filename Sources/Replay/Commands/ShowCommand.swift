import ActionLog

/// `show LOG`: actions, changes and the state at any point, from the log alone.
enum ShowCommand: Command {
  static let syntax = CommandSyntax(
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
        summary: "only these actions, both ends included"
      ),
      .format,
    ]
  )

  static func run(
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
    if let at, name != "-" {
      var seek = try StateSeek(name, for: at, cache: context.cacheFolder)
      try show(&seek, at: at, path, isJSON: arguments.isJSON, context.console)
      return .same
    }
    var reader =
      name == "-"
      ? LogReader(context.console.input, name: Wording.standardInput) : try LogReader(path: name)
    if let at {
      var seek = StateSeek { try reader.next()?.event }
      try show(&seek, at: at, path, isJSON: arguments.isJSON, context.console)
      return .same
    }
    var timeline = Timeline { try reader.next()?.event }
    let style = Style(hasColor: context.console.hasColor)
    let writer: any TimelineWriter =
      arguments.isJSON ? TimelineJSON(path: path) : TimelineText(path: path, style: style)
    var output = writer.opening
    while let entry = try timeline.next() {
      if let seq = entry.seq, !range.contains(seq) { continue }
      output += writer.text(entry)
      if output.utf8.count > 64 * 1024 {
        try context.console.print(output)
        output = ""
      }
    }
    try context.console.print(output + writer.closing)
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
      throw CommandError.nothing(at: path ?? JSON.Pointer(), seq: seq)
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
