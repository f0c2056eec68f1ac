import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts
import ReplayServing
import ReplayTestSupport
import Testing

/// The command line of a host that only answers the tool.
@MainActor
struct ServingToolTests {
  private let output = MemorySink()
  private let error = MemorySink()

  private func run(_ arguments: String...) async -> ReplayCommands.ExitStatus {
    var context = CommandContext(
      program: Program(name: "app-replay", version: "1", executable: ""),
      features: FeatureCatalog([]),
      console: Console(input: .nullDevice, output: output, error: error),
      makeReplayStarter: PersistentHost.starter
    )
    return await ServingTool.program.run(arguments, in: &context)
  }

  @Test(arguments: ["run", "record", "nonsense"])
  func `a host that only answers the tool explains where its missing commands are`(
    command: String
  ) async {
    #expect(await run(command, "a.jsonl") == .usage)
    #expect(
      error.text == """
        app-replay: this host has the product TCAReplayHost, which only answers tca-replay, so it has no command \
        '\(command)'; expected 'tca-replay \(command) --host PATH', or a host with the product TCAReplay

        """
    )
  }

  @Test func `a host that only answers the tool lists its features`() async {
    #expect(await run("features", "--format", "json") == .same)
    #expect(output.text == #"{"features":[]}"# + "\n")
  }

  @Test func `help of a host that only answers the tool lists its own commands`() async {
    #expect(await run("--help") == .same)
    let commands = output.text.split(separator: "\n").filter { $0.hasPrefix("  ") }
      .compactMap { $0.split(separator: " ").first }
    #expect(commands.prefix(3) == ["replay", "migrate", "features"])
  }
}
