import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts
import Synchronization

/// `debug LOG`: steps through a log in both directions.
package enum DebugCommand: Command {
  package static let syntax = CommandSyntax(
    name: "debug",
    summary: "step through a log, forward and backward",
    operands: [
      CommandSyntax.Operand(
        name: CommandSyntax.Operand.log.name,
        summary: CommandSyntax.Operand.log.summary,
        isOptional: true
      )
    ],
    options: [
      CommandSyntax.Option(
        name: "--attach",
        value: "SOCKET",
        summary:
          "step through the session of a running app that listens with 'timeline.listen(at:)'"
      ),
      CommandSyntax.Option(
        name: "--ex",
        short: "-ex",
        value: "WORDS",
        summary: "execute these words, such as 'break .saved'",
        isRepeated: true
      ),
      CommandSyntax.Option(
        name: "--script",
        short: "-x",
        value: "FILE",
        summary: "execute the lines of a file, before --ex",
        isRepeated: true
      ),
      CommandSyntax.Option(
        name: "--batch",
        summary: "exit after --script and --ex, and at the first error"
      ),
      CommandSyntax.Option(
        name: "--echo",
        summary: "print each line of a script before its answer, as in an interactive session"
      ),
      .log,
      CommandSyntax.Option(
        name: "--native",
        value: NativeDebugger.Kind.allCases.map(\.rawValue).joined(separator: "|"),
        summary:
          "after --script and --ex, continue in this debugger, in the reducer of the current action",
        choices: NativeDebugger.Kind.allCases.map(\.rawValue)
      ), .host, .feature, .timeout, .raw, .full, .format,
    ],
    forms: [
      CommandSyntax.Form(CommandSyntax.Operand.log.name), CommandSyntax.Form("--attach"),
    ],
    examples: [
      CommandSyntax.Example("bug.jsonl", "step through a log"),
      CommandSyntax.Example("--attach /tmp/app.sock", "step through the session of a running app"),
      CommandSyntax.Example(
        "bug.jsonl --batch -ex 'break .saved' -ex continue -ex frame",
        "execute words, for example in a script"
      ),
    ],
    discussion: """
      Works from the log alone. With a host, these words change history: skip, edit, insert, reorder, answer, set, undo,
      fork. The other words are those of gdb and rr: step, next, finish and continue; the same with reverse- before
      them; goto, break, watch, print, display, list, where, info, blame and history. 'help' lists all words, and 'help
      WORD' explains one. Words are read from a terminal, with history and completion, or line by line from standard
      input. With --format json, each answer is one JSON object.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let attached = try arguments.value("--attach").map { try AttachedLog(of: AttachedApp(at: $0)) }
    let (slice, spool) = try log(arguments, of: attached, in: context)
    defer { withExtendedLifetime(spool) {} }
    let log = try DebuggedLog(slice, cache: context.cacheFolder)
    let shell = DebugShell(
      try DebugSession(log),
      context: context,
      style: context.style(arguments),
      isJSON: arguments.isJSON
    )
    let forker = TimelineForker(context, try context.replayOptions(arguments))
    shell.timelines = Timelines(slice, forker)
    shell.showsProgress()
    shell.printsLogpoints()
    shell.attached = attached
    var scripts = try arguments.values("--script").map { try DebugScript(path: $0) }
    scripts += arguments.values("--ex").map { DebugScript(words: $0) }
    guard !arguments.isOn("--echo") || !arguments.isJSON else {
      throw UsageError.conflict("--echo", "--format json", command: syntax.name)
    }
    var session = ScriptedSession(
      shell: shell,
      endsAtErrors: arguments.isOn("--batch"),
      echoes: arguments.isOn("--echo")
    )
    if let debugger = arguments.value("--native") {
      scripts.append(DebugScript(words: "native \(debugger)"))
    }
    for script in scripts where !session.hasEnded { try await session.run(script) }
    if session.hasEnded || arguments.isOn("--batch") { return session.finish() }
    let readsLog = arguments.operands.first == "-"
    if DebugTerminal.isThere(context), !readsLog, !arguments.isJSON {
      try await DebugTerminal(shell).run()
      return .same
    }
    if !readsLog { try await session.run(DebugScript(context.console.input)) }
    return session.finish()
  }

  /// Returns the log to debug, which is the operand or the log of a running app.
  private static func log(
    _ arguments: ParsedArguments,
    of attached: AttachedLog?,
    in context: CommandContext
  ) throws -> (log: LogSlice, spool: TemporaryFile?) {
    if let attached { return (attached.slice, nil) }
    return try context.log(arguments)
  }
}

/// The lines of a noninteractive session.
struct DebugScript {
  /// The source of the lines, which determines the locations in messages.
  private enum LineSource {
    case words(String)
    case lines(LineReader, name: String)
    case typed(UnbufferedLines)
  }

  private var source: LineSource
  private var number = 0
  private var isAtEnd = false

  /// Creates a script from a command-line argument.
  init(words: String) { source = .words(words) }

  /// Creates a script from the lines of a file.
  ///
  /// - Throws: `LogReadError`.
  init(path: String) throws(LogReadError) {
    source = .lines(
      LineReader(try FileHandle(readingLog: path), path: path, longest: Self.longest),
      name: path
    )
  }

  /// Creates a script from standard input.
  ///
  /// The script never reads ahead, because the bytes after a word such as `live` belong to the program that replaces
  /// this one.
  init(_ input: FileHandle) { source = .typed(UnbufferedLines(input)) }

  /// The maximum length of a line in bytes.
  ///
  /// The limit bounds memory, because no debugger command is this long.
  private static let longest = 1 << 20

  /// The file and line number of the last line, or `nil` for a line from the command line.
  var place: String? {
    switch source {
    case .words: nil
    case .lines(_, let name): "\(name):\(number)"
    case .typed: "\(Wording.standardInput):\(number)"
    }
  }

  /// Returns the next line, or `nil` after the last one.
  ///
  /// - Throws: `LogReadError`.
  mutating func next() throws(LogReadError) -> String? {
    guard !isAtEnd else { return nil }
    number += 1
    switch source {
    case .words(let words):
      isAtEnd = true
      return words
    case .lines(var lines, let name):
      let line = try lines.next(line: number)
      source = .lines(lines, name: name)
      return line.map { String(decoding: $0.bytes, as: UTF8.self) }
    case .typed(let lines): return try lines.next()
    }
  }
}

/// Runs scripts and determines the command's exit status.
@MainActor private struct ScriptedSession {
  let shell: DebugShell
  /// Whether the first error ends the session.
  let endsAtErrors: Bool
  /// Whether each line is printed before its output.
  let echoes: Bool
  private(set) var hasEnded = false
  /// The highest exit status among the errors so far.
  private(set) var status = ExitStatus.same
  private var hasNamedDamage = false

  init(shell: DebugShell, endsAtErrors: Bool, echoes: Bool) {
    self.shell = shell
    self.echoes = echoes
    self.endsAtErrors = endsAtErrors
  }

  mutating func run(_ script: DebugScript) async throws {
    var script = script
    while !hasEnded, let line = try script.next() {
      try await run(line, at: script.place)
      while !hasEnded, let queued = shell.nextLine() {
        try await run(queued.text, at: queued.place)
      }
    }
  }

  private mutating func run(_ line: String, at place: String?) async throws {
    if echoes { try shell.context.console.print("\(shell.prompt)\(line)\n") }
    do {
      let answer = try await shell.run(line)
      try shell.print(answer.text)
      hasEnded = answer.endsSession
    } catch let error as StreamError {
      throw error
    } catch {
      try report(error, of: line, at: place)
    }
    complainOfDamage()
  }

  private mutating func report(_ error: any Error, of line: String, at place: String?) throws {
    status = max(status, ExitStatus(error))
    if shell.isJSON {
      try shell.context.console.print(shell.document(of: error, in: line))
    } else {
      shell.context.complain((place.map { "\($0): " } ?? "") + "\(error)")
    }
    if endsAtErrors { hasEnded = true }
  }

  /// Ends the session.
  ///
  /// - Returns: The highest exit status among the errors.
  mutating func finish() -> ExitStatus {
    do throws(DebugError) { try shell.finish() } catch {
      status = max(status, ExitStatus(error))
      shell.context.complain("\(error)")
    }
    return status
  }

  /// Reports the first damaged line, unless it has been reported before.
  private mutating func complainOfDamage() {
    guard !hasNamedDamage, let damage = shell.session.log.damage else { return }
    hasNamedDamage = true
    status = max(status, ExitStatus(damage))
    shell.context.complain(Wording.damaged(damage, in: shell.session.log.slice.name))
  }
}

/// An interactive session at a terminal.
@MainActor struct DebugTerminal {
  private let shell: DebugShell
  private let terminal: LineTerminal

  init(_ shell: DebugShell) {
    self.shell = shell
    let completer = DebugCompleter(shell)
    terminal = LineTerminal(
      input: STDIN_FILENO,
      output: shell.context.console.output,
      history: LineHistory(keptIn: shell.context.cacheFolder),
      complete: { completer.completions(of: $0) }
    )
  }

  /// Returns whether both the input and the output are a terminal.
  static func isThere(_ context: CommandContext) -> Bool {
    context.console.isProcess && context.console.width != nil && isatty(STDIN_FILENO) == 1
      && context.environment["TERM"] != "dumb"
  }

  /// Reads and runs lines until the user quits.
  func run() async throws {
    shell.context.console.progress.end()
    InterruptFlag.watch()
    defer { InterruptFlag.ignore() }
    shell.session.isInterrupted = { InterruptFlag.isSet }
    let console = shell.context.console
    try console.print(shell.style.wrapped(try Wording.welcome(shell.session.log) + "\n"))
    while true {
      switch try terminal.readLine(prompt: shell.prompt) {
      case .cancelled: continue
      case .ended: return
      case .line(let line): if try await run(line) { return }
      }
    }
  }

  /// Runs a line, and then the lines that this line enqueues.
  ///
  /// - Returns: Whether the session ends.
  private func run(_ line: String) async throws -> Bool {
    let console = shell.context.console
    InterruptFlag.clear()
    console.progress.restartDisplay()
    defer { console.progress.end() }
    var next: QueuedLine? = QueuedLine(text: line, file: nil)
    var repeats = true
    while let line = next {
      do {
        let answer = try await shell.run(line.text, repeats: repeats)
        try shell.print(answer.text)
        if answer.endsSession { return true }
      } catch let error as StreamError {
        throw error
      } catch {
        console.complain((line.place.map { "\($0): " } ?? "") + "\(error)")
      }
      repeats = false
      if InterruptFlag.isSet { shell.forgetLines() }
      next = shell.nextLine()
    }
    return false
  }
}

/// A flag that Ctrl-C sets to end a running word early.
private enum InterruptFlag {
  private static let flag = Atomic<Bool>(false)

  static var isSet: Bool { flag.load(ordering: .relaxed) }

  static func clear() { flag.store(false, ordering: .relaxed) }

  /// Installs a signal handler for Ctrl-C.
  static func watch() {
    // Initializes the static value now, because lazy initialization is not safe in a signal handler.
    clear()
    signal(SIGINT) { _ in InterruptFlag.flag.store(true, ordering: .relaxed) }
  }

  /// Restores the default handler, which ends the process.
  static func ignore() { signal(SIGINT, SIG_DFL) }
}

extension Wording {
  static let attachedApp = "the app"

  static func welcome(_ log: DebuggedLog) throws -> String {
    let last = try log.last()
    let time = last?.at.map { RelativeTime(microseconds: $0).description }
    let first = (try log.first()?.seq ?? 0) + 1
    let damage = log.damage.map { "\n\(damaged($0, in: log.slice.name))" } ?? ""
    return
      "\(title(log.header))\n\(extent(first: first, last: last?.seq ?? 0, time)); 'help' lists the words\(damage)"
  }
}
