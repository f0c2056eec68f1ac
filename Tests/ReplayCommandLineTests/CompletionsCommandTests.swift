import ReplayTestSupport
import Testing

@testable import ReplayCommandLine
@testable import ReplayCommands

/// `completions`: scripts for shells.
@MainActor @Suite struct CompletionsCommandTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions list every command and option`(shell: String) async throws {
    let terminal = try Terminal()
    let result = try await terminal.run("completions", shell)
    #expect(result.status == 0)
    for command in CommandLineTool.commands.map({ $0.syntax }) {
      #expect(result.output.contains(command.name))
      for option in command.options {
        let name = shell == "fish" ? "-l \(option.name.dropFirst(2))" : option.name
        #expect(result.output.contains(name), "\(command.name) \(option.name)")
      }
    }
  }

  @Test(
    arguments: [
      ("bash", #"completions) words="--help" values="bash zsh fish" ;;"#),
      ("zsh", "'1:value:(bash zsh fish)' ;;"),
      ("fish", "-n '__fish_seen_subcommand_from completions' -f -a 'bash zsh fish'"),
    ]
  )
  func `completions list the possible values of an operand`(
    shell: String,
    line: String
  ) async throws {
    #expect(try await Terminal().run("completions", shell).output.contains(line))
  }

  @Test func `completions for zsh offer no option that excludes a given one`() async throws {
    let script = try await Terminal().run("completions", "zsh").output
    for name in ["'(--traps --reference-host)--when'", "'(--when --reference-host)--traps'"] {
      #expect(script.contains("        \(name)'["), "\(name)")
    }
    // Both forms of 'bisect' take a condition.
    #expect(script.contains("        '--when''["))
    #expect(script.contains("'[with --lines\\: that build of the host"))
  }

  @Test func `completions refuse an unknown shell`() async throws {
    #expect(
      try await Terminal().run("completions", "tcsh")
        == .init(
          status: 64,
          output: "",
          error: "tca-replay: invalid SHELL 'tcsh'; expected bash, zsh or fish\n"
            + "see 'tca-replay completions --help'\n"
        )
    )
  }
}
