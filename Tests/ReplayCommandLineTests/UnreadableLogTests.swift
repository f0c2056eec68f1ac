import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

/// The messages of commands for several logs about unreadable ones.
@MainActor @Suite("Unreadable logs among others") struct UnreadableLogTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    try terminal.folder.write("", to: "b.jsonl")
    try terminal.folder.write("rubbish\n", to: "c.jsonl")
    try terminal.folder.write(SampleLog.text, to: "d.jsonl")
  }

  private static let complaints = """
    tca-replay: b.jsonl: the log is empty; expected an event 'header' on the first line
    tca-replay: c.jsonl: line 1 is not JSON: found 'r' where a value was expected, at byte 0
    tca-replay: there is no file e.jsonl

    """

  @Test("verify names unreadable logs, and continues with the others")
  func verify() async throws {
    #expect(
      try await terminal.run("verify", "a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl", "e.jsonl")
        == .init(
          status: 66,
          output: """
            a.jsonl: sound, 45 lines, 16 actions
            d.jsonl: sound, 45 lines, 16 actions

            """,
          error: Self.complaints
        )
    )
    #expect(
      try await terminal.run("verify", "b.jsonl", "--format", "json")
        == .init(
          status: 65,
          output: """
            {"logs":[{"log":"b.jsonl","sound":false,"message":"b.jsonl: the log is empty; expected an event 'header' \
            on the first line"}]}

            """,
          error:
            "tca-replay: b.jsonl: the log is empty; expected an event 'header' on the first line\n"
        )
    )
  }

  @Test("stats names unreadable logs, and continues with the others")
  func stats() async throws {
    let good = try await terminal.run("stats", "a.jsonl")
    #expect(
      try await terminal.run(["stats", "-v"] + ["a", "b", "c", "d", "e"].map { "\($0).jsonl" })
        == .init(
          status: 66,
          output: good.output + good.output.replacing("a.jsonl", with: "d.jsonl"),
          error: Self.complaints
        )
    )
  }

  @Test("diff says which of two logs is unreadable")
  func diff() async throws {
    #expect(
      try await terminal.run("diff", "a.jsonl", "c.jsonl")
        == .init(
          status: 65,
          output: "",
          error:
            "tca-replay: c.jsonl: line 1 is not JSON: found 'r' where a value was expected, at byte 0\n"
        )
    )
  }

  @Test("diff --exact treats the first log as the expected one")
  func diffOfAShorterLog() async throws {
    let lines = SampleLog.lines.prefix(2).joined(separator: "\n") + "\n"
    try terminal.folder.write(lines, to: "short.jsonl")
    #expect(
      try await terminal.run("diff", "a.jsonl", "short.jsonl", "--exact").output
        == """
        − a.jsonl, + short.jsonl

        action 1
          log sequence
            expected action 1, found the end of the file

        not compared: the next 15 actions of a.jsonl, because the events before them do not correspond; without --exact they are aligned

        """
    )
    #expect(
      try await terminal.run("diff", "short.jsonl", "a.jsonl", "--exact").output
        == """
        − short.jsonl, + a.jsonl

        action 1
          log sequence
            expected the end of the file, found action 1

        not compared: the next 15 actions of a.jsonl, because the events before them do not correspond; without --exact they are aligned

        """
    )
  }
}
