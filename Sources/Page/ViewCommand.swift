import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine
import ReplayPictures

/// `view LOG [LOG]`: writes an HTML file that shows a log.
package enum ViewCommand: Command {
  package static let syntax = CommandSyntax(
    name: "view",
    summary: "write a page that shows a log in a browser",
    operands: [
      .log,
      CommandSyntax.Operand(
        name: CommandSyntax.Operand.log.name,
        summary: "a second log, to compare with the first",
        isOptional: true
      ),
    ],
    options: [
      CommandSyntax.Option(
        name: "--output",
        short: "-o",
        value: "FILE",
        summary: "write to this file (the log's name with .html); '-' is standard output"
      ),
      CommandSyntax.Option(
        name: "--host",
        value: "PATH",
        summary: "replay the log with this executable, and show the replay next to the log"
      ),
      CommandSyntax.Option(
        name: "--replay",
        summary: "replay the log with the host that 'run' would use"
      ),
      CommandSyntax.Option(
        name: "--range",
        value: "A..B",
        summary:
          "show only the actions from A to B, both included, such as 3..9 or 1.2s..end; A alone is one action"
      ),
      CommandSyntax.Option(
        name: "--follow",
        summary: "keep the page up to date while the log grows, until Ctrl-C"
      ),
      CommandSyntax.Option(
        name: "--serve",
        summary:
          "serve the page on this machine until Ctrl-C, so the page can skip, edit and insert actions"
      ),
      CommandSyntax.Option(
        name: "--ignore",
        value: "PLACE",
        summary: "ignore this part of the state in the comparison, such as rows[*].seen",
        isRepeated: true
      ),
      CommandSyntax.Option(
        name: "--pictures",
        summary: "show what the user saw at each action, as drawn by the host"
      ),
      CommandSyntax.Option(
        name: "--pictures-from",
        value: "FOLDER",
        summary: "show the pictures in this folder; a second folder is for the second log",
        isRepeated: true
      ),
      .feature, .timeout,
      CommandSyntax.Option(name: "--open", summary: "open the page in the browser"),
      .force("overwrite a file that is not a page"),
    ] + .group("Pictures", pictureLimits),
    examples: [
      CommandSyntax.Example("bug.jsonl --open", "open a log in the browser"),
      CommandSyntax.Example("bug.jsonl --replay", "show the replay next to the log"),
      CommandSyntax.Example("before.jsonl after.jsonl -o both.html", "compare two logs"),
      CommandSyntax.Example("bug.jsonl --pictures", "show what the user saw"),
      CommandSyntax.Example(
        "bug.jsonl --serve --open",
        "change the history of a log in the browser"
      ),
    ],
    discussion: """
      The page is a single file that needs no network. It contains the log: share it as you would share the log. It
      shows the actions, what each action changed and why it happened, the state before and after it, and every value
      that a path had.

      With --follow, LOG is the path that the recorder was given; its newest recording is followed from file to file.

      With --serve, the page asks this command what would have happened. The address of the page contains a secret, and
      works on this machine only.
      """
  )

  private nonisolated static let pictureLimits: [CommandSyntax.Option] = [
    .pictureSeconds.requiring("--pictures"),
    .pictureBytes.requiring("--pictures|--pictures-from"),
    .pictureCount.requiring("--pictures"),
  ]

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let operands = arguments.operands
    guard operands != ["-", "-"] else { throw UsageError.standardInputTwice(command: syntax.name) }
    // With pictures, the host may be used only for drawing.
    let isDrawing = arguments.isOn("--pictures")
    let isReplaying =
      arguments.isOn("--replay") || arguments.value("--host") != nil && !isDrawing
    let range = try arguments.range("--range")
    for (option, isGiven) in [("--host", isReplaying), ("--range", range != nil)]
    where isGiven && operands.count > 1 {
      throw UsageError.oneLogOnly(option: option, found: operands.count, command: syntax.name)
    }
    let ignored = try arguments.patterns("--ignore").flatMap { $0.patterns ?? [] }
    if !ignored.isEmpty, operands.count < 2, !isReplaying {
      throw UsageError.missingOperand(Wording.comparisonToIgnoreIn, command: syntax.name)
    }
    let output = arguments.value("--output") ?? PageOutput.name(for: operands[0])
    if arguments.isOn("--open"), output == "-" {
      throw UsageError.conflict("--open", "--output", command: syntax.name)
    }
    try PageOutput.check(output, arguments)
    try checkPictures(arguments)
    if arguments.isOn("--serve") { return try await serve(operands, arguments, in: &context) }
    if arguments.isOn("--follow") {
      return try await follow(operands, to: output, arguments, in: &context)
    }

    let (logs, spool) = try context.logs(operands[0])
    let others = try operands.dropFirst().first.map { try context.logs($0) }
    let other = others?.logs.first
    let pictures = try ViewPictures(arguments, in: context)
    let entries: [LogPage.ShownLog]
    let actions: Int
    if let other {
      let log = try pageLog(logs[0], nil, context)
      let second = try pageLog(other, nil, context)
      let features = [log.header.feature, second.header.feature]
      if features[0] != features[1] { context.complain(Wording.otherFeature(features)) }
      let comparison = try PageComparison(of: logs[0], with: second, ignoring: ignored)
      entries = [
        LogPage.ShownLog(
          log,
          comparison: comparison,
          pictures: try pictures.sides(of: log.log, nil, comparison)
        )
      ]
      actions = log.actionCount
    } else {
      let shown = try pageLogs(logs, range, context)
      var options = isReplaying ? try context.replayOptions(arguments) : nil
      options?.comparison.ignored += ignored
      let start = context.makeReplayStarter()
      entries = try shown.map { log in
        let comparison = try options.map { try PageComparison(replaying: log.log, $0, by: start) }
        return LogPage.ShownLog(
          log,
          comparison: comparison,
          pictures: try pictures.sides(of: log.log, log.range, comparison)
        )
      }
      actions = shown.reduce(0) { $0 + $1.actionCount }
    }
    let name = operands[0] == "-" ? Wording.standardInput : operands[0]
    let page = LogPage(PageLog.name(of: name), entries, program: context.program)
    try context.console.write(to: output) { try page.write(to: $0) }
    withExtendedLifetime((spool, others?.spool)) {}
    for (log, name) in zip([logs[0], other], operands) where other != nil && log?.end != nil {
      context.reportFirstLog(of: name, command: syntax.name)
    }
    if output != "-" {
      let text =
        [Wording.wrotePage(output, logs: entries.count, actions: actions)]
        + compared(entries, with: other?.name)
        + entries.compactMap { $0.pictures.log.map { Wording.showsPictures($0.counts) } }
      let style = context.style(arguments)
      try context.console.print(text.map { style.wrapped($0) + "\n" }.joined())
    }
    if arguments.isOn("--open") { open(output, context) }
    return .same
  }

  /// Checks that the options for pictures can be combined with the other options.
  private static func checkPictures(_ arguments: ParsedArguments) throws(UsageError) {
    let folders = arguments.values("--pictures-from")
    let isDrawing = arguments.isOn("--pictures")
    if isDrawing, !folders.isEmpty {
      throw .conflict("--pictures", "--pictures-from", command: syntax.name)
    }
    guard isDrawing || !folders.isEmpty else { return }
    for option in ["--follow", "--serve"] where arguments.isOn(option) {
      let name = isDrawing ? "--pictures" : "--pictures-from"
      throw .conflict(name, option, command: syntax.name)
    }
  }

  /// Returns the logs of a file.
  ///
  /// Some of them may lack the requested actions.
  private static func pageLogs(
    _ logs: [LogSlice],
    _ range: LogRange?,
    _ context: CommandContext
  ) throws -> [PageLog] {
    var shown: [PageLog] = []
    var failure: CommandError?
    for log in logs {
      do { shown.append(try pageLog(log, range, context)) } catch CommandError.noSuchAction(
        let seq,
        let last
      ) {
        failure = failure ?? .noSuchAction(seq, last: last)
      }
    }
    if shown.isEmpty, let failure { throw failure }
    return shown
  }

  private static func pageLog(
    _ log: LogSlice,
    _ range: LogRange?,
    _ context: CommandContext
  ) throws -> PageLog {
    let page = try CommandError.naming(log.name) {
      try PageLog(log, range: try range?.seqs(in: log))
    }
    if let broken = page.broken { context.complain(Wording.brokenPage(broken, in: log.name)) }
    return page
  }

  /// Returns the verdict of each replay, or the differences from the other log.
  private static func compared(_ entries: [LogPage.ShownLog], with other: String?) -> [String] {
    entries.compactMap { entry in
      entry.comparison.map {
        Wording.compared(entries.count > 1 ? entry.log.name : nil, with: other, $0.summary)
      }
    }
  }

  private static func open(_ page: String, _ context: CommandContext) {
    if !Browser.open(page) { context.complain(Wording.cannotOpen(page)) }
  }
}

extension ViewCommand {
  /// The polling interval in seconds.
  private static let interval = 0.25

  private static func follow(
    _ operands: [String],
    to output: String,
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    guard operands.count == 1 else {
      throw UsageError.oneLogOnly(option: "--follow", found: operands.count, command: syntax.name)
    }
    for option in ["--host", "--range"] where arguments.value(option) != nil {
      throw UsageError.conflict("--follow", option, command: syntax.name)
    }
    if arguments.isOn("--replay") {
      throw UsageError.conflict("--follow", "--replay", command: syntax.name)
    }
    try GrowingLog.check(operands[0], of: syntax)
    guard output != "-" else {
      throw UsageError.conflict("--follow", "--output", command: syntax.name)
    }
    context.interruption.allowPartialResult()
    context.console.progress.end()
    var follower = PageFollower(operands[0], to: output, program: context.program)
    do { try await follow(with: &follower, operands[0], output, arguments, context) } catch {
      // Keeps the earlier content on the page.
      _ = try? follower.finalize()
      throw error
    }
    let actions = try follower.finalize()
    context.interruption.fulfil()
    try context.console.print(Wording.wrotePage(output, logs: 1, actions: actions) + "\n")
    return .same
  }

  private static func follow(
    with follower: inout PageFollower,
    _ log: String,
    _ output: String,
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) async throws {
    var isOpen = false
    var isWaiting = false
    while true {
      let isLast = context.interruption.isRequested
      for change in try follower.update() {
        switch change {
        case .began(let path, let actions):
          try context.console.print(Wording.following(path, output, actions: actions) + "\n")
          if arguments.isOn("--open"), !isOpen { open(output, context) }
          isOpen = true
        case .damagedLine(let line): context.complain(Wording.leftOutLine(line))
        }
      }
      if isLast { return }
      if !isOpen, !isWaiting {
        context.complain(Wording.waitingFor(log))
        isWaiting = true
      }
      await context.pause(interval)
    }
  }
}

extension ViewCommand {
  /// The interval in seconds between checks for the end of the command.
  private static let wait = 0.2
  /// The number of seconds during which the server announces its end.
  ///
  /// Open pages poll more often.
  private static let farewell = 1.0

  private static func serve(
    _ operands: [String],
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    guard operands.count == 1 else {
      throw UsageError.oneLogOnly(option: "--serve", found: operands.count, command: syntax.name)
    }
    for option in ["--follow", "--replay"] where arguments.isOn(option) {
      throw UsageError.conflict("--serve", option, command: syntax.name)
    }
    for option in ["--output", "--range"] where arguments.value(option) != nil {
      throw UsageError.conflict("--serve", option, command: syntax.name)
    }
    let (logs, spool) = try context.logs(operands[0])
    defer { withExtendedLifetime(spool) {} }
    if logs[0].end != nil { context.complain(Wording.firstLogServed(operands[0])) }
    let interruption = context.interruption
    interruption.allowPartialResult()
    context.console.progress.end()
    let forker = TimelineForker(context, try context.replayOptions(arguments))
    // An unreadable log ends the command before it serves requests.
    _ = try pageLog(logs[0], nil, context)
    let sockets = try LoopbackServer()
    var server = PageServer(logs[0], forker, program: context.program, port: sockets.port) {
      interruption.isRequested
    }
    try context.console.print(Wording.serving(operands[0], at: server.address) + "\n")
    if arguments.isOn("--open"), !Browser.open(server.address) {
      context.complain(Wording.cannotOpen(server.address))
    }
    while !interruption.isRequested {
      sockets.answer(within: wait) { server.respond(to: $0) }
    }
    let end = Date.now.addingTimeInterval(farewell)
    while Date.now < end { sockets.answer(within: wait) { server.respond(to: $0) } }
    interruption.fulfil()
    return .same
  }
}

extension PageOutput {
  /// Returns the name of the page of a log, in the working folder.
  static func name(for operand: String) -> String {
    guard operand != "-", FileSystemItemKind(operand) != .stream else { return "log.html" }
    return URL(fileURLWithPath: operand).deletingPathExtension().lastPathComponent + ".html"
  }

  /// Checks in advance that a page may be written.
  ///
  /// - Throws: `PageError.notAPage`.
  static func check(_ path: String, _ arguments: ParsedArguments) throws(PageError) {
    guard path != "-", !arguments.isOn("--force"), case .file = FileSystemItemKind(path),
      let file = FileHandle(forReadingAtPath: path)
    else { return }
    let found = (try? file.read(upToCount: beginning.utf8.count)) ?? Data()
    guard found.isEmpty || found.elementsEqual(beginning.utf8) else { throw .notAPage(path) }
  }
}

/// The reason why a page cannot be written.
enum PageError: StatusError, Hashable, CustomStringConvertible {
  /// The file exists and is not a page.
  case notAPage(String)
  /// Another command writes the page, or the folder next to it contains other files.
  case isWritten(String, folder: String)

  var status: ExitStatus { .cannotCreate }

  var description: String {
    switch self {
    case .isWritten(let path, let folder):
      "\(folder) is in use: another command writes \(path), or the folder has other files; expected another name"
    case .notAPage(let path):
      "\(path) is not a page of 'view'; expected another name, or --force to write over it"
    }
  }
}

/// The texts of `view`.
extension Wording {
  static let comparisonToIgnoreIn = "a second log, or --replay, with --ignore"

  static func wrotePage(_ path: String, logs: Int, actions count: Int) -> String {
    logs == 1
      ? "\(path): \(actions(count))" : "\(path): \(logs) logs to choose from, \(actions(count))"
  }

  static func brokenPage(_ broken: LogCursor.BrokenPatch, in log: String) -> String {
    "\(Notation.visible(log)): \(broken); the page has no states from there to the next checkpoint"
  }

  static func showsPictures(_ counts: (pictures: Int, notes: Int)) -> String {
    let missing = counts.notes == 0 ? "" : "; \(actions(counts.notes)) without one"
    return "  \(counted(counts.pictures, "picture"))\(missing)"
  }

  /// Returns the verdict of a replay, or the differences from another log.
  static func compared(_ log: String?, with other: String?, _ line: String) -> String {
    let subject = log.map { "replay of \(Notation.visible($0))" } ?? "replay"
    return "  \(other.map { "compared with \(Notation.visible($0))" } ?? subject): \(line)"
  }

  static func firstLogServed(_ name: String) -> String {
    "\(name) holds several logs; the first one is served"
  }

  static func serving(_ log: String, at address: String) -> String {
    "\(log) at \(address); Ctrl-C ends"
  }

  static func firstLogOnly(_ name: String) -> String {
    "\(name) holds several logs; the page compares the first one"
  }

  static func following(_ log: String, _ path: String, actions count: Int) -> String {
    "\(path): \(actions(count)) of \(log) so far; Ctrl-C ends"
  }

  static func leftOutLine(_ line: Int) -> String {
    "line \(line) is no event; the page leaves it out"
  }

  static func cannotOpen(_ path: String) -> String {
    "found no program that opens \(path); open it in a browser"
  }
}
