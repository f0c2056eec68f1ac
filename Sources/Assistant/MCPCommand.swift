import ActionLog
import ReplayCommands
import ReplayEngine

/// `mcp`: serves logs to assistants.
package enum MCPCommand: Command {
  package static let syntax = CommandSyntax(
    name: "mcp",
    summary: "answer an assistant's questions about logs, as a Model Context Protocol server",
    operands: [
      CommandSyntax.Operand(
        name: "FOLDER",
        summary: "a folder with logs (the working folder)",
        isRepeated: true,
        isOptional: true
      )
    ],
    options: [
      CommandSyntax.Option(
        name: "--output",
        short: "-o",
        value: "FOLDER",
        summary: "let tools write logs and tests to this folder (none are written)"
      ),
      CommandSyntax.Option(
        name: "--answer-tokens",
        value: "N",
        summary: "limit an answer to this many tokens of 4 bytes (\(usualTokens))"
      ),
      CommandSyntax.Option(
        name: "--picture-bytes",
        value: "N",
        summary:
          "limit a picture in an answer to this many bytes (\(AssistantSetup.usualPictureBytes))"
      ),
      .host, .feature, .timeout,
    ],
    examples: [
      CommandSyntax.Example(
        "Logs --output Findings",
        "let an assistant ask about the logs in a folder"
      )
    ],
    discussion: """
      Speaks the Model Context Protocol, versions 2026-07-28 and 2025-11-25, on standard input and output. A client
      starts it with a configuration such as

        {"mcpServers": {"tca-replay": {"command": "tca-replay", "args": ["mcp", "Logs", "--output", "Findings"]}}}

      Reads only the *.jsonl files in the folders, with links resolved. Writes only into --output, and never over a
      file. Exits when the client closes standard input. The article 'Debugging with an assistant' describes the tools.
      """
  )

  /// The default budget of an answer in tokens: one or two screens, a small part of a model's context.
  private nonisolated static let usualTokens = 4000
  /// The minimum budget in tokens, which the shortest answers need.
  private nonisolated static let fewestTokens = 500

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let tokens = try arguments.positiveCount("--answer-tokens") ?? usualTokens
    guard tokens >= fewestTokens, tokens <= .max / 4 else {
      throw UsageError.badValue(
        "\(tokens)",
        option: "--answer-tokens",
        expected: Wording.budgetTooSmall(fewestTokens),
        command: syntax.name
      )
    }
    let folders = try LogFolders(
      arguments.operands.isEmpty ? ["."] : arguments.operands,
      output: arguments.value("--output"),
      base: context.folder
    )
    let setup = AssistantSetup(
      context,
      folders: folders,
      budget: tokens * 4,
      pictureBytes: try arguments.positiveCount("--picture-bytes")
        ?? AssistantSetup.usualPictureBytes,
      options: try context.replayOptions(arguments)
    )
    // No other output may be mixed into the messages.
    context.console.reserveStreams()
    return try await AssistantServer(setup, context.console).run()
  }
}
