import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayCommandLine
@testable import ReplayEngine

/// The suggested next steps after a verdict other than identical.
@MainActor @Suite struct NextStepsTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let verdict: Verdict
    var caller = CommandSuggestions.InvokedCommand()
    let lines: [String]
    var testDescription: String { lines.first ?? "none" }

    init(
      _ verdict: Verdict,
      by caller: CommandSuggestions.InvokedCommand = CommandSuggestions.InvokedCommand(),
      _ lines: [String]
    ) {
      self.verdict = verdict
      self.caller = caller
      self.lines = lines
    }
  }

  nonisolated private static func diverged(
    _ cause: LogDifference.Cause,
    _ subject: String,
    _ expected: JSON?,
    _ actual: JSON?,
    movedTo: String? = nil
  ) -> Verdict {
    let difference = LogDifference(
      seq: 7,
      cause: cause,
      subject: subject,
      expected: expected,
      actual: actual,
      movedTo: movedTo
    )
    return Verdict.Divergence([difference]).map(Verdict.diverged) ?? .identical
  }

  nonisolated static let cases: [Case] = [
    Case(.identical, []),
    Case(.cut(at: 3), []),
    Case(.trapReproduced(at: 3, signal: "SIGILL"), []),
    Case(
      diverged(.state, "/todos/0/title", "a", "b"),
      [
        "next:",
        "  tca-replay blame logs/a.jsonl 'todos[0].title' --at 7  # who set this value last, and why",
        "  tca-replay run logs/a.jsonl --continue                 # whether later actions differ, too",
      ]
    ),
    Case(
      diverged(.state, "/count", 1, 2),
      by: CommandSuggestions.InvokedCommand(
        program: "AppReplay",
        host: "/the host",
        isContinuing: true
      ),
      ["next:", "  AppReplay blame logs/a.jsonl count --at 7  # who set this value last, and why"]
    ),
    // A read with another key may have been renamed, unlike a read with another value.
    Case(
      diverged(.reads, "Client.price", "Client.cost", "Client.price"),
      [
        "next:",
        "  tca-replay show logs/a.jsonl --range 7     # the action as it was recorded",
        "  tca-replay migrate logs/a.jsonl --suggest  # the code of a migration, as far as the log tells it",
      ]
    ),
    Case(
      diverged(.reads, "Client.price", 1, nil),
      [
        "next:",
        "  tca-replay show logs/a.jsonl --range 7  # the action as it was recorded",
        "  tca-replay run logs/a.jsonl --continue  # whether later actions differ, too",
      ]
    ),
    // No action has set a value that the log lacks.
    Case(
      diverged(.state, "/count", nil, 2),
      by: CommandSuggestions.InvokedCommand(host: "/the host"),
      [
        "next:",
        "  tca-replay show logs/a.jsonl --range 7                       # the action as it was recorded",
        "  tca-replay run logs/a.jsonl --continue --host '/the host'  # whether later actions differ, too",
      ]
    ),
    Case(
      diverged(.effects, "7.0", nil, ["op": "run"]),
      [
        "next:",
        "  tca-replay show logs/a.jsonl --range 7   # the action as it was recorded",
        "  tca-replay run logs/a.jsonl --continue  # whether later actions differ, too",
      ]
    ),
    Case(
      diverged(.state, "/names", ["a", "b", "c"], ["c", "a", "b"]),
      [
        "suspected: the same elements in another order, as a set or a dictionary has them in each process; sort them",
        "next:",
        "  tca-replay audit logs/a.jsonl           # what changes from one process to the next",
        "  tca-replay run logs/a.jsonl --continue  # whether later actions differ, too",
      ]
    ),
    Case(
      diverged(.state, "/names/0", "a", "a", movedTo: "/names/2"),
      [
        "suspected: the same elements in another order, as a set or a dictionary has them in each process; sort them",
        "next:",
        "  tca-replay audit logs/a.jsonl           # what changes from one process to the next",
        "  tca-replay run logs/a.jsonl --continue  # whether later actions differ, too",
      ]
    ),
    Case(
      diverged(.state, "/openedAt", "2026-11-21T05:21:04Z", "2026-11-22T17:00:00.5Z"),
      [
        "suspected: the time when the code runs; let the reducer read it from the dependency 'date'",
        "next:",
        "  tca-replay audit logs/a.jsonl           # what changes from one process to the next",
        "  tca-replay run logs/a.jsonl --continue  # whether later actions differ, too",
      ]
    ),
    Case(
      diverged(
        .state,
        "/id",
        "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A",
        "B583F91F-9CAF-4178-93A6-3B39C6F2E68E"
      ),
      [
        "suspected: an id that is created again each time; let the reducer read it from the dependency 'uuid'",
        "next:",
        "  tca-replay audit logs/a.jsonl           # what changes from one process to the next",
        "  tca-replay run logs/a.jsonl --continue  # whether later actions differ, too",
      ]
    ),
    Case(
      .trapped(at: 4, signal: "SIGILL"),
      [
        "next:",
        "  tca-replay show logs/a.jsonl --range 4                                # the action as it was recorded",
        "  tca-replay minimize logs/a.jsonl --traps -o logs/a-minimal.jsonl  # the fewest actions that still trap",
      ]
    ),
    Case(
      .trapGone(at: 4),
      [
        "next:",
        "  tca-replay run logs/a.jsonl --expected --accept  # expect this from now on, if the trap was fixed",
      ]
    ),
    Case(
      .undecodable(Verdict.UnusableValue(at: 0, path: "/a", message: "why")),
      [
        "next:",
        "  tca-replay show logs/a.jsonl --at 0 --raw     # the state as it was recorded",
        "  tca-replay migrate logs/a.jsonl --suggest  # the code of a migration, as far as the log tells it",
      ]
    ),
    Case(
      .notReplayable(Verdict.UnusableValue(at: 2, path: "/a", message: "why")),
      [
        "next:",
        "  tca-replay show logs/a.jsonl --range 2 --raw  # the action as it was recorded",
      ]
    ),
  ]

  @Test(arguments: cases) func `run suggests the next commands that fit the verdict`(testCase: Case)
  {
    let result = ReplayCheck.Result(verdict: testCase.verdict, seq: 9, unknown: 0)
    let report = LogRunReport(name: "logs/a.jsonl", file: "logs/a.jsonl", outcome: .verdict(result))
    let lines = report.nextSteps(testCase.caller, .plain)
    func squeezed(_ lines: [String]) -> [String] {
      lines.map { $0.replacing(#/ +#/#, with: " #") }
    }
    #expect(squeezed(lines) == squeezed(testCase.lines))
    // The purposes are aligned.
    #expect(
      Set(lines.compactMap { $0.firstRange(of: "  # ")?.lowerBound.utf16Offset(in: $0) }).count <= 1
    )
  }

  @Test func `on a narrow terminal, run prints the purpose of a next command above the command`()
    throws
  {
    let verdict = Verdict.undecodable(.init(at: 0, path: "/a", message: "why"))
    let result = ReplayCheck.Result(verdict: verdict, seq: 9, unknown: 0)
    let report = LogRunReport(name: "logs/a.jsonl", file: "logs/a.jsonl", outcome: .verdict(result))
    func text(_ width: Int) -> String {
      report.nextSteps(CommandSuggestions.InvokedCommand(), Style(hasColor: false, width: width))
        .joined(separator: "\n")
    }
    #expect(
      text(100) == """
        next:
          tca-replay show logs/a.jsonl --at 0 --raw  # the state as it was recorded
          tca-replay migrate logs/a.jsonl --suggest  # the code of a migration, as far as the log tells it
        """
    )
    #expect(
      text(80) == """
        next:
          # the state as it was recorded
          tca-replay show logs/a.jsonl --at 0 --raw
          # the code of a migration, as far as the log tells it
          tca-replay migrate logs/a.jsonl --suggest
        """
    )
    #expect(
      text(50) == """
        next:
          # the state as it was recorded
          tca-replay show logs/a.jsonl --at 0 --raw
          # the code of a migration, as far as the log
          # tells it
          tca-replay migrate logs/a.jsonl --suggest
        """
    )
  }

  @Test(
    "ShellWord quotes the name of a file as one word of a shell",
    arguments: [
      ("a.jsonl", "a.jsonl"), ("a b.jsonl", "'a b.jsonl'"), ("-a", "'./-a'"), ("~a", "'~a'"),
      ("it's", #"'it'\''s'"#), ("$(rm x)", "'$(rm x)'"), ("é/ü.jsonl", "é/ü.jsonl"), ("", "''"),
    ]
  )
  func quoting(word: String, quoted: String) {
    #expect(ShellWord.quoted(word) == quoted)
  }

  @Test("run suggests next commands for a log in a file, but not for one from standard input")
  func stream() async throws {
    let terminal = try Terminal()
    terminal.change = .countsByTwo
    terminal.input = SampleLog.text
    #expect(try await !terminal.run("run", "-").output.contains("next:"))
    try terminal.folder.write(SampleLog.text, to: "a b.jsonl")
    let output = try await terminal.run("run", "a b.jsonl").output
    #expect(
      output.hasSuffix(
        """
              + 2

          next:
            tca-replay blame 'a b.jsonl' count --at 1  # who set this value last, and why
            tca-replay run 'a b.jsonl' --continue      # whether later actions differ, too

        """
      ),
      "\(output)"
    )
  }
}

/// `--format markdown`, and annotations at source lines.
@MainActor @Suite struct RunMarkdownTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    terminal.change = .countsByTwo
    try terminal.folder.write(SampleLog.text, to: "logs/a.jsonl")
    try terminal.folder.write(SampleLog.lines.prefix(2).joined(separator: "\n"), to: "logs/b.jsonl")
    try terminal.folder.write("```|<b>\n", to: "logs/c|`d.jsonl")
  }

  @Test func `run --format markdown lists the logs that failed, with their details`() async throws {
    let result = try await terminal.run("run", "logs", "--format", "markdown")
    #expect(result.status == 65)
    let path = terminal.folder.path
    #expect(
      result.output.replacing(path + "/", with: "") == """
        ### tca-replay: 3 logs, 2 failed

        | log | what it shows |
        | --- | --- |
        | `logs/a.jsonl` | `diverged at action 1: state count` |
        | `logs/c\\|'d.jsonl` | `line 1 is not JSON: found ''' where a value was expected, at byte 0` |

        <details><summary>logs/a.jsonl: diverged at action 1: state count</summary>

        ```text
        action 1  .increment
          sent by the view

        − recorded, + replayed
        state
          count
            − 1
            + 2

        next:
          tca-replay blame logs/a.jsonl count --at 1  # who set this value last, and why
          tca-replay run logs/a.jsonl --continue      # whether later actions differ, too
        ```

        </details>

        <details><summary>logs/c|`d.jsonl: line 1 is not JSON: found '`' where a value was expected, at byte 0</summary>

        ```text
        next:
          tca-replay verify 'logs/c|`d.jsonl'  # what of the log is damaged; --repair FILE keeps the rest
        ```

        </details>

        """
    )
    #expect(
      try await terminal.run("run", "logs/b.jsonl", "--format", "markdown")
        == .init(status: 0, output: "### tca-replay: 1 log, all passed\n")
    )
  }

  @Test("run --format github annotates the source of a differing effect if exactly one file fits")
  func source() async throws {
    terminal.change = .renamesEffect
    let log = SampleLog.text.replacing("Counter.swift:5", with: "App/Feature.swift:12")
    try terminal.folder.write(log, to: "a.jsonl")
    func annotation() async throws -> Substring? {
      try await terminal.run("run", "a.jsonl", "--format", "github").output
        .split(separator: "title=").first
    }
    #expect(try await annotation()?.hasPrefix("::error file=a.jsonl,line=") == true)
    try terminal.folder.write("", to: "Sources/App/Views/Feature.swift")
    #expect(try await annotation() == "::error file=Sources/App/Views/Feature.swift,line=12,")
    // A file in another module is ignored, but a second one in this module is not.
    try terminal.folder.write("", to: "Sources/Other/Feature.swift")
    try terminal.folder.write("", to: ".build/App/Feature.swift")
    #expect(try await annotation() == "::error file=Sources/App/Views/Feature.swift,line=12,")
    try terminal.folder.write("", to: "Sources/App/Feature.swift")
    #expect(try await annotation()?.hasPrefix("::error file=a.jsonl,line=") == true)
  }
}

@MainActor @Suite struct FailedLogsTests {
  @Test("run copies the logs that fail with their expected verdicts, and no others")
  func copies() async throws {
    let terminal = try Terminal()
    terminal.change = .countsByTwo
    try terminal.folder.write(SampleLog.text, to: "logs/in/a.jsonl")
    try terminal.folder.write(#"{"verdict":"identical"}"#, to: "logs/in/a.verdict.json")
    try terminal.folder.write(SampleLog.lines.prefix(2).joined(separator: "\n"), to: "logs/b.jsonl")
    let failed = terminal.folder.path + "/failed"
    for _ in 1...2 {
      let result = try await terminal.run("run", "logs", "--keep-failed", failed)
      #expect(result.status == 1)
      let kept = try FileManager.default.subpathsOfDirectory(atPath: failed)
        .filter { $0.contains(".json") }.map {
          $0.split(separator: "/").suffix(3).joined(separator: "/")
        }
      #expect(kept.sorted() == ["logs/in/a.jsonl", "logs/in/a.verdict.json"])
    }
    let copy = failed + terminal.folder.path + "/logs/in/a.jsonl"
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == SampleLog.text)
    try terminal.folder.write("", to: "file")
    let result = try await terminal.run(
      "run",
      "logs",
      "--keep-failed",
      terminal.folder.path + "/file"
    )
    #expect(result.status == 73, "\(result.error)")
  }

  @Test("run --keep-failed never overwrites another file or the log itself")
  func others() async throws {
    let terminal = try Terminal()
    terminal.change = .countsByTwo
    try terminal.folder.write(SampleLog.text, to: "logs/a.jsonl")
    try terminal.folder.write(#"{"verdict":"identical"}"#, to: "logs/a.verdict.json")
    // Below the root, the copy would be the log itself.
    let itself = try await terminal.run("run", "logs", "--keep-failed", "/")
    #expect(itself.status == 1, "\(itself.error)")
    #expect(try terminal.folder.read("logs/a.jsonl") == SampleLog.text)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: terminal.folder.path + "/logs").sorted()
        == ["a.jsonl", "a.verdict.json"]
    )

    let folder = "failed\(terminal.folder.path)/logs"
    try terminal.folder.write("mine", to: "\(folder)/a.jsonl")
    for _ in 1...2 {
      let beside = try await terminal.run(
        "run",
        "logs",
        "--keep-failed",
        terminal.folder.path + "/failed"
      )
      #expect(beside.status == 1, "\(beside.error)")
      #expect(try terminal.folder.read("\(folder)/a.jsonl") == "mine")
      #expect(try terminal.folder.read("\(folder)/a-2.jsonl") == SampleLog.text)
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: "\(terminal.folder.path)/\(folder)"
        ).sorted() == ["a-2.jsonl", "a-2.verdict.json", "a.jsonl"]
      )
    }
  }
}
