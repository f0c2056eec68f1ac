/// A table that describes the name, operands, options, and help of a command.
///
/// The parser, the help, and the suggestions all use this table.
package struct CommandSyntax: Sendable {
  package let name: String
  /// The purpose of the command, in one line of its help.
  package let summary: String
  package let operands: [Operand]
  package let options: [Option]
  /// Typical uses of the command, starting with the most frequent.
  package let examples: [Example]
  /// Further help, which is printed after the options.
  package let discussion: String

  package init(
    name: String,
    summary: String,
    operands: [Operand] = [],
    options: [Option] = [],
    examples: [Example] = [],
    discussion: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.examples = examples
    self.discussion = discussion
  }

  /// A typical use of the command.
  package struct Example: Sendable {
    /// The arguments as the user types them after the command's name.
    package let arguments: String
    package let purpose: String

    package init(_ arguments: String, _ purpose: String) {
      (self.arguments, self.purpose) = (arguments, purpose)
    }
  }

  /// A value that the parser identifies by its position.
  package struct Operand: Sendable {
    package let name: String
    package let summary: String
    package let isRepeated: Bool
    /// Whether the operand may be omitted, together with the operands after it.
    package let isOptional: Bool
    /// The allowed values, or an empty array if any value is allowed.
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

  /// A value or a switch that the parser identifies by its name.
  package struct Option: Sendable {
    package let name: String
    package let short: String?
    /// The name that the help shows for the option's value, or `nil` for a switch.
    package let value: String?
    package let summary: String
    /// The allowed values, or an empty array if any value is allowed.
    package let choices: [String]
    /// Whether the option may be given more than once.
    package let isRepeated: Bool
    /// Whether the user must give the option.
    package let isRequired: Bool
    /// The earlier name of the option, which scripts may still use for one release.
    package let formerName: String?
    /// The heading above the option in the help, or `nil` for the general list of options.
    package var group: String?

    package init(
      name: String,
      short: String? = nil,
      value: String? = nil,
      summary: String,
      choices: [String] = [],
      isRepeated: Bool = false,
      isRequired: Bool = false,
      formerName: String? = nil
    ) {
      self.name = name
      self.short = short
      self.value = value
      self.summary = summary
      self.choices = choices
      self.isRepeated = isRepeated
      self.isRequired = isRequired
      self.formerName = formerName
    }

    /// Returns whether an argument is one of this option's names.
    package func isNamed(_ argument: String) -> Bool {
      argument == name || argument == short || argument == formerName
    }
  }
}

extension CommandSyntax {
  /// The options, including `--help`, grouped by their headings in the order in which the headings first appear.
  package var optionGroups: [(title: String, options: [Option])] {
    var groups: [(title: String, options: [Option])] = []
    for option in options + [.help] {
      let title = option.group ?? "options"
      if let index = groups.firstIndex(where: { $0.title == title }) {
        groups[index].options.append(option)
      } else {
        groups.append((title, [option]))
      }
    }
    return groups
  }
}

extension CommandSyntax.Option {
  package static let help = Self(name: "--help", short: "-h", summary: "show this help")
  package static let format = Self(
    name: "--format",
    value: "text|json",
    summary: "the format of the result (text)",
    choices: ["text", "json"]
  )
  package static let host = Self(
    name: "--host",
    value: "PATH",
    summary:
      "the executable that contains the feature ($TCA_REPLAY_HOST, else 'host' in .tca-replay.json, else this one)"
  )
  package static let feature = Self(
    name: "--feature",
    value: "NAME",
    summary: "use this feature instead of the one that the log names"
  )
  package static let log = Self(
    name: "--log",
    value: "N",
    summary: "the number of the log, in a file with several logs (1)"
  )
  package static let until = Self(
    name: "--until",
    value: "POSITION",
    summary: "stop after this action, or at this time since the start, such as 1.2s"
  )
  package static let timeout = Self(
    name: "--timeout",
    value: "SECONDS",
    summary: "kill a host that takes longer than this for one log (60)"
  )
  /// The option for the output file of a command whose result is text.
  package static let output = output("write to this file (standard output)")
  /// The option for the output file of a command whose result is always a log.
  package static let requiredOutput = output(
    "write the log to this file; '-' is standard output",
    isRequired: true
  )
  /// The option for the output file of a command whose result may be a log.
  package static let optionalOutput = output(
    "write the resulting log to this file (not written); '-' is standard output"
  )

  private static func output(_ summary: String, isRequired: Bool = false) -> Self {
    Self(name: "--output", short: "-o", value: "FILE", summary: summary, isRequired: isRequired)
  }

  package static let modules = Self(
    name: "--import",
    value: "MODULE",
    summary: "import this module in the test, for the reducer",
    isRepeated: true
  )
  package static let serial = Self(
    name: "--serial",
    summary: "process a long log from beginning to end, instead of several stretches in parallel"
  )
  package static let raw = Self(
    name: "--raw",
    summary: "write actions, values and paths as JSON, as in the log"
  )
  package static let full = Self(
    name: "--full",
    summary: "show values, ids and lines in full"
  )
  package static let force = Self(
    name: "--force",
    summary: "overwrite a log that was not written by this command"
  )
}

extension [CommandSyntax.Option] {
  /// Returns the options under a separate heading in the help.
  package static func group(_ title: String, _ options: Self) -> Self {
    options.map { option in
      var option = option
      option.group = title
      return option
    }
  }
}

extension CommandSyntax.Operand {
  package static let log = Self(name: "LOG", summary: "a log; '-' is standard input")
}
