import Foundation
import ReplayTestSupport
import Testing

@testable import ReplayCommandLine
@testable import ReplayCommands

/// `manual`: a page for `man`.
@MainActor @Suite struct ManualCommandTests {
  @Test func `the manual page lists every command and option`() async throws {
    let page = try await Terminal().run("manual")
    #expect(page.status == 0)
    for command in CommandLineTool.commands.map({ $0.syntax }) {
      for (index, usage) in HelpText(program: "tca-replay").usages(command).enumerated() {
        let line = usage.replacing("-", with: "\\-")
        #expect(page.output.contains(".\(index == 0 ? "SS" : "B") \"\(line)\"\n"))
      }
      for option in command.options {
        let name = option.name.replacing("-", with: "\\-")
        #expect(page.output.contains(".B \"\(name)"), "\(command.name) \(option.name)")
      }
    }
  }

  @Test func `the reference lists every command, option and exit status`() async throws {
    let page = try await Terminal().run("manual", "--format", "markdown")
    #expect(page.status == 0)
    let sections = page.output.components(separatedBy: "\n## ")
    for command in CommandLineTool.commands.map({ $0.syntax }) {
      let section = try #require(sections.first { $0.hasPrefix("\(command.name)\n") })
      for option in command.options {
        #expect(section.contains("| `\(option.name)"), "\(command.name) \(option.name)")
      }
    }
    for status in ExitStatus.allCases {
      #expect(page.output.contains("| \(status.rawValue) | \(status.meaning) |"))
    }
  }

  @Test
  func
    `the reference marks options that are required, repeated or depend on others, and escapes Markdown`()
  {
    let command = CommandSyntax(
      name: "cut",
      summary: "cut *all* logs of <folder>",
      operands: [.init(name: "LOG", summary: "a log")],
      options: [
        .init(name: "--output", short: "-o", value: "FILE", summary: "a file", isRequired: true),
        .init(name: "--after", value: "SEQ", summary: "an action", isRepeated: true),
        .init(name: "--fast", summary: "skip checks", requires: "--after"),
      ]
        + .group(
          "how it cuts",
          [.init(name: "--at", value: "START|END", summary: "a [place]", formerName: "--where")]
        ),
      forms: [.init("--after"), .init("--at", allows: ["--after"])],
      examples: [.init("a.jsonl -o b.jsonl", "cut one log")],
      discussion: "Logs stay."
    )
    let reference = CommandReference(program: "tool", commands: [command]).text
    #expect(
      reference.hasSuffix(
        #"""
        ## cut

        Cut \*all\* logs of \<folder\>.

        ```
        tool cut LOG --after SEQ ... --output FILE [options]
        tool cut LOG --at START|END [--after SEQ ...] --output FILE [options]
        ```

        ```sh
        # cut one log
        tool cut a.jsonl -o b.jsonl
        ```

        | argument | meaning |
        | --- | --- |
        | `LOG` | a log |

        | options | meaning |
        | --- | --- |
        | `--output, -o FILE` | a file. Required |
        | `--after SEQ ...` | an action |
        | `--fast` | with --after: skip checks |
        | `--help, -h` | show this help |

        | how it cuts | meaning |
        | --- | --- |
        | `--at START\|END` | a \[place\]. Formerly `--where` |

        ```text
        Logs stay.
        ```

        """#
      )
    )
  }

  @Test func `no text of the manual page starts a macro or an unknown escape`() async throws {
    let page = try await Terminal().run("manual").output
    let macros = ["TH", "SH", "SS", "TP", "PP", "B", "br", "nf", "fi"]
    for line in page.split(separator: "\n") where line.first == "." || line.first == "'" {
      #expect(macros.contains { line == ".\($0)" || line.hasPrefix(".\($0) ") }, "\(line)")
    }
    // A backslash starts an escape of the page.
    let escapes = page.matches(of: /\\(.)/).map(\.1)
    #expect(Set(escapes).isSubset(of: ["-", "e", "&", "("]))
  }

  @Test func `the manual page escapes characters that roff interprets`() {
    let command = CommandSyntax(
      name: "cut",
      summary: #"'a' \ "b""#,
      operands: [.init(name: "LOG", summary: ".jsonl files")],
      discussion: "  tca-replay cut\n.x"
    )
    let program = CommandLineTool.Program(name: "tca-replay", version: "1.0")
    #expect(
      ManualPage(program: program, commands: [command]).text.hasPrefix(
        #"""
        .TH "TCA\-REPLAY" "1" "" "tca\-replay 1.0"
        .SH "NAME"
        tca\-replay \- record and replay the action logs of apps written as reducers
        .SH "SYNOPSIS"
        .B "tca\-replay COMMAND ..."
        .br
        .B "tca\-replay COMMAND \-\-help"
        .SH "COMMANDS"
        .SS "tca\-replay cut LOG [options]"
        \(aqa\(aq \e "b"
        .TP
        .B "LOG"
        \&.jsonl files
        .PP
        .nf
          tca\-replay cut
        \&.x
        .fi
        .SH "EXIT STATUS"
        .TP
        .B "0"
        same, found, done

        """#
      )
    )
  }
}
