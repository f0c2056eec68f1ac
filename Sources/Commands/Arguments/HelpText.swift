import ActionLog

/// A generator for the help of a command or of the complete tool, which uses the commands' tables.
package struct HelpText {
  private let program: String
  /// The width of the terminal in columns, or `nil` if lines are not wrapped.
  private let width: Int?

  package init(program: String, width: Int? = nil) { (self.program, self.width) = (program, width) }

  /// Returns the help of the complete tool, which lists all commands.
  package func overview(of commands: [CommandSyntax]) -> String {
    let options = [
      ("--help, -h", "show this help; 'COMMAND --help' shows the help of a command"),
      ("--version", "show the version"),
    ]
    return """
      \(Self.purpose)

      usage: \(program) COMMAND ...

      commands:
      \(table(commands.map { ($0.name, $0.summary) }))

      options:
      \(table(options))

      \(wrapped("exit status: \(Self.statuses(0..<3));\n  \(Self.statuses(3...))", "  "))

      """
  }

  private static let purpose =
    "Records and replays the action logs of apps written as reducers."

  private static func statuses(_ range: some RangeExpression<Int>) -> String {
    ExitStatus.allCases[range].map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ")
  }

  /// Returns the help of a command.
  package func help(for syntax: CommandSyntax) -> String {
    let usages = usages(syntax).enumerated().map { index, usage in
      wrapped((index == 0 ? "usage: " : "       ") + usage, "         ")
    }
    var sections = [wrapped(syntax.summary, ""), usages.joined(separator: "\n")]
    if !syntax.examples.isEmpty {
      let lines = syntax.examples.flatMap { example in
        [
          wrapped("  # \(example.purpose)", "  # "),
          "  \(program) \(syntax.commandLine(of: example))",
        ]
      }
      sections.append("examples:\n" + lines.joined(separator: "\n"))
    }
    if !syntax.operands.isEmpty {
      sections.append("arguments:\n" + table(syntax.operands.map { ($0.name, $0.summary) }))
    }
    let groups = syntax.optionGroups
    // All option groups use the same column, so that the summaries align.
    let column = groups.flatMap(\.options).map { Self.label($0).count }.max() ?? 0
    for group in groups {
      let rows = group.options.map { (Self.label($0), $0.meaning) }
      sections.append("\(group.title):\n" + table(rows, column: column))
    }
    if syntax.options.contains(where: \.isRepeated) {
      sections.append(wrapped("An option with '...' may be given several times.", ""))
    }
    if !syntax.discussion.isEmpty { sections.append(filled(syntax.discussion)) }
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// Returns the usage lines of a command, one for each of its forms.
  package func usages(_ syntax: CommandSyntax) -> [String] {
    guard !syntax.forms.isEmpty else { return [usage(syntax, CommandSyntax.Form())] }
    return syntax.forms.map { usage(syntax, $0) }
  }

  private func usage(_ syntax: CommandSyntax, _ form: CommandSyntax.Form) -> String {
    let others = syntax.formNames.subtracting(form.names)
    let needed = Set(form.needs.joined())
    let operands = syntax.operands.filter { !others.contains($0.name) }.map { operand in
      let synopsis = syntax.synopsis(of: operand.name)
      return operand.isOptional && !needed.contains(operand.name) ? "[\(synopsis)]" : synopsis
    }
    let names = Set(syntax.operands.map(\.name))
    let choices = form.needs.filter { names.isDisjoint(with: $0) }
    let allowed = form.allowed.filter { !names.contains($0) }
    let required = syntax.options.filter(\.isRequired)
    var words = [program, syntax.name] + operands
    words += choices.map { syntax.heading(of: $0) ?? syntax.synopsis(anyOf: $0) }
    let additions = syntax.heading(of: allowed).map { [$0] } ?? allowed.map(syntax.synopsis(of:))
    words += additions.map { "[\($0)]" }
    words += required.map { syntax.synopsis(of: $0.name) }
    return (words + ["[options]"]).joined(separator: " ")
  }

  package static func label(_ option: CommandSyntax.Option) -> String {
    let names = option.name + (option.short.map { ", \($0)" } ?? "")
    return names + (option.value.map { " \($0)" } ?? "") + (option.isRepeated ? " ..." : "")
  }

  // MARK: - Lines

  /// The last column at which a summary may start.
  ///
  /// The summary of a longer name starts on the next line.
  private static let farthestSummary = 30

  private func table(_ rows: [(String, String)], column: Int? = nil) -> String {
    let longest = column ?? rows.map(\.0.count).max() ?? 0
    let start = width == nil ? longest + 4 : min(longest + 4, Self.farthestSummary)
    let indent = String(repeating: " ", count: start)
    return rows.map { name, summary in
      let gap = start - 2 - name.count
      let head =
        gap >= 2 ? "  \(name)\(String(repeating: " ", count: gap))" : "  \(name)\n\(indent)"
      return wrapped(head + summary, indent)
    }.joined(separator: "\n")
  }

  private func wrapped(_ text: String, _ indent: String) -> String {
    width.map { text.wrapped(to: $0, indent: indent) } ?? text
  }

  /// Wraps text at the terminal's width, but keeps indented lines as they are.
  private func filled(_ text: String) -> String {
    guard width != nil else { return text }
    var paragraphs: [String] = []
    var isOpen = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let goesOn = isOpen && !line.isEmpty && line.first != " "
      if goesOn {
        paragraphs[paragraphs.count - 1] += " \(line)"
      } else {
        paragraphs.append(String(line))
      }
      isOpen = !line.isEmpty && line.first != " "
    }
    return paragraphs.map { wrapped($0, String($0.prefix { $0 == " " })) }.joined(separator: "\n")
  }
}
