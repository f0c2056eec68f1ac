import ReplayCommands
import ReplayEngine

/// `completions SHELL`: a script that makes a shell complete this program's arguments.
enum CompletionsCommand: Command {
  static let syntax = CommandSyntax(
    name: "completions",
    summary: "write a script that completes arguments in a shell",
    operands: [
      CommandSyntax.Operand(
        name: "SHELL",
        summary: Wording.oneOf(CompletionScript.Shell.allCases.map(\.rawValue)),
        choices: CompletionScript.Shell.allCases.map(\.rawValue)
      )
    ],
    discussion: """
      bash:  source <(tca-replay completions bash)
      zsh:   tca-replay completions zsh > _tca-replay, in a folder of $fpath
      fish:  tca-replay completions fish > ~/.config/fish/completions/tca-replay.fish
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let name = arguments.operands[0]
    guard let shell = CompletionScript.Shell(rawValue: name) else {
      throw UsageError.badOperand(
        name,
        operand: "SHELL",
        expected: syntax.operands[0].summary,
        command: syntax.name
      )
    }
    let script = CompletionScript(
      program: context.program.name,
      commands: CommandLineTool.commands.map { $0.syntax }
    )
    try context.console.print(script.text(for: shell))
    return .same
  }
}
