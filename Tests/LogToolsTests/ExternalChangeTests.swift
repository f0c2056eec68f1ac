import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Logs with changes of the state outside recorded actions.
@MainActor @Suite struct ExternalChangeTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
  }

  static let log = #"""
    {"kind":"header","format":"tca-replay","version":1,"id":"L3","feature":"Inputs"}
    {"kind":"checkpoint","seq":0,"state":{"a":0,"b":0,"c":0,"d":0},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"lost":{}}}
    {"kind":"gap","seq":3,"at":2,"dropped":4,"reason":"No space left on device"}
    {"kind":"checkpoint","seq":3,"state":{"a":1,"b":1,"c":1,"d":1},"effects":[]}
    {"kind":"action","seq":4,"at":4,"origin":"view","action":{"go":{}}}
    {"kind":"change","seq":4,"patch":[{"op":"replace","path":"/a","value":2}],"effects":[{"id":"4.0","op":"run"}]}
    {"kind":"external","seq":4,"at":5,"patch":[{"op":"replace","path":"/b","value":2}]}
    {"kind":"note","seq":4,"at":5,"text":"here"}
    {"kind":"excluded","seq":5,"at":6,"origin":{"effect":"4.0"},"patch":[{"op":"replace","path":"/c","value":2}]}
    {"kind":"end","seq":5,"reason":"closed"}
    """#

  @Test(
    arguments: [
      (
        "/a", "2",
        ["  action 4  .go", "    sent by the view"]
      ),
      ("/b", "2", ["  something else than an action of the feature, after action 4"]),
      (
        "/c", "2",
        [
          #"  action 5  <Action: the recording left it out>"#,
          "    sent by effect 4.0 of action 4  .go", "    action 4 sent by the view",
        ]
      ),
    ]
  )
  func `blame names the action, effect or external change that changed a value`(
    path: String,
    value: String,
    causes: [String]
  ) async throws {
    let lines =
      ["\(path.dropFirst()) is \(value) after action 5", "", "last changed by"] + causes
      + ["", "  \(path.dropFirst())", "    − 1", "    + 2", ""]
    #expect(
      try await terminal.run("blame", "a.jsonl", path)
        == .init(status: 0, output: lines.joined(separator: "\n"))
    )
  }

  @Test func `blame considers no actions before a gap`() async throws {
    let output = try await terminal.run("blame", "a.jsonl", "/d").output
    #expect(
      output
        == """
        d is 1 after action 5
        as it was in the first checkpoint: no action has changed it

        """
    )
  }

  @Test(
    arguments: [
      ("4", #"{"a":2,"b":1,"c":1,"d":1}"#), ("5", #"{"a":2,"b":2,"c":2,"d":1}"#),
    ]
  )
  func `show --at applies external and excluded changes`(seq: String, state: String) async throws {
    let result = try await terminal.run("show", "a.jsonl", "--at", seq, "--format", "json")
    #expect(result.status == 0)
    #expect(try JSON(parsing: result.output)["state"] == JSON(parsing: state))
  }

  @Test func `verify accepts external and excluded changes`() async throws {
    let result = try await terminal.run("verify", "a.jsonl")
    #expect(result.status == 0, "\(result)")
  }

  @Test(
    arguments: [
      (#""external","seq":4,"at":5,"patch":[{"op":"replace","path":"/b""#, "/nowhere/b"),
      (#""origin":{"effect":"4.0"},"patch":[{"op":"replace","path":"/c""#, "/nowhere/c"),
    ]
  )
  func `verify reports external and excluded changes that do not fit the state`(
    piece: String,
    path: String
  ) async throws {
    let wrong = piece.replacing(/"\/[bc]"/, with: "\"\(path)\"")
    #expect(wrong != piece)
    try terminal.folder.write(Self.log.replacing(piece, with: wrong), to: "b.jsonl")
    let result = try await terminal.run("verify", "b.jsonl")
    #expect(result.status == 1, "\(result)")
  }
}
