import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `replay LOG`: a filter that reads a log and writes its replay as another log.
package enum ReplayCommand: Command {
  package static let syntax = CommandSyntax(
    name: "replay",
    summary: "replay a log and write the replayed log",
    operands: [.log],
    options: [
      .output, .force, .feature, .until,
      CommandSyntax.Option(
        name: "--continue",
        summary: "continue from the recorded state after a divergence"
      ),
      CommandSyntax.Option(
        name: "--ignore",
        value: "POINTER",
        summary: "ignore this part of the state",
        isRepeated: true,
        requires: "--continue"
      ),
      CommandSyntax.Option(
        name: "--prune",
        summary: "leave out actions of effects that are not alive in the replay"
      ),
      .pauseBefore,
      CommandSyntax.Option(
        name: "--stand-ins",
        summary: "write the stand-in values for reads that the log lacks, as reads"
      ),
    ],
    examples: [
      CommandSyntax.Example("todos.jsonl > replayed.jsonl", "write what the current code does")
    ],
    discussion: """
      Runs the feature in this process. An action that traps ends the process and is the last action of the written log.
      The output of the feature goes to standard error.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    if arguments.isOn("--continue"), arguments.isOn("--prune") {
      throw UsageError.conflict("--continue", "--prune", command: arguments.command)
    }
    let output = arguments.value("--output")
    try OverwriteGuard.check(output, arguments)
    // Streams are reserved before any app code runs, because the app's output must not get into the log.
    context.console.reserveStreams()
    ParentMonitor.watch(context.console, environment: context.environment)
    let features = context.features
    let feature = arguments.value("--feature")
    let position = try arguments.position("--until")
    if let feature { _ = try features.entry(named: feature) }
    let pause = try arguments.positiveCount("--pause-before").map { context.pause(before: $0) }
    let operand = arguments.operands[0]
    // To convert a time to an action, the log must be read first, so standard input is copied.
    let copied = position.map { $0.seq == nil } == true ? try context.logs(operand) : nil
    defer { withExtendedLifetime(copied?.spool) {} }
    let until = try position?.seq ?? copied?.logs.first.flatMap { try position?.seq(in: $0) }
    let reader = try context.console.logReader(of: copied?.spool?.path ?? operand)
    let handshake = ReplayHandshake(environment: context.environment)
    let events = RecordedEvents(
      LogEventIterator(all: reader),
      plan: { header in
        // If the feature is unknown, the error is reported when its engine is created.
        guard let entry = try? features.entry(for: header, named: feature) else { return nil }
        return try MigrationPlan(entry)
      },
      isCompared: false
    )
    var session = ReplaySession(
      until: until ?? .max,
      isResyncing: arguments.isOn("--continue"),
      ignored: try arguments.patterns("--ignore").flatMap { $0.patterns ?? [] },
      isPruning: arguments.isOn("--prune"),
      keepsStandIns: arguments.isOn("--stand-ins"),
      isOneOfMany: handshake != nil,
      input: events,
      pause: pause,
      makeEngine: { try features.entry(for: $0, named: feature).makeEngine() }
    )
    do {
      var logs = 0
      try context.console.write(to: output, keepsOnTrap: true) { sink in
        logs = try write(&session, handshake, to: sink, at: output)
      }
      // If a tool started this process, the tool reports the number of logs itself.
      if handshake == nil { context.report(logs, logsOf: operand, command: syntax.name) }
      context.complain(ifStillDue: pause)
    } catch let error as LogReadError where handshake != nil {
      // The tool that started this process reads the same log and prints a better message.
      return ExitStatus(error)
    } catch let error as MigrationError {
      guard let handshake else { throw error }
      // The tool that started this process doesn't know the migrations, so it gets the error as an event.
      for event in [handshake.head, .refusal("\(error)")] {
        try context.console.output.write(event.line + [0x0A])
      }
      return ExitStatus(error)
    }
    return .same
  }

  /// Writes the replayed logs to standard output.
  ///
  /// - Returns: The number of logs that were written.
  private static func write(
    _ session: inout ReplaySession,
    _ handshake: ReplayHandshake?,
    to sink: any ByteSink,
    at output: String?
  ) throws -> Int {
    let replayer = ReplayHandshake.replayer(handshake)
    var logs = 0
    var buffer: [UInt8] = []
    func flush() throws {
      try sink.write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    do {
      while var event = try session.next() {
        var mustFlush = buffer.count > mostBuffered
        switch event {
        case .header(var header):
          logs += 1
          header.rest["replayer"] = replayer
          event = .header(header).written(by: syntax.name, to: output)
          // A header also marks the end of the previous log, for which a reader may be waiting.
          mustFlush = true
        case .action:
          // The next call reduces the action, which may end the process, so the action is written first.
          mustFlush = true
        default: break
        }
        buffer += event.line
        buffer.append(UInt8(ascii: "\n"))
        if mustFlush { try flush() }
      }
    } catch {
      try flush()
      throw error
    }
    try flush()
    return logs
  }

  /// The maximum number of bytes to buffer: 64 KiB, the default capacity of a pipe on Linux.
  private static let mostBuffered = 64 * 1024
}

extension LogEvent {
  /// Returns an event that reports to the tool that started this process why the log can't be replayed.
  fileprivate static func refusal(_ message: String) -> LogEvent {
    .finding(Finding(seq: 0, code: .unknownFeature, subject: "", message: message))
  }
}
