import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Paths without a value, which are probably typing errors.
@MainActor @Suite struct UnmatchedIgnoredPathsTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    try terminal.folder.write(Self.rows, to: "rows.jsonl")
  }

  /// A state with optional members.
  nonisolated private static let rows =
    [
      SampleLog.lines[0],
      #"{"kind":"checkpoint","seq":0,"state":{"count":0,"id":"","rows":[],"sheet":null,"route":{"list":{}},"secret":{"$masked":"x"}},"effects":[]}"#,
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"increment":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}]}"#,
      #"{"kind":"end","seq":1,"reason":"closed"}"#,
    ].joined(separator: "\n") + "\n"

  // MARK: - show

  nonisolated private static let shown: [(arguments: [String], error: String)] = [
    (
      ["--path", "/cuont"],
      "no state of the log has anything at '/cuont'; did you mean '/count'?"
    ),
    (
      ["--path", "/nothing/at/all"],
      "no state of the log has anything at '/nothing/at/all'; the state has \"count\", \"id\""
    ),
    (["--path", "/id/x"], "no state of the log has anything at '/id/x'; '/id' is \"A-1\""),
    (
      ["--path", "/id/x", "--range", "0..1"],
      "no state in the range has anything at '/id/x'; '/id' is \"A-1\""
    ),
  ]

  @Test(arguments: shown)
  func `show --path names the nearest path when nothing matches`(
    arguments: [String],
    error: String
  ) async throws {
    let result = try await terminal.run(["show", "a.jsonl"] + arguments)
    #expect(result == .init(status: 1, output: "", error: "tca-replay: \(error)\n"))
    let json = try await terminal.run(["show", "a.jsonl", "--format", "json"] + arguments)
    #expect(
      json == .init(status: 1, output: "{\"changes\":[]}\n", error: "tca-replay: \(error)\n")
    )
  }

  @Test(
    "show --path accepts a path that only some states have",
    arguments: [["--range", "1..1"], ["--range", "2..2"], []]
  )
  func showSaysNothing(range: [String]) async throws {
    let lines = [
      SampleLog.lines[0],
      #"{"kind":"checkpoint","seq":0,"state":{"sheet":null},"effects":[]}"#,
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"open":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/sheet","value":{"text":"a"}}]}"#,
      #"{"kind":"action","seq":2,"at":2,"origin":"view","action":{"close":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/sheet","value":null}]}"#,
    ]
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "sheet.jsonl")
    let result = try await terminal.run(["show", "sheet.jsonl", "--path", "/sheet/text"] + range)
    #expect(result.error == "")
    #expect(result.status == 0)
  }

  // MARK: - run --ignore

  nonisolated private static let ignored: [(place: String, error: String?)] = [
    ("/count", nil), ("/*", nil), ("", nil), ("/secret", nil), ("/rows", nil), ("/sheet", nil),
    ("/route/*", nil),
    ("/cuont", "; did you mean '/count'?"),
    (
      "/none",
      "; the state has \"count\", \"id\", \"rows\", \"sheet\", \"route\", \"secret\""
    ),
    ("/rows/*/at", "; '/rows' is []"), ("/rows/0", "; '/rows' is []"),
    ("/sheet/at", "; '/sheet' is nil"), ("/*/none", "; '/*' has \"list\""),
    ("/route/detail", "; '/route' has \"list\""),
  ]

  @Test("run --ignore warns of a path only if no state of the log has it", arguments: ignored)
  func runTells(place: String, error: String?) async throws {
    let result = try await terminal.run(["run", "rows.jsonl", "--ignore", place])
    #expect(result.status == 0, "\(result)")
    #expect(
      result.error
        == (error.map {
          "tca-replay: --ignore \(place): no state of the log has anything there\($0)\n"
        }
          ?? "")
    )
  }

  nonisolated private static let settled: [(place: String, error: String?)] = [
    ("/count", nil), ("/cuont", "; did you mean '/count'?"), ("/rows/*/at", nil),
    ("/sheet/at", nil),
    ("/route/detail", nil), ("/route/lsit", "; did you mean '/route/list'?"),
  ]

  @Test(
    "run warns of an ignored path in the settings file if no state of the logs has it",
    arguments: settled
  )
  func settingsTell(place: String, error: String?) async throws {
    try terminal.folder.write("{\"ignore\":[\"\(place)\"]}", to: ".tca-replay.json")
    let result = try await terminal.run("run", "rows.jsonl", "rows.jsonl")
    #expect(result.status == 0)
    #expect(
      result.error
        == (error.map {
          "tca-replay: .tca-replay.json: 'ignore': \(place): no state of the 2 logs has anything there\($0)\n"
        } ?? "")
    )
  }

  @Test("run does not warn of an ignored path that one state of one log has")
  func oneLogIsEnough() async throws {
    let patches = [
      #"{"op":"replace","path":"/sheet","value":{"at":1}}"#,
      #"{"op":"add","path":"/rows/-","value":{"at":1}}"#,
      #"{"op":"add","path":"/route/list/a~1b","value":1}"#,
    ]
    let text = Self.rows.replacing(
      #"[{"op":"replace","path":"/count""#,
      with: #"[\#(patches.joined(separator: ",")),{"op":"replace","path":"/count""#
    )
    #expect(text != Self.rows)
    try terminal.folder.write(text, to: "b.jsonl")
    for place in ["/sheet/at", "/rows/*/at", "/rows/0", "/route/*/a~1b", "/route/list/a~1b"] {
      let result = try await terminal.run("run", "rows.jsonl", "b.jsonl", "--ignore", place)
      #expect(result.error == "", "\(place)")
    }
    let result = try await terminal.run("run", "rows.jsonl", "b.jsonl", "--ignore", "/sheet/on")
    #expect(
      result.error
        == "tca-replay: --ignore /sheet/on: no state of the 2 logs has anything there; '/sheet' has \"at\"\n"
    )
    let rows = try await terminal.run("run", "a.jsonl", "b.jsonl", "--ignore", "/rows/*/att")
    #expect(
      rows.error
        == "tca-replay: --ignore /rows/*/att: no state of the 2 logs has anything there; did you mean '/rows/*/at'?\n"
    )
  }

  @Test(
    "run does not warn of an ignored path that only the replay has, or when --shard leaves out logs"
  )
  func othersMayHaveIt() async throws {
    terminal.change = .addsMember
    #expect(try await terminal.run("run", "a.jsonl", "--ignore", "/new").error == "")
    terminal.change = .none
    let part = try await terminal.run("run", "a.jsonl", "--ignore", "/cuont", "--shard", "1/2")
    #expect(part == .init(status: 0, output: "a.jsonl: identical, through action 16\n"))
  }
}
