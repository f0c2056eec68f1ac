import ReplayCommands
import ReplayEngine

/// `manual`: prints the manual of this program, as a page for `man` or as an article.
enum ManualCommand: Command {
  static let syntax = CommandSyntax(
    name: "manual",
    summary: "write the manual page",
    options: [
      CommandSyntax.Option(
        name: "--format",
        value: "man|markdown",
        summary: "write a page for 'man', or an article in Markdown (man)",
        choices: ["man", "markdown"]
      )
    ],
    examples: [
      CommandSyntax.Example("> tca-replay.1", "write the page for 'man'"),
      CommandSyntax.Example("--format markdown > Commands.md", "write the reference as an article"),
    ],
    discussion: """
        tca-replay manual > /usr/local/share/man/man1/tca-replay.1
        tca-replay manual | man -l -
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let commands = CommandLineTool.commands.map { $0.syntax }
    if arguments.value("--format") == "markdown" {
      let reference = CommandReference(program: context.program.name, commands: commands)
      try context.console.print(reference.text)
    } else {
      let page = ManualPage(program: context.program, commands: commands)
      try context.console.print(page.text)
    }
    return .same
  }
}

/// A manual page that is generated from the commands' tables.
struct ManualPage {
  let program: CommandLineTool.Program
  let commands: [CommandSyntax]

  /// The page in the macros of man(7).
  var text: String {
    var page = ManualText()
    let name = program.name
    page.macro("TH", name.uppercased(), "1", "", "\(name) \(program.version)")
    page.macro("SH", "NAME")
    page.paragraph("\(name) - record and replay the action logs of apps written as reducers")
    page.macro("SH", "SYNOPSIS")
    page.macro("B", "\(name) COMMAND ...")
    page.macro("br")
    page.macro("B", "\(name) COMMAND --help")
    page.macro("SH", "COMMANDS")
    for command in commands { page.add(command, of: name) }
    page.macro("SH", "EXIT STATUS")
    for status in ExitStatus.allCases { page.entry("\(status.rawValue)", status.meaning) }
    page.macro("SH", "ENVIRONMENT")
    page.entry(CommandContext.hostVariable, CommandSyntax.Option.host.meaning)
    page.entry("NO_COLOR", Wording.noColor)
    page.macro("SH", "FILES")
    page.entry(Settings.name, Wording.settingsFile)
    return page.text
  }
}

/// A builder for text with the macros of man(7).
private struct ManualText {
  private(set) var text = ""

  /// Adds a macro with its arguments.
  mutating func macro(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { "\"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" }
    text += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
  }

  /// Adds a line of text, which `man` fills together with adjacent lines.
  mutating func paragraph(_ line: String) { text += Self.line(line) }

  /// Adds a term and its meaning.
  mutating func entry(_ term: String, _ meaning: String) {
    macro("TP")
    macro("B", term)
    paragraph(meaning)
  }

  /// Adds the description of a command, with its operands and options.
  mutating func add(_ command: CommandSyntax, of program: String) {
    let usages = HelpText(program: program).usages(command)
    macro("SS", usages[0])
    for usage in usages.dropFirst() {
      macro("B", usage)
      macro("PP")
    }
    paragraph(command.summary)
    for operand in command.operands { entry(operand.name, operand.summary) }
    for example in command.examples {
      entry("\(program) \(command.commandLine(of: example))", example.purpose)
    }
    for option in command.options { entry(HelpText.label(option), option.meaning) }
    guard !command.discussion.isEmpty else { return }
    macro("PP")
    // Filling is turned off, because a discussion may contain examples with aligned columns.
    macro("nf")
    for line in command.discussion.split(separator: "\n", omittingEmptySubsequences: false) {
      paragraph(String(line))
    }
    macro("fi")
  }

  private static func line(_ line: String) -> String {
    let line = escaped(line)
    // At the start of a line, `.` and `'` introduce a macro.
    return (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
  }
}
