/// The name, operands, options and help of a command: the one table for the parser, the help and the suggestions.
package struct CommandSyntax: Sendable {
  package let name: String
  /// The effect of the command, in one line.
  package let summary: String
  package let operands: [Operand]
  package let options: [Option]
  /// More help, after the options.
  package let discussion: String

  package init(
    name: String,
    summary: String,
    operands: [Operand] = [],
    options: [Option] = [],
    discussion: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.discussion = discussion
  }

  /// A value that is given by its position.
  package struct Operand: Sendable {
    package let name: String
    package let summary: String
    package let isRepeated: Bool
    /// Whether it may be left out; then those after it may be, too.
    package let isOptional: Bool
    /// The allowed values, when these are few.
    package let choices: [String]

    package init(
      name: String,
      summary: String,
      isRepeated: Bool = false,
      isOptional: Bool = false,
      choices: [String] = []
    ) {
      self.name = name
      self.summary = summary
      self.isRepeated = isRepeated
      self.isOptional = isOptional
      self.choices = choices
    }
  }

  /// A value, or a switch, that is given by its name.
  package struct Option: Sendable {
    package let name: String
    package let short: String?
    /// The name of its value; `nil` for a switch.
    package let value: String?
    package let summary: String
    /// The allowed values, when these are few.
    package let choices: [String]
    /// Whether it may be given more than once.
    package let isRepeated: Bool

    package init(
      name: String,
      short: String? = nil,
      value: String? = nil,
      summary: String,
      choices: [String] = [],
      isRepeated: Bool = false
    ) {
      self.name = name
      self.short = short
      self.value = value
      self.summary = summary
      self.choices = choices
      self.isRepeated = isRepeated
    }
  }
}

extension CommandSyntax.Option {
  package static let help = Self(name: "--help", short: "-h", summary: "show this help")
  package static let format = Self(
    name: "--format",
    value: "text|json",
    summary: "how to write the result (text)",
    choices: ["text", "json"]
  )
  package static let host = Self(
    name: "--host",
    value: "PATH",
    summary: "the executable that has the feature ($TCA_REPLAY_HOST, else this one)"
  )
  package static let feature = Self(
    name: "--feature",
    value: "NAME",
    summary: "the feature to use, whatever the log says"
  )
  package static let log = Self(
    name: "--log",
    value: "N",
    summary: "the log, in a file that has several (1)"
  )
  package static let until = Self(
    name: "--until",
    value: "POSITION",
    summary: "stop after this action, or at this time from the start, such as 1.2s"
  )
  package static let timeout = Self(
    name: "--timeout",
    value: "SECONDS",
    summary: "kill a host that takes longer for one log (60)"
  )
  package static let output = Self(
    name: "--output",
    short: "-o",
    value: "FILE",
    summary: "where to write; '-' is standard output"
  )
  package static let modules = Self(
    name: "--import",
    value: "MODULE",
    summary: "a module that the test imports for the reducer",
    isRepeated: true
  )
  package static let serial = Self(
    name: "--serial",
    summary: "go through a long log from its beginning, and not through several stretches at once"
  )
  package static let raw = Self(
    name: "--raw",
    summary: "write actions, values and places as JSON, as in the log"
  )
  package static let full = Self(
    name: "--full",
    summary: "show values, ids and lines in full"
  )
  package static let force = Self(
    name: "--force",
    summary: "overwrite a log that this command has not written"
  )
}

extension CommandSyntax.Operand {
  package static let log = Self(name: "LOG", summary: "a log; '-' is standard input")
}

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

      exit status: \(statuses(0..<3));
        \(statuses(3...))

      """
  }

  private static func statuses(_ range: some RangeExpression<Int>) -> String {
    ExitStatus.allCases[range].map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ")
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
    let operands = syntax.operands.map { operand in
      let name = operand.name + (operand.isRepeated ? "..." : "")
      return operand.isOptional ? "[\(name)]" : name
    }
    return ([program, syntax.name] + operands + ["[options]"]).joined(separator: " ")
  }

  package static func label(_ option: CommandSyntax.Option) -> String {
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
