/// A table that describes the name, operands, options, and help of a command.
///
/// The parser, the help, and the suggestions all use this table.
package struct CommandSyntax: Sendable {
  package let name: String
  /// The purpose of the command, in one line of its help.
  package let summary: String
  package let operands: [Operand]
  package let options: [Option]
  /// The ways to call the command, of which the user must choose one, or an empty array if there is only one.
  package let forms: [Form]
  /// Typical uses of the command, starting with the most frequent.
  package let examples: [Example]
  /// Further help, which is printed after the options.
  package let discussion: String

  package init(
    name: String,
    summary: String,
    operands: [Operand] = [],
    options: [Option] = [],
    forms: [Form] = [],
    examples: [Example] = [],
    discussion: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.forms = forms
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
    /// The option without which this one has no effect, if necessary with its values: `--check` or `--style store`.
    ///
    /// If one of several options is enough, a bar separates them: `--pictures|--pictures-from`.
    package private(set) var requirement: String?
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
      requires requirement: String? = nil,
      formerName: String? = nil
    ) {
      self.name = name
      self.short = short
      self.value = value
      self.summary = summary
      self.choices = choices
      self.isRepeated = isRepeated
      self.isRequired = isRequired
      self.requirement = requirement
      self.formerName = formerName
    }

    /// Returns whether an argument is one of this option's names.
    package func isNamed(_ argument: String) -> Bool {
      argument == name || argument == short || argument == formerName
    }

    /// Returns the option for a command in which it has no effect without another option.
    package func requiring(_ requirement: String) -> Self {
      var option = self
      option.requirement = requirement
      return option
    }

    /// The name with the value, if the option has one: `--output FILE`.
    package var synopsis: String { name + (value.map { " \($0)" } ?? "") }

    /// The summary, preceded by the option that this one requires.
    package var meaning: String { (requirement.map { "with \($0): " } ?? "") + summary }
  }

  /// One of several ways to call a command.
  ///
  /// An operand or option that a form names can be used only in the forms that name it. All others can be used in every
  /// form.
  ///
  /// ```swift
  /// forms: [Form("--when"), Form("--traps")]                            // exactly one of the two
  /// forms: [Form("--output"), Form("--against", allows: ["--output"])]  // at least one of the two
  /// ```
  package struct Form: Sendable {
    /// The arguments that the form needs, in groups of which the user must give at least one argument each.
    package let needs: [[String]]
    /// The arguments that may be added, although other forms need them.
    package let allowed: [String]

    /// Creates a form that needs all of the named arguments.
    ///
    /// - Parameters:
    ///   - needed: The names of operands and options.
    ///   - allowed: The names of operands and options that may be added.
    package init(_ needed: String..., allows allowed: [String] = []) {
      needs = needed.map { [$0] }
      self.allowed = allowed
    }

    /// Creates a form that needs at least one of the named arguments.
    ///
    /// - Parameters:
    ///   - choices: The names of operands and options.
    ///   - allowed: The names of operands and options that may be added.
    package init(anyOf choices: [String], allows allowed: [String] = []) {
      needs = [choices]
      self.allowed = allowed
    }

    /// The names of all arguments that the form needs or allows.
    package var names: Set<String> { Set(needs.joined()).union(allowed) }
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

extension CommandSyntax {
  /// The names of the arguments that belong to forms.
  package var formNames: Set<String> { forms.reduce(into: []) { $0.formUnion($1.names) } }

  /// Returns the options that can't be combined with an option, because no form has both.
  package func excluded(by option: Option) -> [Option] {
    guard formNames.contains(option.name) else { return [] }
    let partners = forms.filter { $0.names.contains(option.name) }
      .reduce(into: Set<String>()) { $0.formUnion($1.names) }
    return options.filter { formNames.contains($0.name) && !partners.contains($0.name) }
  }

  /// Returns an argument as a usage line shows it: `LOG...` or `--path PATTERN ...`.
  package func synopsis(of name: String) -> String {
    if let option = options.first(where: { $0.name == name }) {
      return option.synopsis + (option.isRepeated ? " ..." : "")
    }
    return name + (operands.contains { $0.name == name && $0.isRepeated } ? "..." : "")
  }

  /// Returns the heading of options as a usage line shows it, such as `PATTERNS`, or `nil` if the options are not
  /// exactly those below a heading.
  package func heading(of names: [String]) -> String? {
    guard names.count > 1 else { return nil }
    return optionGroups.first { $0.options.map(\.name) == names }?.title.uppercased()
  }

  /// Returns an example as the user types it after the name of the tool: `dap` or `show bug.jsonl`.
  package func commandLine(of example: Example) -> String {
    example.arguments.isEmpty ? name : "\(name) \(example.arguments)"
  }

  /// Returns a group of which the user must give at least one, with all of its members.
  package func synopsis(anyOf names: [String]) -> String {
    let synopses = names.map(synopsis(of:)).joined(separator: " | ")
    return names.count > 1 ? "(\(synopses))" : synopses
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
  package static let force = force("overwrite a file that was not written by this command")

  /// Returns the option that lifts a command's protection of existing files.
  package static func force(_ summary: String) -> Self { Self(name: "--force", summary: summary) }
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
