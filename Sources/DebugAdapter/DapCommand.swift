import ActionLog
import ReplayCommands

/// `dap`: the debugger for editors.
package enum DapCommand: Command {
  package static let syntax = CommandSyntax(
    name: "dap",
    summary: "debug a log in an editor: a debug adapter on standard input and output",
    examples: [
      CommandSyntax.Example("", "start the adapter, as editors do")
    ],
    discussion: """
      Speaks the Debug Adapter Protocol with the editor that starts it. The editor's launch configuration names the log:

        {"type": "tca-replay", "request": "launch", "name": "Debug log", "log": "session.jsonl"}

      log            the log
      at             the number of the action at which to begin, or "end" (the start)
      stopOnEntry    whether to stop there, or to go on to the first breakpoint (true)
      sourceFolders  the folders in which the app's sources are looked for (the working folder)
      host           the executable that replays the log when you change its history ($TCA_REPLAY_HOST, 'host' of .tca-replay.json, else this one)
      feature        the feature to use, whatever the log says
      timeout        kill a host that takes longer, in seconds (60)
      cwd            the folder for relative paths (the folder in which this command was started)

      A running app is attached with "request": "attach" and "socket", the path at which its timeline listens, instead of "log".

      Frames are the chain of causes of an action, and scopes its parts. A function breakpoint is what 'break' takes in
      'debug': '.saved(.failure)', 12, '--effect save'. A data breakpoint is a place such as 'todos[0].title'. The editor's
      console takes the words of 'debug'. A restart begins at 'at' again, as the launch did. Ends with 0 when the editor disconnects or goes away.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    // Other output must not get into the messages.
    context.console.reserveStreams()
    return try await DebugAdapter(context).run()
  }
}
