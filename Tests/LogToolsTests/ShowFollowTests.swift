import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

/// `show --follow`: lines appear when they are written.
@MainActor @Suite struct ShowFollowTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  private func lines(_ range: Range<Int>) -> String {
    SampleLog.lines[range].map { $0 + "\n" }.joined()
  }

  /// Appends to a file in the folder.
  nonisolated private static func append(_ text: String, to path: String) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  @Test
  func `show --follow prints each action once and in order, and skips lines that are not events`()
    async throws
  {
    try terminal.folder.write(lines(0..<9), to: "a.jsonl")
    let path = terminal.folder.path + "/a.jsonl"
    let (half, rest) = (
      String(SampleLog.lines[9].prefix(20)), SampleLog.lines[9].dropFirst(20) + "\n"
    )
    let more = lines(10..<14)
    terminal.pauses = [
      { try Self.append(half, to: path) },
      { try Self.append(rest + "rubbish\n", to: path) },
      { try Self.append(more, to: path) },
    ]
    let result = try await terminal.run("show", "--follow", "a.jsonl")
    #expect(
      result
        == .init(
          status: 0,
          output: """
            Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
               1    +0.000 s  .increment  count: 0 → 1
               2    +0.000 s  .add  id: "" → "A-1"
               3    +0.000 s  .load  starts load 3.0
               4    +0.000 s  .loaded(7)  from load 3.0
                              count: 1 → 7
               5    +0.000 s  .load  starts load 5.0  load 3.0 canceled

            """,
          error: """
            tca-replay: following a.jsonl; Ctrl-C ends
            tca-replay: line 11 is no event, and is passed over

            """
        )
    )
  }

  @Test func `show --follow continues with a new recording`() async throws {
    try terminal.folder.write(lines(0..<4), to: "a.jsonl")
    let next = terminal.folder.path + "/a-2.jsonl"
    let text = lines(0..<6).replacing(#""id":"L1""#, with: #""id":"L2""#)
    terminal.pauses = [{ try text.write(toFile: next, atomically: true, encoding: .utf8) }]
    let result = try await terminal.run("show", "--follow", "a.jsonl", "--action", ".add")
    #expect(
      result.output == """
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
        Counter  log L2, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
           2    +0.000 s  .add

        """
    )
    #expect(
      result.error == """
        tca-replay: following a.jsonl; Ctrl-C ends
        tca-replay: following a-2.jsonl; Ctrl-C ends

        """
    )
  }

  @Test func `show --follow waits for a log that does not exist yet`() async throws {
    let path = terminal.folder.path + "/a.jsonl"
    let text = lines(0..<4)
    terminal.pauses = [{ try text.write(toFile: path, atomically: true, encoding: .utf8) }]
    let result = try await terminal.run("show", "-f", path, "--last", "1")
    #expect(
      result.error
        == "tca-replay: waiting for a.jsonl; Ctrl-C ends\ntca-replay: following a.jsonl; Ctrl-C ends\n"
    )
    #expect(result.output.hasSuffix("   1    +0.000 s  .increment  count: 0 → 1\n"))
  }

  @Test func `show --follow refuses standard input`() async throws {
    let result = try await terminal.run("show", "--follow", "-")
    #expect(result.status == 64)
    #expect(
      result.error.hasPrefix(
        "tca-replay: invalid LOG '-'; expected the path of a file that a recorder writes\n"
      )
    )
  }
}
