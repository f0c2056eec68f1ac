import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayCommandLine
@testable import ReplayCommands
@testable import ReplayEngine

/// Logs in which not every change of the state is that of an action that was written.
@MainActor @Suite struct InputEventCommandTests {
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
        ["  action 4  {\"go\":{}}", "    sent by the view"]
      ),
      ("/b", "2", ["  something else than an action of the feature, after action 4"]),
      (
        "/c", "2",
        [
          #"  action 5  {"$opaque":"Action","reason":"the recording left it out"}"#,
          "    sent by effect 4.0 of action 4  {\"go\":{}}", "    sent by the view",
        ]
      ),
    ]
  )
  func blameNamesWhatChangedAValue(
    path: String,
    value: String,
    causes: [String]
  ) async throws {
    let lines =
      ["\(path) is \(value) after action 5", "", "last changed by"] + causes
      + ["", "  \(path)", "    − 1", "    + 2", ""]
    #expect(
      try await terminal.run("blame", "a.jsonl", path)
        == .init(status: 0, output: lines.joined(separator: "\n"))
    )
  }

  @Test func blameDoesNotLookBehindAGap() async throws {
    let output = try await terminal.run("blame", "a.jsonl", "/d").output
    #expect(
      output
        == """
        /d is 1 after action 5
        as it was in the first checkpoint: no action has changed it

        """
    )
  }

  @Test(
    arguments: [
      ("4", #"{"a":2,"b":1,"c":1,"d":1}"#), ("5", #"{"a":2,"b":2,"c":2,"d":1}"#),
    ]
  )
  func showKnowsTheStateBehindThem(seq: String, state: String) async throws {
    let result = try await terminal.run("show", "a.jsonl", "--at", seq, "--format", "json")
    #expect(result.status == 0)
    #expect(try JSON(parsing: result.output)["state"] == JSON(parsing: state))
  }

  @Test func verifyKnowsThemAll() async throws {
    let result = try await terminal.run("verify", "a.jsonl")
    #expect(result.status == 0, "\(result)")
  }

  @Test(
    arguments: [
      (#""external","seq":4,"at":5,"patch":[{"op":"replace","path":"/b""#, "/nowhere/b"),
      (#""origin":{"effect":"4.0"},"patch":[{"op":"replace","path":"/c""#, "/nowhere/c"),
    ]
  )
  func verifyAppliesTheirPatches(piece: String, path: String) async throws {
    let wrong = piece.replacing(/"\/[bc]"/, with: "\"\(path)\"")
    #expect(wrong != piece)
    try terminal.folder.write(Self.log.replacing(piece, with: wrong), to: "b.jsonl")
    let result = try await terminal.run("verify", "b.jsonl")
    #expect(result.status == 1, "\(result)")
  }
}

/// `blame`: which action last changed a value.
@MainActor @Suite struct BlameCommandTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    try terminal.folder.write(Self.rows, to: "rows.jsonl")
  }

  /// Rows that are added, changed, moved and removed.
  static let rows = #"""
    {"kind":"header","format":"tca-replay","version":1,"id":"L2","feature":"Rows"}
    {"kind":"checkpoint","seq":0,"state":{"rows":[{"t":"x"}],"n":1,"m":{"5":"five"}},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"add":{}}}
    {"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/1","value":{"t":"a"}}]}
    {"kind":"action","seq":2,"at":2,"origin":"view","action":{"insert":{}}}
    {"kind":"change","seq":2,"patch":[{"op":"add","path":"/rows/0","value":{"t":"b"}},{"op":"replace","path":"/n","value":2}]}
    {"kind":"action","seq":3,"at":3,"origin":{"effect":"2.0"},"action":{"edit":{}}}
    {"kind":"change","seq":3,"patch":[{"op":"replace","path":"/rows/2/t","value":"c"}]}
    {"kind":"action","seq":4,"at":4,"origin":"view","action":{"drop":{}}}
    {"kind":"change","seq":4,"patch":[{"op":"remove","path":"/rows/1"}]}
    {"kind":"action","seq":5,"at":5,"origin":"view","action":{"swap":{}}}
    {"kind":"change","seq":5,"patch":[{"op":"move","from":"/rows/1","path":"/rows/0"}]}
    {"kind":"action","seq":6,"at":6,"origin":"view","action":{"all":{}}}
    {"kind":"change","seq":6,"patch":[{"op":"replace","path":"","value":{"rows":[{"t":"c"},{"t":"b"}],"n":3,"m":{"5":"V"}}}]}
    {"kind":"end","seq":6,"reason":"closed"}
    """#

  @Test func theActionAndWhatLedToItAreNamed() async throws {
    #expect(
      try await terminal.run("blame", "rows.jsonl", "/rows/0/t")
        == .init(
          status: 0,
          output: """
            /rows/0/t is "c" after action 6

            last changed by
              action 3  {"edit":{}}
                sent by effect 2.0 of action 2  {"insert":{}}
                sent by the view

              /rows/2/t
                − "a"
                + "c"

            """
        )
    )
  }

  @Test(
    arguments: [
      ("/rows/1/t", nil, 2, "/rows/0/t"), ("/rows/1", nil, 2, "/rows/0"),
      ("/rows/1/t", 1, 1, "/rows/1/t"), ("/rows/2", 2, 1, "/rows/1"),
      ("/rows/2", 3, 3, "/rows/2"), ("/rows", 5, 5, "/rows"), ("/n", nil, 6, "/n"),
      ("/n", 5, 2, "/n"), ("/m/5", nil, 6, "/m/5"), ("", 5, 5, ""), ("", nil, 6, ""),
    ] as [(String, Int?, Int, String)]
  )
  func elementsAreFollowed(path: String, at: Int?, seq: Int, place: String) async throws {
    let position = at.map { ["--at", String($0)] } ?? []
    let result = try await terminal.run(
      ["blame", "--format", "json", "rows.jsonl", path] + position
    )
    let changed = try JSON(parsing: result.output)["changed"]
    #expect(changed?["seq"]?.int == seq, "\(result)")
    #expect(changed?["path"]?.string == place)
  }

  @Test func whatNoActionHasChanged() async throws {
    #expect(
      try await terminal.run("blame", "rows.jsonl", "/rows/1/t", "--at", "2")
        == .init(
          status: 0,
          output: """
            /rows/1/t is "x" after action 2
            as it was in the first checkpoint: no action has changed it

            """
        )
    )
  }

  @Test(
    arguments: [
      (
        ["blame", "rows.jsonl", "/none"], 1,
        "the state after action 6 has nothing at '/none'; the state has \"rows\", \"n\", \"m\"; 'show LOG --path"
          + " /none' shows whether it ever had"
      ),
      (
        ["blame", "rows.jsonl", "/n", "--at", "9"], 1,
        "there is no action 9: the log has actions up to 6"
      ),
      (
        ["blame", "rows.jsonl", "n"], 64,
        "'n' is no POINTER; expected a JSON Pointer such as /todos/0/title\nsee 'tca-replay blame --help'"
      ),
      (["blame", "rows.jsonl"], 64, "'blame' needs POINTER\nsee 'tca-replay blame --help'"),
    ] as [([String], Int32, String)]
  )
  func whatIsNotThere(arguments: [String], status: Int32, message: String) async throws {
    #expect(
      try await terminal.run(arguments)
        == .init(status: status, output: "", error: "tca-replay: \(message)\n")
    )
  }
}

@MainActor @Suite struct StatsCommandTests {
  @Test func whatALogConsistsOf() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    #expect(
      try await terminal.run("stats", "a.jsonl")
        == .init(
          status: 0,
          output: """
            a.jsonl: Counter, 16 actions in 90 µs, 45 lines, 4.2 kB
              events
                action      16  1.3 kB
                change      16  1.8 kB
                effect       8  531 bytes
                checkpoint   2  277 bytes
                end          1  41 bytes
                header       1  205 bytes
                read         1  50 bytes
              actions
                increment  5  2.0 µs each, longest 2 µs
                load       2
                add        1  2.0 µs each, longest 2 µs
                burst      1
                cancel     1
                chain      1
                done       1
                first      1
                loaded     1
                second     1
                third      1
              sent by
                effect     7
                view       7
                parent     1
                reentrant  1
              reads
                uuid  1
              effects
                send  4
                load  2
                run   2
              effects that
                finished   4
                cancelled  3
                started    1
              largest event: change on line 9, 209 bytes

            """
        )
    )
  }
}

@MainActor @Suite struct VerifyCommandTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  @Test func whatIsSound() async throws {
    try terminal.folder.write(SampleLog.text + "\n{\"kind\":", to: "a.jsonl")
    try terminal.folder.write(
      SampleLog.lines.prefix(5).joined(separator: "\n") + "\n{\"kind\":\"new\"}",
      to: "b.jsonl"
    )
    #expect(
      try await terminal.run("verify", "a.jsonl", "b.jsonl")
        == .init(
          status: 0,
          output: """
            a.jsonl:46: note: the last 8 bytes are no whole event: the writer was stopped
            a.jsonl: sound, 45 lines, 16 actions
            b.jsonl: note: 1 event of a kind that this version does not know was left out
            b.jsonl: sound, 6 lines, 2 actions, not closed

            """
        )
    )
  }

  struct Flaw: Sendable, CustomTestStringConvertible {
    let change: @Sendable (inout [String]) -> Void
    let problems: [String]
    var testDescription: String { problems.first ?? "" }
  }

  nonisolated static let flaws: [Flaw] = [
    Flaw(
      change: { $0.remove(at: 3) },
      problems: [
        "4: error: action 1 has no change; expected it before this event"
      ]
    ),
    Flaw(
      change: { $0.removeSubrange(4...6) },
      problems: [
        "5: error: action 3; expected action 2"
      ]
    ),
    Flaw(
      change: { $0.swapAt(4, 5) },
      problems: [
        "5: error: a read of action 2; expected an action before it"
      ]
    ),
    Flaw(
      change: { $0.insert($0[3], at: 4) },
      problems: [
        "5: error: a change of action 1; expected an action before it"
      ]
    ),
    Flaw(
      change: { $0[3] = $0[3].replacing("/count", with: "/none") },
      problems: [
        #"4: error: the patch does not fit the state: operation 0, {"op":"replace","path":"/none","value":1}, finds no value at '/none'"#
      ]
    ),
    Flaw(
      change: { $0[22] = $0[22].replacing("10", with: "11") },
      problems: [
        "24: error: the checkpoint has 10 at '/count'; expected 11, to which the patches lead"
      ]
    ),
    Flaw(
      change: { $0[9] = $0[9].replacing("3.0", with: "2.0") },
      problems: [
        "10: error: effect 2.0, which no action before has started"
      ]
    ),
    Flaw(
      change: { $0.insert($0[14], at: 15) },
      problems: [
        "16: error: effect 3.0, which has ended before"
      ]
    ),
    Flaw(
      change: { $0.append($0[2]) },
      problems: [
        "46: error: an event 'action' behind the end; expected a header or nothing",
        "46: error: action 1; expected action 17",
      ]
    ),
    Flaw(
      change: { $0[44] = $0[44].replacing("16", with: "15") },
      problems: [
        "45: error: the end after action 15; expected action 16"
      ]
    ),
    Flaw(
      change: { $0.remove(at: 1) },
      problems: [
        "2: error: an action before the first checkpoint; expected the state it starts from"
      ]
    ),
    Flaw(
      change: { $0[5] = "rubbish" },
      problems: [
        "6: error: line 6 is not JSON: found 'r' where a value was expected, at byte 0"
      ]
    ),
  ]

  @Test(arguments: flaws)
  func whatDoesNotGoTogether(flaw: Flaw) async throws {
    var lines = SampleLog.lines
    flaw.change(&lines)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let result = try await terminal.run("verify", "a.jsonl")
    let expected = flaw.problems.map { "a.jsonl:\($0)" }
    #expect(
      result.output.split(separator: "\n").prefix(expected.count).map(String.init) == expected
    )
    #expect(result.status == 1)
  }

  @Test(
    "a test has the name that was asked for, between backticks when Swift needs them",
    arguments: [
      ("basketIsEmpty", "basketIsEmpty"), ("_test1", "_test1"), ("class", "`class`"),
      ("Self", "`Self`"), ("1 x", "`1 x`"), ("the basket is empty", "`the basket is empty`"),
    ]
  )
  func namesOfTests(name: String, written: String) async throws {
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    let result = try await terminal.run("test", "a.jsonl", "--name", name)
    #expect(result.output.contains("\n@Test @MainActor func \(written)() async throws {\n"))
  }

  @Test func aRepairLeavesOutANoteThatCannotBeReadAndNothingElse() async throws {
    var bytes = Array(SampleLog.lines[..<10].joined(separator: "\n").utf8)
    bytes += Array("\n{\"kind\":\"note\",\"seq\":3,\"at\":1,\"text\":\"".utf8) + [0xFF, 0xFE]
    bytes += Array("\"}\n".utf8) + Array(SampleLog.lines[10...].joined(separator: "\n").utf8)
    let path = terminal.folder.path + "/a.jsonl"
    try Data(bytes + [0x0A]).write(to: URL(fileURLWithPath: path))
    let output = terminal.folder.path + "/out.jsonl"
    let result = try await terminal.run("verify", path, "--repair", output)
    #expect(result.status == 1)
    #expect(result.output.hasSuffix("a.jsonl: 1 problem\n"))
    #expect(result.error == "out.jsonl: 16 of 16 actions kept\n")
    let kept = try terminal.folder.read("out.jsonl").split(separator: "\n").map(String.init)
    #expect(Array(kept.dropFirst()) == Array(SampleLog.lines.dropFirst()))
    #expect(kept.first?.contains(#""writtenBy":"verify""#) == true)
  }

  @Test func aRepairKeepsWhatIsSound() async throws {
    var lines = SampleLog.lines
    lines[10] = "rubbish"
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let output = terminal.folder.path + "/out.jsonl"
    let result = try await terminal.run("verify", "a.jsonl", "--repair", output)
    #expect(result.status == 1)
    #expect(result.error == "out.jsonl: 11 of 16 actions kept\n")
    #expect(
      try await terminal.run("verify", "out.jsonl")
        == .init(
          status: 0,
          output: """
            out.jsonl#1: sound, 10 lines, 4 actions, not closed
            out.jsonl#2: sound, 23 lines, 7 actions

            """
        )
    )
    #expect(try await terminal.run("run", "out.jsonl").status == 0)
    #expect(
      try await terminal.run("verify", "a.jsonl", "a.jsonl", "--repair", "x")
        == .init(
          status: 64,
          output: "",
          error:
            "tca-replay: '--repair' goes with one log; found 2\nsee 'tca-replay verify --help'\n"
        )
    )
  }

  @Test(
    arguments: [("", 65), ("rubbish\n", 65), ("{\"kind\":\"end\",\"seq\":0}\n", 65)]
      as [(String, Int32)]
  )
  func whatIsNoLog(text: String, status: Int32) async throws {
    try terminal.folder.write(text, to: "a.jsonl")
    #expect(try await terminal.run("verify", "a.jsonl").status == status)
  }
}

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
    // A log that stands behind another one has no file of its own.
    try terminal.folder.write(SampleLog.text + "\n" + text, to: "two.jsonl")
    #expect(try await terminal.run("test", "two.jsonl").output.contains("ofLines:"))
    terminal.input = text
    let piped = try await terminal.run("test", "-")
    #expect(piped.error == "")
    #expect(piped.output.contains("ofLines:"))
  }
}

@MainActor @Suite struct CompletionsCommandTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func everyCommandAndOptionIsThere(shell: String) async throws {
    let terminal = try Terminal()
    let result = try await terminal.run("completions", shell)
    #expect(result.status == 0)
    for command in CommandLineTool.commands.map({ $0.syntax }) {
      #expect(result.output.contains(command.name))
      for option in command.options {
        let name = shell == "fish" ? "-l \(option.name.dropFirst(2))" : option.name
        #expect(result.output.contains(name), "\(command.name) \(option.name)")
      }
    }
  }

  @Test(
    arguments: [
      ("bash", #"completions) words="--help" values="bash zsh fish" ;;"#),
      ("zsh", "'1:value:(bash zsh fish)' ;;"),
      ("fish", "-n '__fish_seen_subcommand_from completions' -f -a 'bash zsh fish'"),
    ]
  )
  func anOperandOfFewValues(shell: String, line: String) async throws {
    #expect(try await Terminal().run("completions", shell).output.contains(line))
  }

  @Test func anotherShell() async throws {
    #expect(
      try await Terminal().run("completions", "tcsh")
        == .init(
          status: 64,
          output: "",
          error: "tca-replay: 'tcsh' is no SHELL; expected bash, zsh or fish\n"
            + "see 'tca-replay completions --help'\n"
        )
    )
  }
}
