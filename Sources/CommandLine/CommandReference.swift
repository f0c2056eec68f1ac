import ReplayCommands

/// The reference of all commands in Markdown, generated from the tables that the parser uses.
///
/// ```swift
/// let reference = CommandReference(program: "tca-replay", commands: [RunCommand.syntax])
/// print(reference.text)
/// ```
struct CommandReference {
  let program: String
  let commands: [CommandSyntax]

  /// The reference as an article in Markdown.
  var text: String {
    let statuses = ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] }
    let sections = [
      """
      # Commands

      All commands of `\(program)` with their arguments and options.

      ## Overview

      `\(program) manual --format markdown` writes this page from the tables that the parser uses. `\(program) COMMAND --help` shows the same in
      a terminal. A default is in parentheses at the end of a description. An option with `...` may be given several times.
      A command with several lines of usage is called in one of these ways.
      """,
      table(
        ["command", "effect"],
        commands.map { [Markdown.code($0.name), Self.escaped($0.summary)] }
      ),
      "## Exit statuses",
      table(["status", "meaning"], statuses),
      "[Exit status](ExitStatus.md) has the statuses of each command.",
    ]
    return (sections + commands.flatMap(section)).joined(separator: "\n\n") + "\n"
  }

  private func section(_ command: CommandSyntax) -> [String] {
    var parts = [
      "## \(command.name)", Self.sentence(command.summary),
      Self.block(HelpText(program: program).usages(command).joined(separator: "\n")),
    ]
    if !command.examples.isEmpty {
      let lines = command.examples.map {
        "# \($0.purpose)\n\(program) \(command.commandLine(of: $0))"
      }
      parts.append(Self.block(lines.joined(separator: "\n"), language: "sh"))
    }
    if !command.operands.isEmpty {
      let rows = command.operands.map { [Markdown.code($0.name), Self.escaped($0.summary)] }
      parts.append(table(["argument", "meaning"], rows))
    }
    for group in command.optionGroups {
      let rows = group.options.map { option in
        let remarks =
          (option.isRequired ? ["Required"] : [])
          + (option.formerName.map { ["Formerly \(Markdown.code($0))"] } ?? [])
        return [
          Markdown.code(HelpText.label(option)),
          ([Self.escaped(option.meaning)] + remarks).joined(separator: ". "),
        ]
      }
      parts.append(table([group.title.lowercased(), "meaning"], rows))
    }
    if !command.discussion.isEmpty {
      parts.append(Self.block(command.discussion, language: "text"))
    }
    return parts
  }

  private func table(_ head: [String], _ rows: [[String]]) -> String {
    func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    return Markdown.table(row(head), row(head.map { _ in "---" }), rows.map(row))
  }

  private static func block(_ text: String, language: String = "") -> String {
    "```\(language)\n\(text)\n```"
  }

  private static func sentence(_ text: String) -> String {
    escaped(text.prefix(1).uppercased() + text.dropFirst()) + "."
  }

  /// Returns text in which the characters that Markdown interprets are escaped.
  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "\\`*_[]<>|".contains($0) ? ["\\", $0] : [$0] })
  }
}
