import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@MainActor @Suite struct RunOptionsTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    try terminal.folder.write(SampleLog.text, to: "b.jsonl")
    try terminal.folder.write(SampleLog.lines.dropLast().joined(separator: "\n"), to: "c.jsonl")
  }

  @Test func `run groups logs with the same first divergence`() async throws {
    terminal.change = .countsByTwo
    try terminal.folder.write(SampleLog.lines.prefix(2).joined(separator: "\n"), to: "d.jsonl")
    try terminal.folder.write("{", to: "e.jsonl")
    try terminal.folder.write(SampleLog.text, to: "f.jsonl")
    #expect(
      try await terminal.run(
        "run",
        "a.jsonl",
        "b.jsonl",
        "c.jsonl",
        "d.jsonl",
        "e.jsonl",
        "f.jsonl"
      )
        == .init(
          status: 65,
          output: """
            a.jsonl: diverged at action 1: state count

              action 1  .increment
                sent by the view

              − recorded, + replayed
              state
                count
                  − 1
                  + 2

              next:
                tca-replay blame a.jsonl count --at 1  # who set this value last, and why
                tca-replay run a.jsonl --continue      # whether later actions differ, too
            b.jsonl: diverged at action 1: state count
              count  − 1  + 2
            c.jsonl: diverged at action 1: state count
              count  − 1  + 2
            d.jsonl: cut before the first action
            e.jsonl: the log ends after 1 byte, within its first line; expected an event 'header' there
            f.jsonl: diverged at action 1: state count
              count  − 1  + 2
            6 logs, 5 failed
              4 × diverged: state count, action .increment
                  a.jsonl, b.jsonl, c.jsonl and 1 more
              1 × the log ends after N byte, within its first line; expected an event 'header' there
                  e.jsonl
              --verbose shows the details of each

            """
        )
    )
  }

  @Test(arguments: [
    (
      "1/2",
      "a.jsonl: identical, through action 16\nc.jsonl: cut after action 16, the same as far as it goes\n2 logs, all passed\n"
    ),
    ("2/2", "b.jsonl: identical, through action 16\n"), ("4/4", ""),
  ])
  func `run --shard replays one of several parts of the logs`(
    shard: String,
    output: String
  ) async throws {
    #expect(
      try await terminal.run("run", "a.jsonl", "b.jsonl", "c.jsonl", "--shard", shard)
        == .init(status: 0, output: output)
    )
  }

  @Test func `run --fail-fast starts no other log after the first failure`() async throws {
    terminal.change = .countsByTwo
    #expect(
      try await terminal.run("run", "--fail-fast", "a.jsonl", "b.jsonl", "c.jsonl")
        == .init(
          status: 1,
          output: """
            a.jsonl: diverged at action 1: state count

              action 1  .increment
                sent by the view

              − recorded, + replayed
              state
                count
                  − 1
                  + 2

              next:
                tca-replay blame a.jsonl count --at 1  # who set this value last, and why
                tca-replay run a.jsonl --continue      # whether later actions differ, too
            1 log, 1 failed, 2 not replayed

            """
        )
    )
  }

  @Test(arguments: ["1", "2", "7"])
  func `run prints the same with any number of jobs`(jobs: String) async throws {
    for index in 10..<40 { try terminal.folder.write(SampleLog.text, to: "many/\(index).jsonl") }
    let lines = (10..<40).map { "many/\($0).jsonl: identical, through action 16\n" }
    #expect(
      try await terminal.run("run", "many", "--jobs", jobs)
        == .init(status: 0, output: lines.joined() + "30 logs, all passed\n")
    )
  }

  @Test func `run --ignore leaves a path out of the comparison`() async throws {
    terminal.change = .countsByTwo
    #expect(
      try await terminal.run("run", "a.jsonl", "--ignore", "/count")
        == .init(status: 0, output: "a.jsonl: identical, through action 16\n")
    )
    #expect(try await terminal.run("run", "a.jsonl", "--ignore", "/*").status == 0)
    #expect(
      try await terminal.run("run", "a.jsonl", "--ignore", "/id", "--ignore", "/x/*").status == 1
    )
    try terminal.folder.write(#"{"ignore":["/count"]}"#, to: ".tca-replay.json")
    #expect(try await terminal.run("run", "a.jsonl").status == 0)
  }

  @Test func `run notes a member that the log lacks, and --strict reports it as a difference`()
    async throws
  {
    terminal.change = .addsMember
    #expect(
      try await terminal.run("run", "a.jsonl")
        == .init(
          status: 0,
          output: """
            a.jsonl: identical, through action 16
              note: new: the log lacks it; it has its initial value

            """
        )
    )
    #expect(
      try await terminal.run("run", "--strict", "a.jsonl")
        == .init(
          status: 1,
          output: """
            a.jsonl: diverged at action 0: schema drift new

              before the first action

              − recorded, + replayed
              schema drift
                new
                  the log lacks it; it has its initial value

              next:
                tca-replay show a.jsonl --at 0     # the state as it was recorded
                tca-replay run a.jsonl --continue  # whether later actions differ, too

            """
        )
    )
  }

  @Test func `run shows, beside a divergence, the other events of the same action`() async throws {
    let lines = SampleLog.lines.map {
      $0.replacing(
        #""path":"/id","value":"A-1"}],"#,
        with: #""path":"/id","value":"B"}],"effects":[{"id":"2.0","op":"run","name":"save"}],"#
      )
    }
    try terminal.folder.write(lines.joined(separator: "\n"), to: "x.jsonl")
    #expect(
      try await terminal.run("run", "x.jsonl", "--ignore", "/id").output.contains("effect 2.0")
    )
    let state = SampleLog.lines.map {
      $0.replacing(#""path":"/id","value":"A-1"}],"#, with: #""path":"/id","value":"B"}],"#)
    }
    try terminal.folder.write(state.joined(separator: "\n"), to: "y.jsonl")
    #expect(
      try await terminal.run("run", "y.jsonl")
        == .init(
          status: 1,
          output: """
            y.jsonl: diverged at action 2: state id

              action 2  .add
                sent by the view

              − recorded, + replayed
              state
                id
                  − "B"
                  + "A-1"

              recorded reads
                uuid  "A-1"

              next:
                tca-replay blame y.jsonl id --at 2  # who set this value last, and why
                tca-replay run y.jsonl --continue   # whether later actions differ, too

            """
        )
    )
  }
}
