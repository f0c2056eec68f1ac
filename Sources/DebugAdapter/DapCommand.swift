import ActionLog
import ReplayCommands

/// `dap`: debugs logs in an editor, through the Debug Adapter Protocol.
package enum DapCommand: Command {
  package static let syntax = CommandSyntax(
    name: "dap",
    summary: "debug a log in an editor, as a debug adapter on standard input and output",
    examples: [
      CommandSyntax.Example("", "start the adapter, as editors do")
    ],
    discussion: """
      Speaks the Debug Adapter Protocol with the editor that starts it. The editor's launch configuration names the log:

        {"type": "tca-replay", "request": "launch", "name": "Debug log", "log": "session.jsonl"}

        log            the log
        at             the number of the action at which to start, or "end" (the start)
        stopOnEntry    whether to stop there, or to continue to the first breakpoint (true)
        sourceFolders  the folders in which to search for the app's sources (the working folder)
        host           the executable that replays the log when you change its history
                       ($TCA_REPLAY_HOST, else 'host' in .tca-replay.json, else this one)
        feature        use this feature instead of the one that the log names
        timeout        kill a host that takes longer than this, in seconds (60)
        cwd            the folder for relative paths (the folder in which this command was started)

      To attach to a running app, use "request": "attach" and, instead of "log", "socket": the path at which its
      timeline listens.

      Frames are the chain of causes of an action, and scopes are its parts. A function breakpoint takes what 'break'
      takes in 'debug': '.saved(.failure)', 12, '--effect save'. A data breakpoint takes a path such as
      'todos[0].title'. The editor's console takes the words of 'debug'. A restart starts at 'at' again, as the launch
      did. Exits with status 0 when the editor disconnects or goes away.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    // Other output must not mix with the protocol's messages.
    context.console.reserveStreams()
    return try await DebugAdapter(context).run()
  }
}
