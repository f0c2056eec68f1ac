import ActionLog
import ReplayCommands
import ReplayEngine

extension ShowCommand {
  /// The time between two reads of the file, in seconds.
  private static let interval = 0.25

  /// Prints a growing log until the command is interrupted.
  static func follow(
    _ name: String,
    _ asked: ShowArguments,
    _ arguments: ParsedArguments,
    _ context: inout CommandContext
  ) async throws -> ExitStatus {
    try GrowingLog.check(name, of: syntax)
    context.interruption.allowPartialResult()
    context.console.progress.end()
    let style = context.style(arguments)
    var log = GrowingLog(name)
    var printer = LogPrinter(asked.writer(style), asked.selection)
    var lines = 0
    var isWaiting = false
    // After the interruption, the file is read once more, so that no complete line is lost.
    while true {
      let isLast = context.interruption.isRequested
      while let news = try log.next() {
        switch news {
        case .began(let path):
          lines = 0
          printer.flush()
          try context.console.write(&printer, style, isJSON: false)
          context.complain(Wording.following(path))
        case .lines(let bytes):
          for line in bytes.split(separator: UInt8(ascii: "\n")) {
            lines += 1
            try printLine(line, number: lines, &printer, context)
          }
        }
      }
      printer.flush()
      try context.console.write(&printer, style, isJSON: false)
      if isLast { break }
      if log.path == nil, !isWaiting {
        context.complain(Wording.waitingFor(name))
        isWaiting = true
      }
      await context.pause(interval)
    }
    context.interruption.fulfil()
    return .same
  }

  private static func printLine(
    _ line: ArraySlice<UInt8>,
    number: Int,
    _ printer: inout LogPrinter,
    _ context: CommandContext
  ) throws {
    guard let event = LogEvent(line: line) else {
      return context.complain(Wording.skippedLine(number))
    }
    do {
      _ = try printer.printEvent(event)
    } catch let error as LogCursor.BrokenPatch {
      // Output continues. The state is unknown until the next checkpoint.
      context.complain("\(error)")
    }
  }
}

extension Wording {
  static func following(_ path: String) -> String { "following \(path); Ctrl-C ends" }

  static func skippedLine(_ line: Int) -> String {
    "line \(line) is no event, and is passed over"
  }
}
