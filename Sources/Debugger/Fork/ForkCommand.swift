import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `fork LOG`: edits the history of a log and writes the resulting timeline to another log.
package enum ForkCommand: Command {
  package static let syntax = CommandSyntax(
    name: "fork",
    summary: "change the history of a log and replay what follows",
    operands: [.log],
    options: [
      edit("--skip", "SEQ", "leave out this action"),
      edit("--edit", "SEQ=ACTION", "replace this action, or with 'SEQ PLACE = VALUE' a part of it"),
      edit("--insert", "SEQ=ACTION", "insert an action of the view after this one"),
      edit(
        "--reorder",
        "'SEQ before SEQ'",
        "move an action before another one, or after it with 'after'"
      ),
      edit(
        "--answer",
        "'SEQ KEY = VALUE'",
        "change the answer to a read or of an effect: 'EFFECT ACTION', 'EFFECT failed ERROR', 'cancelled', 'nothing'"
      ),
      edit("--set", "'SEQ PLACE = VALUE'", "change the state after an action"),
      CommandSyntax.Option(
        name: "--edits",
        value: "FILE",
        summary: "apply the edits in this file, as JSON, one per line; '-' is standard input"
      ),
      .log, .optionalOutput, .force, .host, .feature, .timeout, .raw, .full, .format,
    ],
    examples: [
      CommandSyntax.Example("bug.jsonl --skip 4", "show what happens without an action"),
      CommandSyntax.Example(
        "bug.jsonl --edit '3=.added(2)' -o other.jsonl",
        "replace an action, and write the result as a log"
      ),
    ],
    discussion: """
      All edits use the numbers of actions in LOG. Instead of a number, a case such as .saved stands for the only action
      that matches it. The host replays what follows the first edit. Actions that can no longer happen are left out and
      listed with the reason, for example actions of effects that never start or are canceled. 'run' reproduces the
      written log. Exits with status 0 if there is a new history, even if it equals the old one, and with 1 if a second
      replay of it gives another result.
      """
  )

  private nonisolated static func edit(
    _ name: String,
    _ value: String,
    _ summary: String
  ) -> CommandSyntax.Option {
    CommandSyntax.Option(name: name, value: value, summary: summary, isRepeated: true)
  }

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let output = arguments.value("--output")
    try OverwriteGuard.check(output, arguments)
    let (log, spool) = try context.log(arguments)
    defer { withExtendedLifetime(spool) {} }
    let edits = try edits(arguments, log, context)
    let options = try context.replayOptions(arguments)
    let forker = TimelineForker(context, options)
    let fork = try forker.fork(log, edits)
    var verdict: Verdict?
    if fork.trap == nil { verdict = try forker.check(fork) }
    let style = context.style(arguments)
    if let output {
      try context.console.write(to: output) { sink in
        try fork.write(to: sink, output, by: syntax.name)
      }
    }
    let report = ForkReport(fork)
    try context.console.report(
      arguments.isJSON ? "\(report.json)\n" : style.report(report.text(style)),
      besides: output
    )
    guard let verdict, !verdict.isSame else { return .same }
    context.complain(
      Wording.notTheSameAgain(Wording.line(verdict, through: fork.last.fork, style.notation))
    )
    return .different
  }

  private static func edits(
    _ arguments: ParsedArguments,
    _ log: LogSlice,
    _ context: CommandContext
  ) throws -> [TimelineEdit] {
    var edits: [TimelineEdit] = []
    for word in TimelineEdit.words {
      for text in arguments.values("--\(word)") {
        do throws(EditSyntaxError) {
          edits.append(
            try TimelineEdit(word: word, text, named: { ActionMatches($0, in: log) })
          )
        } catch {
          throw UsageError.badEdit(option: "--\(word)", "\(error)", command: syntax.name)
        }
      }
    }
    guard let file = arguments.value("--edits") else { return edits }
    let lines = try EditFile(file, context.console)
    return edits + lines.edits
  }
}

/// The edits in a file, which has one edit in JSON on each line.
private struct EditFile {
  private(set) var edits: [TimelineEdit] = []

  /// Reads the edits.
  ///
  /// - Throws: `CommandError` if a line is not an edit, `LogReadError`, or `StreamError`.
  init(_ path: String, _ console: Console) throws {
    let copy = try TemporaryFile.copy(of: path, input: console.input)
    defer { withExtendedLifetime(copy) {} }
    let name = path == "-" ? Wording.standardInput : path
    var failure: CommandError?
    var found: [TimelineEdit] = []
    try LogReader.scan(copy?.path ?? path) { start, bytes in
      guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return true }
      do {
        found.append(try TimelineEdit(json: try JSON(parsing: bytes)))
      } catch {
        failure = .badEditLine(file: name, line: start.line, problem: "\(error)")
      }
      return failure == nil
    }
    if let failure { throw failure }
    edits = found
  }
}

extension TimelineFork {
  /// Writes the log of the fork.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - output: The name of the destination, from which the name of the written file is derived.
  ///   - command: The name of the command, which is added to the header.
  /// - Throws: `LogReadError`, `StreamError`.
  package func write(to sink: any ByteSink, _ output: String, by command: String) throws {
    let events = try log.events()
    var buffer: [UInt8] = []
    while let event = try events() {
      buffer += event.written(by: command, to: output).line + [UInt8(ascii: "\n")]
      guard buffer.count > 1 << 18 else { continue }
      try sink.write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    try sink.write(buffer)
  }
}
