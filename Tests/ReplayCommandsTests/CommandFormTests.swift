import Testing

@testable import ReplayCommands

/// The forms of a command, and the options that require others.
@Suite struct CommandFormTests {
  private static let syntax = CommandSyntax(
    name: "cut",
    summary: "cut a log",
    operands: [.init(name: "LOG", summary: "a log", isOptional: true)],
    options: [
      .init(name: "--at", value: "SEQ", summary: "an action", isRepeated: true),
      .init(name: "--from", value: "SEQ", summary: "an action"),
      .init(name: "--to", value: "SEQ", summary: "an action"),
      .init(name: "--list", value: "FILE", summary: "a list"),
      .init(name: "--fast", summary: "skip checks", requires: "--at"),
      .init(
        name: "--style",
        value: "short|long|full",
        summary: "a style",
        choices: ["short", "long", "full"]
      ),
      .init(name: "--color", summary: "use colors", requires: "--style long|full"),
      .init(name: "--dense", summary: "leave out spaces", requires: "--fast|--color"),
    ],
    forms: [
      .init("LOG", "--at"), .init("LOG", "--from", "--to", allows: ["--at"]),
      .init("--list", allows: ["--at"]),
    ]
  )

  @Test(
    arguments: [
      ([], "'cut' needs 'LOG --at SEQ ...', 'LOG --from SEQ --to SEQ' or '--list FILE'"),
      (["a"], "'cut' needs '--at SEQ ...' or '--from SEQ --to SEQ'"),
      (["--at", "1"], "'cut' needs 'LOG', 'LOG --from SEQ --to SEQ' or '--list FILE'"),
      (["--from", "1"], "'cut' needs LOG --to SEQ"),
      (["a", "--at", "1", "--from", "1"], "'cut' needs --to SEQ"),
      (["a", "--list", "b"], "'LOG' and '--list' exclude each other; give one of them"),
      (
        ["--list", "b", "--from", "1"],
        "'--from' and '--list' exclude each other; give one of them"
      ),
      (["--list", "b", "--fast"], "'--fast' works only with '--at'"),
      (["--list", "b", "--color"], "'--color' works only with '--style long|full'"),
      (
        ["--list", "b", "--style", "short", "--color"],
        "'--color' works only with '--style long|full'"
      ),
      (["--list", "b", "--dense"], "'--dense' works only with '--fast|--color'"),
    ] as [([String], String)]
  )
  func `arguments that fit no form are refused with what is missing or too much`(
    arguments: [String],
    message: String
  ) {
    do throws(UsageError) {
      _ = try ParsedArguments(arguments, syntax: Self.syntax)
      Issue.record("the arguments were accepted")
    } catch {
      #expect("\(error)" == message)
      #expect(error.command == "cut")
    }
  }

  @Test(arguments: [
    ["a", "--at", "1", "--at", "2", "--fast"], ["a", "--from", "1", "--to", "2"],
    ["a", "--from", "1", "--to", "2", "--at", "1"], ["--list", "b"],
    ["--list", "b", "--at", "1", "--style", "full", "--color"], ["--help", "--color"],
    ["a", "--at", "1", "--fast", "--dense"],
    ["--list", "b", "--style", "full", "--color", "--dense"],
  ])
  func `arguments that fit a form are accepted`(arguments: [String]) throws {
    _ = try ParsedArguments(arguments, syntax: Self.syntax)
  }

  @Test(
    arguments: [
      ("--at", []), ("--from", ["--list"]), ("--list", ["--from", "--to"]), ("--fast", []),
    ] as [(String, [String])]
  )
  func `options exclude each other if no form has both`(name: String, others: [String]) throws {
    let option = try #require(Self.syntax.options.first { $0.name == name })
    #expect(Self.syntax.excluded(by: option).map(\.name) == others)
  }

  @Test func `the usage has a line for each form`() {
    #expect(
      HelpText(program: "tool").usages(Self.syntax) == [
        "tool cut LOG --at SEQ ... [options]",
        "tool cut LOG --from SEQ --to SEQ [--at SEQ ...] [options]",
        "tool cut --list FILE [--at SEQ ...] [options]",
      ]
    )
  }

  /// A command of which one form needs an option below a heading, and another form allows them.
  private static let headed = CommandSyntax(
    name: "hide",
    summary: "hide values",
    options: [CommandSyntax.Option].group(
      "paths",
      [
        .init(name: "--path", value: "PATH", summary: "a path", isRepeated: true),
        .init(name: "--omit", value: "PATH", summary: "a path", isRepeated: true),
      ]
    ) + [
      .init(name: "--anyway", summary: "hide nothing, too"),
      .init(name: "--list", summary: "list the paths"),
    ],
    forms: [
      .init(anyOf: ["--path", "--omit"], allows: ["--anyway"]),
      .init("--list", allows: ["--path", "--omit"]),
    ]
  )

  @Test func `the usage names options by their heading if a form has all of them`() {
    #expect(
      HelpText(program: "tool").usages(Self.headed) == [
        "tool hide PATHS [--anyway] [options]", "tool hide --list [PATHS] [options]",
      ]
    )
  }

  @Test(
    arguments: [
      ([], "'hide' needs '(--path PATH ... | --omit PATH ...)' or '--list'"),
      (["--anyway"], "'hide' needs (--path PATH ... | --omit PATH ...)"),
      (
        ["--list", "--path", "a", "--anyway"],
        "'--anyway' and '--list' exclude each other; give one of them"
      ),
    ] as [([String], String)]
  )
  func `a form that needs one of several options can allow others`(
    arguments: [String],
    message: String
  ) {
    do throws(UsageError) {
      _ = try ParsedArguments(arguments, syntax: Self.headed)
      Issue.record("the arguments were accepted")
    } catch {
      #expect("\(error)" == message)
    }
  }
}
