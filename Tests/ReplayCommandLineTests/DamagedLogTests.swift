import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// What `run` and `verify` say of logs whose events contradict each other.
@MainActor @Suite struct DamagedLogTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  @Test("a cancellation that names another action differs where it stands", arguments: [99, 2])
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
}
