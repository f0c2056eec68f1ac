import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

/// Logs with all kinds of damage: each command reports the error and its position, or continues as far as possible.
@MainActor @Suite struct MalformedLogTests {
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let log: @Sendable () -> [UInt8]
    /// The exit status of `run` and its message.
    let run: (status: Int32, text: String)
    /// The exit status of `verify` and its first message.
    let verify: (status: Int32, text: String)

    init(
      _ name: String,
      run: (Int32, String),
      verify: (Int32, String),
      log: @escaping @Sendable () -> [UInt8]
    ) {
      testDescription = name
      self.log = log
      self.run = run
      self.verify = verify
    }
  }

  nonisolated private static func bytes(_ lines: [String]) -> [UInt8] {
    Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  nonisolated private static func bytes(
    replacing line: Int,
    with text: String
  ) -> [UInt8] {
    var lines = SampleLog.lines
    lines[line - 1] = text
    return bytes(lines)
  }

  nonisolated private static func deep(_ levels: Int) -> String {
    #"{"kind":"action","seq":1,"at":10,"origin":"view","action":"#
      + String(repeating: "[", count: levels) + String(repeating: "]", count: levels) + "}"
  }

  nonisolated static let damages: [Damage] = [
    Damage(
      "a torn last line",
      run: (0, "cut after action 8, the same as far as it goes"),
      verify: (0, "note: the last 40 bytes are not a whole event: the writer was stopped")
    ) {
      bytes(Array(SampleLog.lines.prefix(21))) + Array(SampleLog.lines[21].utf8.prefix(40))
    },
    Damage(
      "NULs at the end",
      run: (0, "identical, through action 16"),
      verify: (0, "note: the last 5000 bytes are not a whole event: the writer was stopped")
    ) { bytes(SampleLog.lines) + [UInt8](repeating: 0, count: 5000) },
    Damage(
      "NULs in the middle",
      run: (65, "line 4 is not JSON: found byte 0x0 where a value was expected, at byte 0"),
      verify: (
        1, "error: line 4 is not JSON: found byte 0x0 where a value was expected, at byte 0"
      )
    ) { bytes(replacing: 4, with: String(repeating: "\0", count: 100)) },
    Damage(
      "a line of 200,000 bytes",
      run: (1, "diverged at action 2: state id"),
      verify: (0, "sound, 45 lines, 16 actions")
    ) {
      bytes(
        SampleLog.lines.map {
          $0.replacing(
            #"{"op":"replace","path":"/id","value":"A-1"}"#,
            with:
              #"{"op":"replace","path":"/id","value":"\#(String(repeating: "x", count: 200_000))"},"#
              + #"{"op":"replace","path":"/id","value":"A-2"}"#
          ).replacing(#""id":"A-1""#, with: #""id":"A-2""#)
        }
      )
    },
    Damage(
      "100,000 levels of nesting",
      run: (65, "line 3 is not JSON: found more than 512 levels of nesting, at byte 569"),
      verify: (
        1, "error: line 3 is not JSON: found more than 512 levels of nesting, at byte 569"
      )
    ) { bytes(replacing: 3, with: deep(100_000)) },
    Damage(
      "bytes that are not UTF-8",
      run: (65, "line 4 is not JSON: found bytes that are not UTF-8 in a string, at byte 58"),
      verify: (
        1, "error: line 4 is not JSON: found bytes that are not UTF-8 in a string, at byte 58"
      )
    ) {
      var log = bytes(SampleLog.lines)
      if let place = log.firstRange(of: Array("/count".utf8))?.lowerBound { log[place] = 0xFF }
      return log
    },
    Damage(
      "a member of the wrong type",
      run: (
        65,
        #"line 3 is not a log event: event 'action' has "1" as 'seq'; expected a whole number from 0 to 9007199254740991"#
      ),
      verify: (
        1,
        #"error: line 3 is not a log event: event 'action' has "1" as 'seq'; expected a whole number from 0 to 9007199254740991"#
      )
    ) {
      bytes(replacing: 3, with: SampleLog.lines[2].replacing(#""seq":1"#, with: #""seq":"1""#))
    },
    Damage(
      "actions in another order",
      run: (1, "diverged at action 2: log sequence"),
      verify: (1, "error: action 2; expected action 1")
    ) {
      var lines = SampleLog.lines
      lines.insert(contentsOf: lines[2...3], at: 7)
      lines.removeSubrange(2...3)
      return bytes(lines)
    },
    Damage(
      "a number that comes twice",
      run: (1, "diverged at action 1: log sequence"),
      verify: (1, "error: action 1; expected action 2")
    ) {
      var lines = SampleLog.lines
      lines.insert(contentsOf: lines[2...3], at: 4)
      return bytes(lines)
    },
    Damage(
      "another format's file",
      run: (65, "line 1 is not a log event: an event has no member 'kind'; expected a string"),
      verify: (65, "")
    ) { Array(#"{"log":[]}"#.utf8) },
    Damage("an empty file", run: (65, "the log is empty"), verify: (65, "")) { [] },
  ]

  @Test(arguments: damages)
  func `run and verify say what is wrong with a malformed log`(damage: Damage) async throws {
    let terminal = try Terminal()
    let path = terminal.folder.path + "/a.jsonl"
    try Data(damage.log()).write(to: URL(fileURLWithPath: path))
    let run = try await terminal.run("run", "a.jsonl")
    #expect(run.status == damage.run.status)
    let text = (run.output + run.error).split(separator: "\n").first ?? ""
    #expect(text.hasPrefix("a.jsonl: \(damage.run.text)"), "\(text.prefix(300))")
    let verify = try await terminal.run("verify", "a.jsonl")
    #expect(verify.status == damage.verify.status)
    let first = String((verify.output.split(separator: "\n").first ?? "").prefix(300))
    #expect(damage.verify.text.isEmpty || first.contains(damage.verify.text), "\(first)")
  }

  @Test(arguments: damages)
  func `no command fails on a malformed log without saying why`(damage: Damage) async throws {
    let terminal = try Terminal()
    let path = terminal.folder.path + "/a.jsonl"
    try Data(damage.log()).write(to: URL(fileURLWithPath: path))
    for arguments in [
      ["show", path], ["show", path, "--at", "2"], ["stats", path], ["blame", path, "/count"],
      ["diff", path, path], ["test", path], ["replay", path], ["migrate", path],
      ["bisect", path, "--when", "$.state.count > 3"],
    ] {
      let result = try await terminal.run(arguments)
      #expect([0, 1, 65].contains(result.status), "\(arguments): \(result.error.prefix(300))")
      #expect(result.status != 65 || !result.error.isEmpty, "\(arguments)")
    }
  }
}
