/// The help of a command, and of the whole tool, from the commands' tables.
package enum HelpText {
  package static func overview(program: String, commands: [CommandSyntax]) -> String {
    let rows = commands.map { ($0.name, $0.summary) }
    return """
      Records and replays the action logs of apps written as reducers.

      usage: \(program) COMMAND ...

      commands:
      \(table(rows))

      options:
      \(table([("--help, -h", "show this help; COMMAND --help shows that of a command"), ("--version", "show the version")]))

      exit status: 0 same, found, done; 1 different, not found, broken; 64 wrong usage; 65 log unreadable;
        66 no such file; 69 host cannot run; 73 cannot write; 74 read or write error

      """
  }

  package static func help(for syntax: CommandSyntax, program: String) -> String {
    var text = "\(syntax.summary)\n\nusage: \(usage(syntax, program: program))\n"
    if !syntax.operands.isEmpty {
      text += "\narguments:\n\(table(syntax.operands.map { ($0.name, $0.summary) }))\n"
    }
    text += "\noptions:\n\(table((syntax.options + [.help]).map { (label($0), $0.summary) }))\n"
    if !syntax.discussion.isEmpty { text += "\n\(syntax.discussion)\n" }
    return text
  }

  package static func usage(_ syntax: CommandSyntax, program: String) -> String {
    let operands = syntax.operands.map { $0.name + ($0.isRepeated ? "..." : "") }
    return ([program, syntax.name] + operands + ["[options]"]).joined(separator: " ")
  }

  private static func label(_ option: CommandSyntax.Option) -> String {
    let names = option.name + (option.short.map { ", \($0)" } ?? "")
    return names + (option.value.map { " \($0)" } ?? "")
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, summary in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(summary)"
    }.joined(separator: "\n")
  }
}
