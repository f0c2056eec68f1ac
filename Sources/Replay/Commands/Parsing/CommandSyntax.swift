/// What a command is called, takes and does: the parser, the help and the suggestions all read this one table.
struct CommandSyntax: Sendable {
  let name: String
  /// What it does, in one line.
  let summary: String
  var operands: [Operand] = []
  var options: [Option] = []
  /// What else there is to know.
  var discussion = ""

  /// A value that is given by its place.
  struct Operand: Sendable {
    let name: String
    let summary: String
    var isRepeated = false
    /// The values that are allowed, when these are few.
    var choices: [String] = []
  }

  /// A value, or a switch, that is given by its name.
  struct Option: Sendable {
    let name: String
    var short: String?
    /// What stands behind the name; `nil` for a switch.
    var value: String?
    let summary: String
    /// The values that are allowed, when these are few.
    var choices: [String] = []
    /// Whether it may be given more than once.
    var isRepeated = false
  }
}

extension CommandSyntax.Option {
  static let help = Self(name: "--help", short: "-h", summary: "show this help")
  static let format = Self(
    name: "--format",
    value: "text|json",
    summary: "how to write the result (text)",
    choices: ["text", "json"]
  )
  static let host = Self(
    name: "--host",
    value: "PATH",
    summary: "the executable that has the feature ($TCA_REPLAY_HOST, else this one)"
  )
  static let feature = Self(
    name: "--feature",
    value: "NAME",
    summary: "the feature to use, whatever the log says"
  )
  static let until = Self(name: "--until", value: "SEQ", summary: "stop after this action")
  static let timeout = Self(
    name: "--timeout",
    value: "SECONDS",
    summary: "kill a host that takes longer for one log (60)"
  )
  static let output = Self(
    name: "--output",
    short: "-o",
    value: "FILE",
    summary: "where to write; '-' is standard output"
  )
  static let force = Self(
    name: "--force",
    summary: "write over a log that this command has not written"
  )
}

extension CommandSyntax.Operand {
  static let log = Self(name: "LOG", summary: "a log; '-' is standard input")
}
