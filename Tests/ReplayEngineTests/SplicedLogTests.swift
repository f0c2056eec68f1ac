import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

/// Commands on a log whose patches splice texts.
@MainActor @Suite("A log with splices") struct SplicedLogTests {
  private let terminal: Terminal
  private static let text = String(repeating: "x", count: 1_200)

  private static let log = """
    {"kind":"header","format":"tca-replay","version":1,"requires":["splice"],"id":"L4","feature":"Notes"}
    {"kind":"checkpoint","seq":0,"state":{"a":1,"secret":"opensesame","text":"\(text)opensesame"},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"type":{}}}
    {"kind":"change","seq":1,"patch":[{"op":"splice","path":"/text","at":1200,"remove":4,"insert":"shut"}]}
    {"kind":"action","seq":2,"at":2,"origin":"view","action":{"count":{}}}
    {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/a","value":2}]}
    {"kind":"end","seq":2,"reason":"closed"}

    """

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
  }

  @Test("show prints what a splice removes and inserts")
  func show() async throws {
    let result = try await terminal.run("show", "a.jsonl", "--range", "1..1")
    #expect(
      result.output == """
        Notes  log L4
        1  +0.000 s  .type  sent by the view
            text  at byte 1200 of the text
              − "open"
              + "shut"

        """
    )
  }

  @Test("show, verify and blame apply a splice to the state")
  func state() async throws {
    let shown = try await terminal.run(
      "show",
      "a.jsonl",
      "--at",
      "2",
      "--path",
      "/text",
      "--format",
      "json"
    )
    #expect(shown.output.contains(Self.text + "shutsesame"))
    #expect(try await terminal.run("verify", "a.jsonl").status == 0)
    let blamed = try await terminal.run("blame", "a.jsonl", "/text", "--format", "json")
    #expect(
      blamed.output.contains(#""seq":1"#) || blamed.output.contains(#""seq" : 1"#),
      "\(blamed)"
    )
  }

  @Test("migrate --plain-patches writes a splice as the replacement of its text")
  func plainPatches() async throws {
    let result = try await terminal.run("migrate", "a.jsonl", "--plain-patches", "-o", "-")
    #expect(result.status == 0)
    #expect(
      result.output
        == Self.log.replacing(#""requires":["splice"]"#, with: #""requires":[]"#)
        .replacing(
          #"{"op":"splice","path":"/text","at":1200,"remove":4,"insert":"shut"}"#,
          with: #"{"op":"replace","path":"/text","value":"\#(Self.text)shutsesame"}"#
        )
        .replacing(
          #""feature":"Notes"}"#,
          with:
            #""feature":"Notes","stateType":"","startedAt":"","recorder":"","environment":{},"segment":1}"#
        )
    )
  }

  @Test("mask also hides the text of a masked path that is written as a splice")
  func mask() async throws {
    let result = try await terminal.run("mask", "a.jsonl", "--path", "/secret", "-o", "-")
    #expect(result.status == 0)
    #expect(!result.output.contains("opensesame"))
    #expect(!result.output.contains("splice\",\"path"))
  }

  @Test("verify reports a splice that does not fit its text")
  func broken() async throws {
    try terminal.folder.write(
      Self.log.replacing(#""at":1200"#, with: #""at":1207"#),
      to: "b.jsonl"
    )
    let result = try await terminal.run("verify", "b.jsonl")
    #expect(result.status == 1)
    #expect(
      result.output.contains("cannot remove 4 bytes at byte 1207 of a text of 1210 bytes"),
      "\(result)"
    )
  }
}
