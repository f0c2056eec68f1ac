import ReplayCommands
import ReplayEngine

/// `completions SHELL`: prints a script that completes this program's arguments in a shell.
enum CompletionsCommand: Command {
  static let syntax = CommandSyntax(
    name: "completions",
    summary: "write a completion script for a shell",
    operands: [
      CommandSyntax.Operand(
        name: "SHELL",
        summary: Wording.oneOf(CompletionScript.Shell.allCases.map(\.rawValue)),
        choices: CompletionScript.Shell.allCases.map(\.rawValue)
      )
    ],
    examples: [
      CommandSyntax.Example("zsh > ~/.zfunc/_tca-replay", "install completions for zsh")
    ],
    discussion: """
        bash:  source <(tca-replay completions bash)
        zsh:   tca-replay completions zsh > _tca-replay, in a folder of $fpath
        fish:  tca-replay completions fish > ~/.config/fish/completions/tca-replay.fish
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let name = arguments.operands[0]
    guard let shell = CompletionScript.Shell(rawValue: name) else {
      throw UsageError.badOperand(
        name,
        operand: "SHELL",
        expected: syntax.operands[0].summary,
        command: syntax.name
      )
    }
    let script = CompletionScript(
      program: context.program.name,
      commands: CommandLineTool.commands.map { $0.syntax }
    )
    try context.console.print(script.text(for: shell))
    return .same
  }
}

/// A script that completes the tool's commands, options, and values in a shell.
struct CompletionScript {
  let program: String
  let commands: [CommandSyntax]

  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The program's name, converted to a valid name of a shell function.
  private var function: String {
    "_" + String(program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  static func options(of command: CommandSyntax) -> [CommandSyntax.Option] {
    command.options + [.help]
  }

  /// Returns the names of an option, the short one first.
  private static func names(of option: CommandSyntax.Option) -> [String] {
    [option.short, option.name].compactMap { $0 }
  }

  /// Returns the allowed values of the first operand, separated by spaces, or `nil` if the operand is a file.
  static func choices(of command: CommandSyntax) -> String? {
    guard let choices = command.operands.first?.choices, !choices.isEmpty else { return nil }
    return choices.joined(separator: " ")
  }
}

extension CompletionScript {
  private var bash: String {
    var text = """
      \(function)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" words="" values=""
        if [ "$COMP_CWORD" -eq 1 ]; then
          words="\(commands.map(\.name).joined(separator: " ")) --help --version"
          COMPREPLY=($(compgen -W "$words" -- "$current"))
          return
        fi
        case "${COMP_WORDS[1]} $previous" in

      """
    for command in commands {
      for option in Self.options(of: command) where !option.choices.isEmpty {
        let choices = option.choices.joined(separator: " ")
        text += """
              "\(command.name) \(option.name)")
                COMPREPLY=($(compgen -W "\(choices)" -- "$current"))
                return ;;

          """
      }
    }
    text += """
        esac
        case "${COMP_WORDS[1]}" in

      """
    for command in commands {
      let names = Self.options(of: command).map(\.name).joined(separator: " ")
      let choices = Self.choices(of: command).map { " values=\"\($0)\"" } ?? ""
      text += "    \(command.name)) words=\"\(names)\"\(choices) ;;\n"
    }
    return text + """
        esac
        if [[ "$current" == -* ]]; then
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        elif [ -n "$values" ]; then
          COMPREPLY=($(compgen -W "$values" -- "$current"))
        else
          COMPREPLY=($(compgen -f -- "$current"))
        fi
      }
      complete -o filenames -F \(function) \(program)

      """
  }

  private var zsh: String {
    func quoted(_ text: String) -> String {
      text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
        .replacing(":", with: "\\:")
    }
    var text = """
      #compdef \(program)
      \(function)() {
        if (( CURRENT == 2 )); then
          local -a commands=(

      """
    for command in commands { text += "      '\(command.name):\(quoted(command.summary))'\n" }
    text += """
          )
          _describe 'command' commands
          return
        fi
        local command="${words[2]}"
        shift words
        (( CURRENT-- ))
        case "$command" in

      """
    for command in commands {
      text += "    \(command.name))\n      _arguments \\\n"
      for option in Self.options(of: command) {
        let value = option.value.map { value in
          let choices =
            option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
          return ":\(quoted(value)):\(choices)"
        }
        let help = "'[\(quoted(option.meaning))]\(value ?? "")'"
        // One of the two names of an option is enough, unless the option may be repeated.
        let own = option.isRepeated || option.short == nil ? [] : [option]
        let excluded = (own + command.excluded(by: option)).flatMap(Self.names(of:))
        let prefix =
          (excluded.isEmpty ? "" : "(\(excluded.joined(separator: " ")))")
          + (option.isRepeated ? "*" : "")
        let name =
          option.short.map { "'\(prefix)'{\($0),\(option.name)}" } ?? "'\(prefix)\(option.name)'"
        text += "        \(name)\(help) \\\n"
      }
      let operand = Self.choices(of: command).map { "1:value:(\($0))" } ?? "*:file:_files"
      text += "        '\(operand)' ;;\n"
    }
    return text + """
        esac
      }
      \(function) "$@"

      """
  }

  private var fish: String {
    func quoted(_ text: String) -> String {
      "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
    var text = ""
    for command in commands {
      text += "complete -c \(program) -n __fish_use_subcommand -f -a \(command.name)"
      text += " -d \(quoted(command.summary))\n"
      if let choices = Self.choices(of: command) {
        text += "complete -c \(program) -n '__fish_seen_subcommand_from \(command.name)'"
        text += " -f -a \(quoted(choices))\n"
      }
      for option in Self.options(of: command) {
        text += "complete -c \(program) -n '__fish_seen_subcommand_from \(command.name)'"
        text += " -l \(option.name.dropFirst(2))"
        // In fish, an option with one hyphen and several letters is an "old-style" option.
        if let short = option.short {
          text += " -\(short.count > 2 ? "o" : "s") \(short.dropFirst())"
        }
        if !option.choices.isEmpty {
          text += " -x -a \(quoted(option.choices.joined(separator: " ")))"
        } else if option.value != nil {
          text += " -r"
        }
        text += " -d \(quoted(option.meaning))\n"
      }
    }
    return text
  }
}
