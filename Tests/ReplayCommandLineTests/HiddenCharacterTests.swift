import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Names and texts of a log cannot control the terminal that shows them.
@MainActor @Suite struct HiddenCharacterTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  private static let red = #"\u001b[31mx\u202e"#
  private static let shown = #"\u{1B}[31mx\u{202E}"#

  private func write(_ change: (inout [String]) -> Void) throws {
    var lines = SampleLog.lines
    change(&lines)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
  }

  @Test(
    "run escapes hidden characters in the name of an unknown feature",
    arguments: ["text", "github", "markdown"]
  )
  func unknownFeature(format: String) async throws {
    try write { $0[0] = $0[0].replacing("Counter", with: "A\(Self.red)") }
    let result = try await terminal.run("run", "a.jsonl", "--format", format)
    #expect(result.output.contains("feature 'A\(Self.shown)' (state type A\(Self.shown)State)"))
    #expect(!result.output.contains("\u{1B}"))
    #expect(!result.output.contains("\u{202E}"))
  }

  @Test(
    "commands print no hidden character of a damaged or unknown part of a log",
    arguments: [
      (0, #""requires":[]"#, #""requires":["X"]"#), (2, #""kind":"action""#, #""kind":"X""#),
      (2, "increment", "X"), (3, "/count", "/X"), (2, #""at":10"#, #""at":"X""#),
    ]
  )
  func everythingElse(line: Int, text: String, replacement: String) async throws {
    try write {
      $0[line] = $0[line].replacing(text, with: replacement.replacing("X", with: Self.red))
    }
    try terminal.folder.write(SampleLog.text, to: "b.jsonl")
    for command in [
      ["run", "a.jsonl"], ["run", "a.jsonl", "--format", "github"], ["show", "a.jsonl"],
      ["verify", "a.jsonl"], ["stats", "a.jsonl"], ["blame", "a.jsonl", "count"],
      ["diff", "a.jsonl", "b.jsonl"], ["debug", "a.jsonl"],
      ["trace", "a.jsonl", "-o", "/dev/null"],
    ] {
      let result = try await terminal.run(command)
      let all = result.output + result.error
      #expect(!all.contains("\u{1B}"), "\(command): \(all)")
      #expect(!all.contains("\u{202E}"), "\(command): \(all)")
    }
  }

  @Test func `run escapes hidden characters in the name of a file`() async throws {
    var lines = SampleLog.lines
    lines[3] = lines[3].replacing(#""value":1"#, with: #""value":2"#)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a\u{1B}[31m.jsonl")
    let result = try await terminal.run("run", "a\u{1B}[31m.jsonl")
    #expect(
      result.output == #"""
        a\u{1B}[31m.jsonl: diverged at action 1: state count

          action 1  .increment
            sent by the view

          − recorded, + replayed
          state
            count
              − 2
              + 1

          next:
            tca-replay blame $'a\x1b[31m.jsonl' count --at 1  # who set this value last, and why
            tca-replay run $'a\x1b[31m.jsonl' --continue      # whether later actions differ, too

        """#
    )
  }
}
