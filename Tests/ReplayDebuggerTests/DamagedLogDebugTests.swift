import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Logs with a line that is not an event, in the debugger.
@MainActor @Suite("Damaged logs in the debugger") struct DamagedLogDebugTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    var lines = SampleLog.lines
    // The change of action 2.
    lines[6] = String(lines[6].dropLast(20)) + lines[7]
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
  }

  private func debug(_ words: String...) async throws -> Terminal.Result {
    try await terminal.run(["debug", "a.jsonl", "--batch"] + words.flatMap { ["--ex", $0] })
  }

  nonisolated static let ways: [[String]] = [
    ["goto end"], ["continue"], ["step 9"], ["break .third", "continue"], ["next", "next", "next"],
  ]

  @Test(arguments: ways)
  func `the debugger reports a damaged line instead of the end of the log`(
    words: [String]
  ) async throws {
    let result = try await terminal.run(
      ["debug", "a.jsonl", "--batch"] + words.flatMap { ["--ex", $0] }
    )
    #expect(result.status == 65)
    #expect(result.output.contains("the log cannot be read any further\n"))
    #expect(!result.output.contains("the end of the log"))
    #expect(result.error.contains("tca-replay: a.jsonl: line 7 is not JSON: "))
    // It is reported once, and unknown values are not reported as missing.
    #expect(result.error.split(separator: "\n").count == 1)
  }

  @Test func `goto does not report a missing action if the action may follow a damaged line`()
    async throws
  {
    let result = try await debug("goto 9")
    #expect(result.status == 65)
    #expect(!result.error.contains("has no action 9"))
  }

  @Test func `debug --format json reports a damaged line`() async throws {
    let result = try await terminal.run(
      "debug",
      "a.jsonl",
      "--batch",
      "--format",
      "json",
      "--ex",
      "goto end"
    )
    let answer = try JSON(parsing: result.output)
    #expect(answer["reason"] == "damaged")
    #expect(answer["problem"]?.string?.hasPrefix("line 7 is not JSON: ") == true)
    #expect(result.status == 65)
  }

  @Test func `the debugger reports the end of a sound log`() async throws {
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    let result = try await debug("goto end", "break .nothing")
    #expect(result.output.hasPrefix("the end of the log\n"))
    #expect(result.status == 0)
  }
}
