import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// `mask LOG`: masks values of a log, or shows which values the log reveals.
package enum MaskCommand: Command {
  package static let syntax = CommandSyntax(
    name: "mask",
    summary: "mask values of a log, or show what it reveals",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary:
          "a file of logs; '-' is standard input; with --check, also several files and folders",
        isRepeated: true
      )
    ],
    options: [CommandSyntax.Option].group("patterns", patterns) + [
      .output, .force,
      CommandSyntax.Option(
        name: "--allow-unmatched",
        summary: "write the log even if a pattern matches nothing"
      ),
      CommandSyntax.Option(
        name: "--check",
        summary: "write nothing; show every path in the logs, with a sample"
      ),
      CommandSyntax.Option(
        name: "--allow",
        value: "FILE",
        summary: "exit with status 1 if a log reveals more than this list allows",
        requires: "--check"
      ),
      .format.requiring("--check"),
    ],
    forms: [
      CommandSyntax.Form(
        anyOf: pathOptions.map(\.option),
        allows: ["--output", "--force", "--allow-unmatched"]
      ),
      CommandSyntax.Form("--check", allows: pathOptions.map(\.option)),
    ],
    examples: [
      CommandSyntax.Example("bug.jsonl --check", "show what a log reveals"),
      CommandSyntax.Example("bug.jsonl --path user.email -o masked.jsonl", "mask a path"),
    ],
    discussion: """
      A pattern is a path as --check writes it, such as 'phase.login.email', or a JSON Pointer in which '*' matches any
      one name and '**' matches any number of names. A value that a pattern matches is replaced by a substitute of the
      same type, wherever the value occurs in the log: also at other paths, in errors, notes and keys, and in other
      spellings (escaped in a description, percent-encoded, in Base64). Equal values have equal substitutes. A text of
      fewer than 4 bytes is replaced in longer texts only where it is a word. A number of fewer than 4 digits is
      replaced only where a pattern matches. What remains of a masked text is reported. If a pattern matches nothing,
      nothing is written and the status is 1, unless --allow-unmatched is given.

      --omit leaves out what it matches, at that path only. '--ignore' of 'run' and 'diff' leaves a path in the log and
      out of the comparison.

      --check shows what the log reveals, or would reveal with the given patterns. It marks what looks like a secret and
      writes masks for it as code. Each line of the file of --allow is a section and a pattern, such as 'state
      todos[*].title' or 'action /**'. The sections are state, action, read, call, effect, note, header and other.
      """
  )

  private nonisolated static let patterns = [
    option("--path", "the state"),
    option("--action-path", "actions"),
    option("--read-path", "what the reducer reads; the first name is the read's key"),
    option("--call-path", "calls of effects; the first name is the endpoint's key"),
    option("--effect-path", "the inputs of effects; the first name is 'input'"),
    CommandSyntax.Option(
      name: "--omit",
      value: "PATTERN",
      summary:
        "leave this path of the state out of the log; a replay keeps the value that it has there",
      isRepeated: true
    ),
  ]

  private nonisolated static func option(_ name: String, _ place: String) -> CommandSyntax.Option {
    CommandSyntax.Option(
      name: name,
      value: "PATTERN",
      summary: "mask this path in \(place)",
      isRepeated: true
    )
  }

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let isCheck = arguments.isOn("--check")
    if !isCheck, arguments.operands.count > 1 {
      throw UsageError.extraOperand(arguments.operands[1], command: syntax.name)
    }
    try OverwriteGuard.check(arguments.value("--output"), arguments)
    let logs = OperandLogs(arguments.operands, input: context.console.input)
    defer { withExtendedLifetime(logs) {} }
    let files = try files(logs)
    let masks = try masks(arguments, files)
    guard isCheck else { return try write(files, masks, arguments, context) }
    return try check(files, masks, arguments, context)
  }

  /// The path of a file with logs, and the name that messages use for it.
  private typealias NamedFile = (path: String, name: String)

  private nonisolated static let pathOptions:
    [(option: String, section: LogPathInventory.Section)] = [
      ("--path", .state), ("--action-path", .action), ("--read-path", .read),
      ("--call-path", .call),
      ("--effect-path", .effect), ("--omit", .state),
    ]

  /// Returns the masks that the options request.
  ///
  /// An option can contain a path as `--check` displays it, such as `phase.login.email`. Such a path is converted to
  /// patterns for the paths that occur in the logs.
  private static func masks(_ arguments: ParsedArguments, _ files: [NamedFile]) throws -> LogMasks {
    let texts = pathOptions.flatMap { arguments.values($0.option) }
    let isLookedUp = texts.contains { !MaskPatternTable.isPattern($0) }
    let places = MaskPatternTable(isLookedUp ? try paths(events(of: files)) : [])
    let paths = pathOptions.map { option, section in
      arguments.values(option).flatMap { places.patterns($0, in: section) }
    }
    return LogMasks(
      state: paths[0],
      action: paths[1],
      read: paths[2],
      call: paths[3],
      effect: paths[4],
      omitted: paths[5]
    )
  }

  private static func write(
    _ files: [NamedFile],
    _ masks: LogMasks,
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> ExitStatus {
    var masking = LogFileMasker(masks)
    try learn(files, &masking)
    let unmatched = masking.unmatched
    if !unmatched.isEmpty, !arguments.isOn("--allow-unmatched") {
      try complain(unmatched, try paths(events(of: files)), isCheck: false, context)
      return .different
    }
    var inventory = LogPathInventory(searching: masking.remainders)
    var logs = 0
    try write(events(of: files), &masking, arguments, context.console) { event in
      inventory.add(event)
      if case .header = event { logs += 1 }
    }
    context.report(logs, logsOf: arguments.operands[0], command: syntax.name)
    for entry in inventory.entries where entry.remaining > 0 {
      context.complain(Wording.notHeld(entry))
    }
    return .same
  }

  private static func check(
    _ files: [NamedFile],
    _ masks: LogMasks,
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> ExitStatus {
    let allowed = try arguments.value("--allow").map { try VisiblePathAllowlist(contentsOf: $0) }
    var masking = LogFileMasker(masks)
    try learn(files, &masking)
    let unmatched = masking.unmatched
    if !unmatched.isEmpty {
      try complain(unmatched, try paths(events(of: files)), isCheck: true, context)
    }
    let found = try paths { [events = events(of: files)] in
      try events().map { try masking.masked($0) }
    }
    let report = MaskCheckReport(found, allowed: allowed)
    try context.console.print(arguments.isJSON ? report.json : nil, or: report.text)
    let exceeding = report.exceeding.map {
      "\($0.section.rawValue) \(MaskPatternTable.text(of: $0))"
    }
    if !exceeding.isEmpty, let file = arguments.value("--allow") {
      context.complain(Wording.exceeding(exceeding, file))
    }
    return unmatched.isEmpty && exceeding.isEmpty ? .same : .different
  }

  /// Returns the files to read.
  ///
  /// - Throws: The error of the first file that can't be read.
  private static func files(_ logs: OperandLogs) throws -> [NamedFile] {
    var files: [NamedFile] = []
    for entry in logs.entries {
      switch entry {
      case .file(let path, let name): files.append((path, name))
      case .failure(_, let error): throw error
      }
    }
    return files
  }

  /// Reads all files and collects the values to mask.
  ///
  /// - Throws: `CommandError` or `LogReadError`, with the name of the file.
  private static func learn(_ files: [NamedFile], _ masking: inout LogFileMasker) throws {
    for file in files {
      try CommandError.naming(file.name) { try masking.learn(from: events(of: [file])) }
    }
  }

  private static func events(of files: [NamedFile]) -> LogComparison.Events {
    let events = FileEvents(files)
    return { try events.next() }
  }

  /// The events of all logs in several files, in order.
  ///
  /// The type is a class, because optimized builds crash if a closure mutates a captured `LogReader` (Swift 6.3).
  private final class FileEvents {
    private var files: ArraySlice<NamedFile>
    private var reader: LogReader?
    private var name = ""

    init(_ files: [NamedFile]) { self.files = files[...] }

    func next() throws -> LogEvent? {
      while true {
        if let entry = try CommandError.naming(name, { try reader?.next() }) { return entry.event }
        guard let file = files.popFirst() else { return nil }
        name = file.name
        reader = try LogReader(path: file.path)
      }
    }
  }

  private static func paths(_ events: LogComparison.Events) throws -> [LogPathInventory.PathSummary]
  {
    var paths = LogPathInventory()
    while let event = try events() { paths.add(event) }
    return paths.entries
  }

  private static func complain(
    _ unmatched: [(subject: LogMasks.Subject, path: MaskPath)],
    _ known: [LogPathInventory.PathSummary],
    isCheck: Bool,
    _ context: CommandContext
  ) throws {
    for (subject, path) in unmatched {
      let section = subject == .omitted ? LogMasks.Subject.state : subject
      let entries = known.filter { $0.section.rawValue == section.rawValue }
      // A path such as `user.email` that occurs in no log was parsed as a pattern with a single member name.
      let typed = String(path.description.dropFirst())
      let isPlace = !MaskPatternTable.isPattern(typed) && typed.contains { $0 == "." || $0 == "[" }
      let found = isPlace ? entries.map { MaskPatternTable.text(of: $0) } : entries.map(\.path)
      let text = isPlace ? typed : path.description
      context.complain(Wording.unmatched(text, in: subject, known: found))
    }
    if !isCheck { context.console.complain(Wording.nothingMasked) }
  }

  private static func write(
    _ events: LogComparison.Events,
    _ masking: inout LogFileMasker,
    _ arguments: ParsedArguments,
    _ console: Console,
    _ didMask: (LogEvent) -> Void
  ) throws {
    let output = arguments.value("--output")
    try console.write(to: output) { sink in
      while let event = try events() {
        let masked = try masking.masked(event).written(by: syntax.name, to: output)
        didMask(masked)
        try sink.write(masked.line + [0x0A])
      }
    }
  }
}
