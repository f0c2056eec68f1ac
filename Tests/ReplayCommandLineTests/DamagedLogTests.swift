import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// The messages of `run` and `verify` for logs with contradicting events.
@MainActor @Suite struct DamagedLogTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  @Test(
    "run reports a cancellation that names the wrong action",
    arguments: [99, 2]
  )
  func anotherCanceller(by seq: Int) async throws {
    var lines = SampleLog.lines
    lines[13] = lines[13].replacing(#"{"action":5}"#, with: #"{"action":\#(seq)}"#)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    #expect(
      try await terminal.run("run", "a.jsonl")
        == .init(
          status: 1,
          output: """
            a.jsonl: diverged at action 5: effects 3.0/by

              action 5  .load
                sent by the view

              − recorded, + replayed
              effects
                effect 3.0: by
                  − \(seq)
                  + 5

              next:
                tca-replay show a.jsonl --range 5  # the action as it was recorded
                tca-replay run a.jsonl --continue  # whether later actions differ, too

            """
        )
    )
    let all = try await terminal.run("run", "a.jsonl", "--continue", "--format", "json")
    let log = try #require(try JSON(parsing: all.output)["logs"]?.array?.first)
    #expect(log["at"] == 5)
    #expect(log["further"] == nil)
  }

  struct Contradiction: Sendable, CustomTestStringConvertible {
    var text = ""
    var replacement = ""
    let subject: String
    let message: String
    var testDescription: String { message }
  }

  nonisolated static let contradictions = [
    Contradiction(
      text:
        #""effects":[{"id":"5.0","op":"run","name":"load","cancelID":{"type":"CancelID","value":"load"},"cancelInFlight":true,"input":1,"priority":"high"}]"#,
      replacement: #""effects":[]"#,
      subject: "5.0",
      message: "the checkpoint lacks effect 5.0; expected it, because it is alive there"
    ),
    Contradiction(
      text: #""effects":["#,
      replacement: #""effects":[{"id":"4.0","op":"run"},"#,
      subject: "4.0",
      message: "the checkpoint has effect 4.0; expected only effects that are alive there"
    ),
    Contradiction(
      text: #""priority":"high"}]"#,
      replacement: #""priority":"high","cancelled":true}]"#,
      subject: "5.0",
      message:
        "the checkpoint has effect 5.0 as canceled; expected it as the events before tell: not canceled"
    ),
  ]

  @Test(
    "run and verify report a checkpoint whose state contradicts the events before it",
    arguments: contradictions
  )
  func checkpointInTheMiddle(contradiction: Contradiction) async throws {
    var lines = SampleLog.lines
    lines[23] = lines[23].replacing(contradiction.text, with: contradiction.replacement)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let run = try await terminal.run("run", "a.jsonl")
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("a.jsonl: diverged at action 9: log sequence\n"))
    #expect(
      run.output.contains("    \(contradiction.subject)\n      \(contradiction.message)\n"),
      "\(run.output)"
    )
    let verify = try await terminal.run("verify", "a.jsonl")
    #expect(verify.status == 1)
    #expect(verify.output == "a.jsonl:24: error: \(contradiction.message)\na.jsonl: 1 problem\n")
  }

  @Test func `verify reports a nextStackElement that is lower than before`() async throws {
    var lines = SampleLog.lines
    lines[1] = lines[1].replacing(#""effects":[]"#, with: #""effects":[],"nextStackElement":7"#)
    lines[23] = lines[23].replacing(
      #""priority":"high"}]"#,
      with: #""priority":"high"}],"nextStackElement":5"#
    )
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    #expect(
      try await terminal.run("verify", "a.jsonl")
        == .init(
          status: 1,
          output: """
            a.jsonl:24: error: the checkpoint says that the next element of a stack gets the number 5; expected at least 7, as at the checkpoint before
            a.jsonl: 1 problem

            """
        )
    )
  }

  @Test func `run reports an event after the end of the log`() async throws {
    let lines = SampleLog.lines + SampleLog.lines.suffix(1)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    #expect(
      try await terminal.run("run", "a.jsonl")
        == .init(
          status: 1,
          output: """
            a.jsonl: diverged at action 16: log sequence

              action 16  .increment
                sent by an effect of a reducer around the feature

              − recorded, + replayed
              log sequence
                end
                  an event 'end' after the end; expected a header or nothing

              next:
                tca-replay show a.jsonl --range 16  # the action as it was recorded
                tca-replay run a.jsonl --continue   # whether later actions differ, too

            """
        )
    )
  }
}
