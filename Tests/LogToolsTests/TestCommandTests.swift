import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

/// `test`: a Swift test that replays a log.
@MainActor @Suite struct TestCommandTests {
  @Test func theTestHoldsTheLog() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(
      SampleLog.lines.prefix(2).joined(separator: "\n") + "\n"
        + ###"{"kind":"action","seq":1,"at":0,"origin":"view","action":"a\"##b"}"###,
      to: "my bug-12.jsonl"
    )
    #expect(
      try await terminal.run("test", "my bug-12.jsonl", "--import", "AppFeature")
        == .init(
          status: 0,
          output: ####"""
            import AppFeature
            import TCAReplay
            import Testing

            /// Replays what was recorded in my bug-12.jsonl.
            @Test @MainActor func myBug12Replays() async throws {
              try await expectReplay(
                ofLines: ###"""
                  {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Counter","stateType":"CounterState","startedAt":"2026-01-01T00:00:00Z","recorder":"0.1.0","environment":{},"segment":1}
                  {"kind":"checkpoint","seq":0,"state":{"count":0,"id":""},"effects":[]}
                  {"kind":"action","seq":1,"at":0,"origin":"view","action":"a\"##b"}
                  """###
              ) {
                Counter()
              }
            }

            """####
        )
    )
  }

  /// A test that holds a page of log can be read, one that holds a book cannot.
  @Test func theTestRefersToALargeLog() async throws {
    let terminal = try Terminal()
    let note = #"{"kind":"note","seq":0,"at":0,"text":"\#(String(repeating: "x", count: 20_000))"}"#
    let large = SampleLog.lines.prefix(2) + [note] + SampleLog.lines.dropFirst(2)
    let text = large.joined(separator: "\n") + "\n"
    try terminal.folder.write(text, to: "logs/big \"1\".jsonl")
    try terminal.folder.write("", to: "Tests/AppTests/Place.swift")
    func code(_ arguments: String...) async throws -> String {
      let result = try await terminal.run(["test"] + arguments)
      #expect(result.status == 0)
      #expect(
        result.error == """
          tca-replay: logs/big "1".jsonl is larger than 20 kB, so the test refers to it; keep it where it is, or record less

          """
      )
      return result.output
    }
    let expected = """
      import Foundation
      import TCAReplay
      import Testing

      /// Replays what was recorded in big "1".jsonl.
      @Test @MainActor func big1Replays() async throws {
        try await expectReplay(
          of: URL(filePath: #filePath).deletingLastPathComponent().appending(path: #"../../logs/big "1".jsonl"#)
        ) {
          Counter()
        }
      }

      """
    let place = terminal.folder.path + "/Tests/AppTests/BigTests.swift"
    #expect(try await code("logs/big \"1\".jsonl", "-o", place) == "")
    #expect(try terminal.folder.read("Tests/AppTests/BigTests.swift") == expected)
    // Nobody knows where this one will be.
    let output = try await code("logs/big \"1\".jsonl")
    #expect(output.contains(##"of: URL(filePath: #"logs/big "1".jsonl"#)"##))
    // A log after another one in a file has no file of its own.
    try terminal.folder.write(SampleLog.text + "\n" + text, to: "two.jsonl")
    #expect(try await terminal.run("test", "two.jsonl").output.contains("ofLines:"))
    terminal.input = text
    let piped = try await terminal.run("test", "-")
    #expect(piped.error == "")
    #expect(piped.output.contains("ofLines:"))
  }
}
