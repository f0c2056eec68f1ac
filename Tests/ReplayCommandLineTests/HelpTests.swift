import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayCommandLine
@testable import ReplayCommands

@MainActor @Suite struct HelpTests {
  nonisolated static let commands = CommandLineTool.commands.map { $0.syntax.name }

  private static func syntax(_ name: String) throws -> CommandSyntax {
    try #require(CommandLineTool.commands.first { $0.syntax.name == name }?.syntax)
  }

  /// Returns the words of a command line as a shell splits them, up to a redirection.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      switch character {
      case "'", "\"":
        if quote == nil {
          quote = character
        } else if quote == character {
          quote = nil
        } else {
          word?.append(character)
        }
        word = word ?? ""
      case " " where quote == nil:
        if let done = word { words.append(done) }
        word = nil
      case ">" where quote == nil: return words
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  @Test(arguments: commands)
  func `each command has examples, and accepts them`(command: String) throws {
    let syntax = try Self.syntax(command)
    #expect(!syntax.examples.isEmpty)
    for example in syntax.examples {
      let parsed = try ParsedArguments(Self.words(example.arguments), syntax: syntax)
      #expect(!parsed.isOn("--help"))
      #expect(!example.purpose.isEmpty)
    }
    #expect(!HelpText(program: "tca-replay").help(for: syntax).contains(" \n"))
  }

  @Test(arguments: commands, [80, 120])
  func `the help of each command fits the terminal`(command: String, width: Int) throws {
    let syntax = try Self.syntax(command)
    let text = HelpText(program: "tca-replay", width: width).help(for: syntax)
    let examples = Set(syntax.examples.map { "  tca-replay \(syntax.commandLine(of: $0))" })
    for line in text.split(separator: "\n") where !examples.contains("\(line)") {
      #expect(
        line.count <= width || !line.contains("  ") && !line.dropFirst(2).contains(" "),
        "\(line)"
      )
    }
    // Wrapping loses no word.
    let whole = HelpText(program: "tca-replay").help(for: syntax)
    #expect(text.split { $0.isWhitespace } == whole.split { $0.isWhitespace })
  }

  @Test(
    arguments: [
      (
        "minimize",
        [
          "minimize LOG --when EXPR --output FILE [options]",
          "minimize LOG --traps --output FILE [options]",
          "minimize LOG --reference-host PATH --output FILE [options]",
        ]
      ),
      (
        "bisect",
        [
          "bisect LOG --when EXPR [options]",
          "bisect LOG --good REV --bad REV --build CMD --host PATH [--when EXPR] [options]",
        ]
      ),
      (
        "pictures",
        [
          "pictures LOG --output FOLDER [options]",
          "pictures LOG --against FOLDER [--output FOLDER] [options]",
        ]
      ),
      (
        "record",
        [
          "record FEATURE --actions FILE --output FILE [options]",
          "record [FEATURE] --from LOG [--actions FILE] --output FILE [options]",
        ]
      ),
      ("debug", ["debug LOG [options]", "debug --attach SOCKET [options]"]),
      ("run", ["run LOG... [options]", "run [LOG...] --files-from LIST [options]"]),
      ("mcp", ["mcp [FOLDER...] [options]"]), ("view", ["view LOG [LOG] [options]"]),
      (
        "mask",
        [
          "mask LOG... PATTERNS [--output FILE] [--force] [--allow-unmatched] [options]",
          "mask LOG... --check [PATTERNS] [options]",
        ]
      ),
    ]
  )
  func `the usage of a command has a line for each of its forms`(
    command: String,
    usages: [String]
  ) throws {
    let text = HelpText(program: "tca-replay").help(for: try Self.syntax(command))
    let lines = usages.map { "tca-replay \($0)" }.joined(separator: "\n       ")
    #expect(text.contains("\n\nusage: \(lines)\n\n"), "\(text)")
  }

  @Test(arguments: commands)
  func `options depend only on arguments that the command has`(command: String) throws {
    let syntax = try Self.syntax(command)
    let options = Set(syntax.options.map(\.name))
    for option in syntax.options {
      guard let words = option.requirement?.split(separator: " ").map(String.init) else { continue }
      let values = words.count > 1 ? words[1].split(separator: "|").map(String.init) : []
      for name in words[0].split(separator: "|") {
        let required = try #require(syntax.options.first { $0.name == name }, "\(option.name)")
        #expect(Set(values).isSubset(of: required.choices), "\(option.name)")
      }
    }
    #expect(syntax.formNames.isSubset(of: options.union(syntax.operands.map(\.name))))
  }

  @Test func `the help marks options that may be repeated or that depend on another one`() throws {
    let text = HelpText(program: "tca-replay").help(for: try Self.syntax("test"))
    #expect(
      text.contains(
        "  --shared MEMBER ...         with --style store: this member of the state is a shared value\n"
      ),
      "\(text)"
    )
    let bisect = HelpText(program: "tca-replay").help(for: try Self.syntax("bisect"))
    for name in ["bad", "build", "host", "runs", "fresh", "feature", "timeout"] {
      #expect(try bisect.contains(Regex("\n  --\(name) .* with --good: ")), "\(name)")
    }
    #expect(text.contains("\n\nAn option with '...' may be given several times.\n\n"), "\(text)")
    #expect(!HelpText(program: "tca-replay").help(for: try Self.syntax("blame")).contains("'...'"))
  }

  @Test func `the help of run begins with examples, and groups its options`() {
    let text = HelpText(program: "tca-replay", width: 80).help(for: RunCommand.syntax)
    let headings = text.split(separator: "\n").filter { $0.hasSuffix(":") && $0.first != " " }
    #expect(
      headings == [
        "examples:", "arguments:", "which logs:", "what is compared:", "the host:", "how it runs:",
        "what is written:", "options:",
      ],
      "\(text)"
    )
    #expect(
      text.contains(
        """
        the host:
          --host PATH                 the executable that contains the feature
                                      ($TCA_REPLAY_HOST, else 'host' in
                                      .tca-replay.json, else this one)

        """
      ),
      "\(text)"
    )
  }
}
