import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Words that hand over to another program.
extension DebuggerCommands {
  static let leaving: [DebuggerCommand] = [
    DebuggerCommand(
      name: "live",
      arguments: "-o FILE [--actions FILE]",
      summary: "continue from here with real effects, and record the result",
      discussion: """
        The host continues from the state after this action, with the actions in a file or with typed actions, one per
        line, as in 'record': .titleChanged(id: _, "Milk") or JSON. Lines of standard input that follow are also such
        actions. Each action is shown as it arrives. Words such as 'print count' and 'info effects' show what was
        recorded so far. 'quit', or the end of the input, leads back here. The new log names this log and the action.
        """,
      completions: [.files(after: ["-o", "--actions"]), .words(["-o", "--actions"])]
    ) { shell, call in
      guard call.words.first == "-o", call.words.count == 2 || call.words.count == 4 else {
        throw call.badArguments
      }
      let (log, options) = try shell.recordedFile("live")
      // Other programs identify a state by the number of its action.
      guard shell.session.current.id.part == 0 else {
        throw DebugError.noAction(shell.session.current.id)
      }
      let seq = String(shell.session.current.id.seq)
      let words = call.words
      shell.context.console.progress.end()
      let end = try HostExecution.run(
        options.host,
        arguments: ["record", "--from", log, "--until", seq] + words
          + (options.feature.map { [$0] } ?? []),
        isSilent: shell.isJSON
      )
      // The host has already reported its errors.
      guard end == .exited(ExitStatus.same.rawValue) else { throw DebugError.liveFailed(end) }
      return shell.answer {
        [Wording.backFromLive(shell.session.current.id, words[1])]
      } json: {
        ["output": .string(words[1]), "step": .object(StepJSON.object(shell.session.current))]
      }
    },
    DebuggerCommand(
      name: "native",
      arguments: "[gdb|lldb]",
      summary: "continue in a native debugger, in the reducer of this action",
      discussion: """
        The debugger starts the host, which replays the log up to this action and stops in its reducer. This ends the
        session.
        """,
      completions: [.words(NativeDebugger.Kind.allCases.map(\.rawValue))]
    ) { shell, call in
      let name = call.text.isEmpty ? NativeDebugger.Kind.usual.rawValue : call.text
      guard let kind = NativeDebugger.Kind(rawValue: name) else { throw call.badArguments }
      let step = shell.session.current
      guard step.kind == .action else { throw DebugError.noAction(step.id) }
      let (log, options) = try shell.recordedFile("native")
      let debugger = try NativeDebugger(kind, environment: shell.context.environment)
      try debugger.become(
        host: options.host,
        log: log,
        before: step.id.seq,
        options: options.feature.map { ["--feature", $0] } ?? []
      )
      throw DebugError.cannotFork
    },
  ]
}

extension DebugShell {
  /// Returns the file of the log for another program.
  ///
  /// The log must be the recorded one and the only log in its file, because a fork is deleted when this process ends.
  fileprivate func recordedFile(
    _ word: String
  ) throws -> (path: String, options: ReplayOptions) {
    guard hasTerminal else { throw DebugError.needsTerminal(word) }
    guard let timelines else { throw DebugError.cannotFork }
    guard timelines.branches.isEmpty else { throw DebugError.isFork }
    let log = timelines.recorded
    guard log.start == 0, log.end == nil else { throw DebugError.isOneOfSeveral }
    return (log.path, timelines.options)
  }
}

extension NativeDebugger.Kind {
  /// The debugger that belongs to the platform's toolchain.
  fileprivate static var usual: Self { Platform.isApple ? .lldb : .gdb }
}

extension DebuggerCommands {
  /// Words that are available during a recording.
  package static let live = DebuggerCommands(
    sections: [
      ("looking around", queries.filter { lookingBack.contains($0.name) }),
      ("the recording", [helpWord, quitWord]),
    ]
  )

  private static let lookingBack: Set = [
    "print", "frame", "list", "where", "info", "blame", "history",
  ]
}

extension Wording {
  static func backFromLive(_ id: StepID, _ path: String) -> String {
    "back at \(stepText(id)); 'debug \(path)' continues in the recording"
  }
}
