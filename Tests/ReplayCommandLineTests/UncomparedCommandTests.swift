import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Each command that reports on a log names the values that were not compared.
@MainActor @Suite("Commands on a log that does not hold everything") struct UncomparedCommandTests {
  private let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    let state =
      #""id":"","path":[{"id":1,"element":{"notes":{"$opaque":"Note"}}}],"pen":{"$opaque":"Pen"}}"#
    let lines = SampleLog.lines.map {
      $0.replacing(#""id":""}"#, with: state).replacing(
        #""id":"A-1"}"#,
        with: state.replacing(#""id":"""#, with: #""id":"A-1""#)
      )
    }
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
  }

  private static let list = "not compared: Note at path[*].notes, Pen at pen"

  private static let json =
    #"[{"in":"state","place":"/path/*/element/notes","type":"Note"},{"in":"state","place":"/pen","type":"Pen"}]"#

  @Test("run names values that it does not compare, and fails on them with --strict")
  func run() async throws {
    let line = "a.jsonl: identical, through action 16; \(Self.list)\n"
    let notes =
      "  note: add @LogValue to Note, or make it Codable\n  note: add @LogValue to Pen, or make it Codable\n"
    #expect(try await terminal.run("run", "a.jsonl") == .init(status: 0, output: line))
    #expect(
      try await terminal.run("run", "a.jsonl", "--strict")
        == .init(status: 1, output: line + notes)
    )
    #expect(
      try await terminal.run("run", "a.jsonl", "--format", "json").output
        == #"{"logs":[{"log":"a.jsonl","verdict":"identical","actions":16,"notCompared":\#(Self.json),"status":0}],"well":1,"notWell":0,"notReplayed":0,"groups":[]}"#
        + "\n"
    )
    #expect(
      try await terminal.run("run", "a.jsonl", "--format", "github").output
        == line
        + "::notice file=a.jsonl,title=a.jsonl::identical, through action 16; \(Self.list)\n1 log, all passed\n"
    )
    #expect(
      try await terminal.run("run", "a.jsonl", "--format", "junit").output.contains(
        "<system-out>identical, through action 16; \(Self.list)</system-out>"
      )
    )
  }

  @Test("run --strict lists a log with values that are not compared as failed")
  func strictMany() async throws {
    try terminal.folder.write(try terminal.folder.read("a.jsonl"), to: "b.jsonl")
    let result = try await terminal.run("run", "a.jsonl", "b.jsonl", "--strict")
    #expect(result.status == 1)
    #expect(
      result.output.hasSuffix(
        """
        2 logs, 2 failed
          2 × identical; \(Self.list)
              a.jsonl, b.jsonl

        """
      ),
      "\(result.output)"
    )
  }

  @Test("run names the values that it does not compare also with a divergence")
  func divergence() async throws {
    terminal.change = .countsByTwo
    let result = try await terminal.run("run", "a.jsonl")
    #expect(
      result.output.hasPrefix("a.jsonl: diverged at action 1: state count; \(Self.list)\n"),
      "\(result.output)"
    )
  }

  @Test("run writes the values that are not compared to the job summary of GitHub")
  func markdown() async throws {
    let summary = terminal.folder.path + "/summary.md"
    terminal.environment["GITHUB_STEP_SUMMARY"] = summary
    _ = try await terminal.run("run", "a.jsonl", "--format", "github")
    #expect(
      try terminal.folder.read("summary.md").replacing(terminal.folder.path + "/", with: "") == """
        ### tca-replay: 1 log, all passed

        | logs | not compared | such as |
        | ---: | --- | --- |
        | 1 | `Note at path[*].notes` | `a.jsonl` |
        | 1 | `Pen at pen` | `a.jsonl` |

        """
    )
  }

  @Test("stats, verify, diff and audit name the values that are not compared")
  func others() async throws {
    let stats = try await terminal.run("stats", "a.jsonl").output
    #expect(
      stats.contains("\n  not compared\n    Note at path[*].notes\n    Pen at pen\n  largest"),
      "\(stats)"
    )
    #expect(
      try await terminal.run("stats", "a.jsonl", "--format", "json").output
        .contains(#""notCompared":\#(Self.json)"#)
    )
    #expect(
      try await terminal.run("verify", "a.jsonl")
        == .init(status: 0, output: "a.jsonl: sound, 45 lines, 16 actions; \(Self.list)\n")
    )
    #expect(
      try await terminal.run("verify", "a.jsonl", "--format", "json").output
        .contains(#""notCompared":\#(Self.json)"#)
    )
    try terminal.folder.write(try terminal.folder.read("a.jsonl"), to: "b.jsonl")
    #expect(
      try await terminal.run("diff", "a.jsonl", "b.jsonl")
        == .init(status: 0, output: "no difference, through action 16; \(Self.list)\n")
    )
    let audit = try await terminal.run("audit", "a.jsonl", "--runs", "2", "--seed", "1").output
    #expect(
      audit.hasPrefix(
        "a.jsonl: stable, the same in 2 replays and as recorded; \(Self.list); --seed 1 repeats the audit\n"
      ),
      "\(audit)"
    )
    #expect(
      try await terminal.run("audit", "a.jsonl", "--runs", "2", "--format", "json").output
        .contains(#""notCompared":\#(Self.json)"#)
    )
  }

  @Test("run and verify name errors that cannot be read back, with the line of code to add")
  func errors() async throws {
    let text = try terminal.folder.read("a.jsonl").replacing(
      #""path":[{"id":1,"element":{"notes":{"$opaque":"Note"}}}],"pen":{"$opaque":"Pen"}"#,
      with:
        #""result":{"failure":{"_0":{"$error":{"type":"Offline","description":"Offline()"}}}}"#
    )
    try terminal.folder.write(text, to: "e.jsonl")
    #expect(
      try await terminal.run("run", "e.jsonl", "--strict")
        == .init(
          status: 0,
          output: """
            e.jsonl: identical, through action 16
              note: Offline at result.failure.0 reads back as LoggedError: make Offline Codable, or add @LogValue to it

            """
        )
    )
    #expect(
      try await terminal.run("run", "e.jsonl", "--format", "json").output.contains(
        #""notReadBack":[{"in":"state","place":"/result/failure/_0","type":"Offline"}]"#
      )
    )
    #expect(
      try await terminal.run("verify", "e.jsonl").output == """
        e.jsonl: note: read back as LoggedError: Offline at result.failure.0
        e.jsonl: sound, 45 lines, 16 actions

        """
    )
  }
}
