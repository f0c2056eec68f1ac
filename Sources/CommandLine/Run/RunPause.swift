import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The arguments `--pause-before` and `--native` of `run`, with which a native debugger stops the replay of one log.
struct RunPause {
  private let seq: Int
  /// The debugger to start, or `nil` to wait until the user attaches one.
  let debugger: NativeDebugger.Kind?

  /// Reads the arguments, or returns `nil` if the replay does not pause.
  ///
  /// - Throws: `UsageError` for invalid or conflicting arguments.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    debugger = arguments.value("--native").flatMap(NativeDebugger.Kind.init)
    guard let seq = try arguments.positiveCount("--pause-before") else { return nil }
    self.seq = seq
    // A waiting host has no time limit. The other options replay a log more than once.
    for option in ["--timeout", "--watch", "--accept", "--pages"]
    where arguments.isOn(option) || arguments.value(option) != nil {
      throw .conflict("--pause-before", option, command: arguments.command)
    }
    if let until = try arguments.position("--until")?.seq, until < seq {
      throw .badValue(
        String(seq),
        option: "--pause-before",
        expected: "an action up to --until \(until)",
        command: arguments.command
      )
    }
    if debugger != nil, arguments.operands.contains("-") {
      throw .badOperand(
        "-",
        operand: "LOG",
        expected: Wording.fileForDebugger,
        command: arguments.command
      )
    }
  }

  /// Validates that there is exactly one log, and that it contains the action.
  ///
  /// - Throws: `UsageError.oneLogOnly`, `CommandError.noSuchAction`, or `LogReadError`.
  @discardableResult
  static func check(
    _ seq: Int,
    _ logs: OperandLogs,
    _ arguments: ParsedArguments
  ) throws -> LogSlice? {
    var slices: [LogSlice] = []
    for entry in logs.entries {
      // Files that can't be read are skipped here, because the run reports them.
      guard case .file(let path, let name) = entry else { continue }
      slices += try LogSlice.slices(of: path, name: name)
    }
    let count = max(slices.count, logs.entries.count)
    guard count == 1 else {
      throw UsageError.oneLogOnly(
        option: "--pause-before",
        found: count,
        command: arguments.command
      )
    }
    guard let log = slices.first else { return nil }
    var last = 0
    let events = try log.events()
    while let event = try events() {
      guard case .action(let action) = event else { continue }
      last = action.seq
      if last == seq { return log }
    }
    throw CommandError.noSuchAction(seq, last: last)
  }

  /// Replaces this process with a debugger that starts the host.
  ///
  /// The function returns only if there is no log. Otherwise, it does not return or throws an error.
  @MainActor func become(
    _ debugger: NativeDebugger.Kind,
    _ arguments: ParsedArguments,
    _ options: ReplayOptions,
    _ context: CommandContext
  ) throws {
    guard let log = try Self.check(seq, OperandLogs(arguments.operands), arguments) else { return }
    let native = try NativeDebugger(debugger, environment: context.environment)
    try native.become(
      host: options.host,
      log: log.path,
      before: seq,
      options: (options.feature.map { ["--feature", $0] } ?? [])
        + (options.until.map { ["--until", String($0)] } ?? [])
    )
  }
}

extension Wording {
  fileprivate static let fileForDebugger = "a file with --native: the debugger reads standard input"
}
