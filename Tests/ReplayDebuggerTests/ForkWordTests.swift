import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugger

/// The commands that change history, on the sample log of the counter.
@MainActor @Suite struct ForkWordTests {
  struct Script: CustomTestStringConvertible, Sendable {
    var words: [String]
    var output: String
    var error = ""
    var status: Int32 = 0

    var testDescription: String { words.joined(separator: "; ") }
  }

  private let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text + "\n", to: "a.jsonl")
  }

  private func run(_ words: [String], _ options: String...) async throws -> Terminal.Result {
    try await terminal.run(
      ["debug", "a.jsonl", "--batch"] + options + words.flatMap { ["--ex", $0] }
    )
  }

  @Test(arguments: scripts)
  func `the debugger's commands to edit the timeline print the expected output`(
    script: Script
  ) async throws {
    let result = try await run(script.words)
    #expect(result.output == script.output, "\(result.output)")
    #expect(result.error == script.error)
    #expect(result.status == script.status)
  }

  nonisolated static let scripts = [
    Script(
      words: ["skip 3", "edits", "step", "undo", "edits", "undo"],
      output: """
        a.jsonl: another timeline from action 3 on, with 1 edit: 14 actions in the place of 16
          skip 3
        actions 1 to 2 match; actions 3 to 4 are only in the old timeline; 5 to 16 match 3 to 14; 2 other events are only in the old timeline

        left out
          action 4  .loaded(7)  effect 3.0 never starts: action 3 does not come

        at the end
          − before, + after
          state
            count
              − 15
              + 9

           2    +0.000 s  .add  id: "" → "A-1"
        1  skip 3
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
        undone: skip 3
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
        none: this is the recorded timeline

        """,
      error:
        "tca-replay: this is the recorded timeline; 'skip', 'edit', 'insert', 'reorder', 'answer' and 'set' make others\n",
      status: 1
    ),
    Script(
      words: ["goto 2", "edit .increment", "answer 1 uuid = 1"],
      output: """
           2    +0.000 s  .add  id: "" → "A-1"
        a.jsonl: another timeline from action 2 on, with 1 edit: 16 actions in the place of 16
          edit 2 .increment
        action 1 matches; action 2 is only in the old timeline; action 2 is only in the new one; 3 to 16 match

        at the end
          − before, + after
          state
            id
              − "A-1"
              + ""

           2    +0.000 s  .increment  count: 1 → 2

        """,
      error: "tca-replay: answer 1 uuid = 1: the action did not read that; it read nothing\n",
      status: 1
    ),
    Script(
      words: ["answer 2 uuid = \"Z\"", "set 1 count = 40", "edits", "undo all"],
      output: """
        a.jsonl: another timeline from action 2 on, with 1 edit: 16 actions in the place of 16
          answer 2 uuid = "Z"

        at the end
          − before, + after
          state
            id
              − "A-1"
              + "Z"

           2    +0.000 s  .add  id: "" → "Z"
        a.jsonl: another timeline from action 2 on, with 1 edit: 16 actions in the place of 16
          set 1 count = 40

        the same state at the end

         1+1    +0.000 s  changed from outside  count: 1 → 40
        1  answer 2 uuid = "Z"
        2  set 1 count = 40
        back on the recorded timeline
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0

        """
    ),
    Script(
      words: ["insert .add", "goto 3", "print id"],
      output: """
        a.jsonl: another timeline from action 1 on, with 1 edit: 17 actions in the place of 16
          insert 0 .add
        action 1 is only in the new one; 1 to 16 match 2 to 17

        new
          action 1  .add  inserted

        other reads
          action 1 asks for uuid, which was not recorded; "stand-in" stands in

        the same state at the end

           1    +0.000 s  .add  id: "" → "stand-in"
           3    +0.000 s  .add  id: "stand-in" → "A-1"
        "A-1"

        """
    ),
    Script(
      words: ["skip 99"],
      output: "",
      error: "tca-replay: skip 99: the log has no action 99; it has actions 1 to 16\n",
      status: 1
    ),
    Script(
      words: ["fork"],
      output: "",
      error: "tca-replay: 'fork' needs more; expected fork -o FILE [--force]\n",
      status: 64
    ),
    Script(
      words: ["set 1 count = 40", "skip", "step", "skip 1"],
      output: """
        a.jsonl: another timeline from action 2 on, with 1 edit: 16 actions in the place of 16
          set 1 count = 40

        the same state at the end

         1+1    +0.000 s  changed from outside  count: 1 → 40

        """,
      error:
        "tca-replay: 'skip' is about an action, and this is the change from outside after action 1; give the number of one, as in 'skip 1'\n",
      status: 64
    ),
    Script(
      words: ["set 9 count = 40", "set count = 41", "goto 9+4"],
      output: """
        a.jsonl: another timeline from action 10 on, with 1 edit: 16 actions in the place of 16
          set 9 count = 40

        at the end
          − before, + after
          state
            count
              − 15
              + 45

         9+1    +0.000 s  changed from outside  count: 10 → 40
              alive: load 5.0
        a.jsonl: another timeline from action 10 on, with 1 edit: 16 actions in the place of 16
          set 9 count = 41

        at the end
          − before, + after
          state
            count
              − 45
              + 46

         9+2    +0.000 s  changed from outside  count: 40 → 41
              alive: load 5.0

        """,
      error:
        "tca-replay: there is no 9+4: the changes from outside after action 9 are 9+1 to 9+2\n",
      status: 1
    ),
    Script(
      words: ["fork -o"],
      output: "",
      error: "tca-replay: '-o' needs a value: -o FILE\n",
      status: 64
    ),
    Script(
      words: ["reorder 7 before 4"],
      output: "",
      error:
        "tca-replay: reorder 7 before 4: the reducer itself sends action 7, with effect 6.0; edit or skip action 6, which leads to it\n",
      status: 64
    ),
  ]

  @Test func `fork in the debugger writes the timeline as a log that replays`() async throws {
    let path = terminal.folder.path + "/b.jsonl"
    let result = try await run(["skip 3", "skip 1", "fork -o \(path)"])
    #expect(
      result.output.hasSuffix("written to b.jsonl\nreplayed again: identical, through action 13\n"),
      "\(result.output)"
    )
    #expect(result.error == "")
    let run = try await terminal.run("run", "b.jsonl")
    #expect(run.output == "b.jsonl: identical, through action 13\n")
    let header = try #require(
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").first
    )
    let json = try JSON(parsing: header.utf8)
    #expect(json["id"] == "L1")
    // The second edit branches off the recorded timeline earlier.
    #expect(json["forkedFrom"] == ["log": "L1", "seq": 0])
    #expect(json["writtenBy"] == "fork")
  }

  @Test func `breakpoints stay set on the new timeline`() async throws {
    let result = try await run(["break .third", "skip 3", "continue"])
    #expect(
      result.output.hasSuffix(
        """
        breakpoint 1, .third
           7    +0.000 s  .third  from effect 5.0  count: 3 → 4
              alive: load 3.0

        """
      ),
      "\(result.output)"
    )
  }

  @Test func `debug --format json reports an edit with its differences and the step`() async throws
  {
    let result = try await run(["skip 3"], "--format", "json")
    let json = try JSON(parsing: result.output.utf8)
    #expect(json["word"] == "skip")
    #expect(json["edits"] == [["skip": 3]])
    #expect(json["after"] == 2)
    #expect(json["firstDifference"] == 3)
    #expect(json["actions"] == ["before": 16, "after": 14])
    #expect(
      json["leftOut"] == [
        [
          "seq": 4, "action": ["loaded": ["_0": 7]],
          "reason": "effect 3.0 never starts: action 3 does not come",
        ]
      ]
    )
    #expect(
      json["differences"] == [
        ["seq": 14, "cause": "state", "subject": "/count", "expected": 15, "actual": 9]
      ]
    )
    #expect(json["step"]?["seq"] == 2)
  }

  @Test func `the debugger keeps the old timeline when the host fails`() async throws {
    terminal.change = .refuses
    let result = try await terminal.run([
      "debug", "a.jsonl", "--ex", "goto 4", "--ex", "skip 3", "--ex", "edits", "--ex",
      "print count",
    ])
    #expect(
      result.error
        == "tca-replay: the host cannot read action 1, .increment: the value should be a whole number from -9223372036854775808 to 9223372036854775807 for Int; found \"x\"\n"
    )
    #expect(result.output.hasSuffix("none: this is the recorded timeline\n7\n"), "\(result.output)")
    #expect(result.status == 65)
  }
}
