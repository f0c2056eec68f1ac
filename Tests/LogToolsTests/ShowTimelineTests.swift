import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayCommands
@testable import ReplayEngine

/// One line for each action, and the filters.
@MainActor @Suite struct ShowTimelineTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
  }

  nonisolated static let title = "Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0"

  /// Returns only the lines of the actions.
  private func lines(_ arguments: String...) async throws -> [String] {
    let result = try await terminal.run(["show", "a.jsonl"] + arguments)
    #expect(result.status == 0 && result.error.isEmpty, "\(result)")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first == Self.title)
    return Array(lines.dropFirst())
  }

  @Test func `show prints one line for each action`() async throws {
    #expect(
      try await lines() == [
        "   1    +0.000 s  .increment  count: 0 → 1",
        #"   2    +0.000 s  .add  id: "" → "A-1""#,
        "   3    +0.000 s  .load  starts load 3.0",
        "   4    +0.000 s  .loaded(7)  from load 3.0  count: 1 → 7",
        "   5    +0.000 s  .load  starts load 5.0  load 3.0 canceled",
        "   6    +0.000 s  .burst  sends .first, sends .second",
        "   7    +0.000 s  .first  from effect 6.0  count: 7 → 8  sends .third",
        "   8    +0.000 s  .second  from effect 6.1  count: 8 → 9",
        "   9    +0.000 s  .third  from effect 7.0  count: 9 → 10",
        "  10    +0.000 s  .chain  starts effect 10.0, then sends .done, then starts effect 10.2",
        "  11    +0.000 s  .increment  from effect 10.0  count: 10 → 11  effect 10.0 finished, effect 10.2 started",
        "  12    +0.000 s  .done  from effect 10.1  count: 11 → 12",
        #"  13    +0.000 s  .cancel  cancels CancelID("load")  load 5.0 canceled"#,
        "  14    +0.000 s  .increment  from effect 10.2  count: 12 → 13",
        "  15    +0.000 s  .increment  sent while action 14 was handled  count: 13 → 14"
          + "  effect 10.2 canceled by the task of its action",
        "  16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15",
        "                  end, closed",
      ]
    )
  }

  @Test func `show --tree indents actions below the action that caused them`() async throws {
    let indents = try await lines("--tree").dropLast().map { line in
      line.dropFirst(18).prefix { $0 == " " }.count / 2
    }
    #expect(indents == [0, 0, 0, 1, 0, 0, 1, 1, 2, 0, 1, 1, 0, 1, 2, 0])
  }

  nonisolated static let filters: [(arguments: [String], seqs: [Int])] = [
    (["--action", ".loaded"], [4]),
    (["--action", ".loaded(8)"], []),
    (["--action", ".first", "--action", ".third"], [7, 9]),
    (["--origin", "view"], [1, 2, 3, 5, 6, 10, 13]),
    (["--origin", "effect"], [4, 7, 8, 9, 11, 12, 14]),
    (["--origin", "load"], [4]),
    (["--origin", "10"], [11, 12, 14]),
    (["--origin", "14"], [15]),
    (["--origin", "parent"], [16]),
    (["--effect", "load"], [3, 4, 5, 13]),
    (["--effect", "5.0"], [5, 13]),
    (["--effect", "Counter.swift:5"], [3, 4, 5, 13]),
    (["--effect", "CancelID"], [3, 4, 5, 13]),
    (["--changes", "id"], [2]),
    (["--changes", "/count", "--origin", "view"], [1]),
    (["--changes", "id", "--changes", "count", "--until", "4"], [1, 2, 4]),
    (["--when", "$.state.count > 12"], [14, 15, 16]),
    (["--when", "$.before.count < $.state.count", "--until", "5"], [1, 4]),
    (["--when", "$.effects[0]", "--action", ".load"], [3, 5]),
    (["--since", "13"], [13, 14, 15, 16]),
    (["--since", "0.08ms", "--until", "+0.000081 s"], [14, 15]),
    (["--last", "2"], [15, 16]),
    (["--last", "99"], Array(1...16)),
    (["--origin", "view", "--last", "1"], [13]),
    (["--range", "3..6", "--origin", "view"], [3, 5, 6]),
  ]

  @Test(arguments: filters, [[], ["-v"], ["--format", "json"]])
  func `show prints the actions that meet all filters`(
    filter: (arguments: [String], seqs: [Int]),
    form: [String]
  ) async throws {
    let result = try await terminal.run(["show", "a.jsonl"] + filter.arguments + form)
    #expect(result.status == (filter.seqs.isEmpty ? 1 : 0), "\(result)")
    if filter.seqs.isEmpty {
      #expect(
        result.error
          == "tca-replay: no action of the log meets the filters; leave one out to see more\n"
      )
    }
    let seqs: [Int]
    if form.contains("json") {
      let events = try JSON(parsing: result.output)["events"]?.array ?? []
      seqs = events.filter { $0["kind"] == "action" }.compactMap { $0["seq"]?.int }
    } else {
      seqs = result.output.split(separator: "\n").filter { $0.contains(" +0.000 s ") }
        .compactMap { Int($0.split(separator: " ")[0]) }
    }
    #expect(seqs == filter.seqs, "\(result.output)")
  }

  @Test func `show --changes suggests a path for a misspelled one`() async throws {
    let result = try await terminal.run("show", "a.jsonl", "--changes", "cuont")
    #expect(result.status == 1)
    #expect(
      result.error == """
        tca-replay: no action of the log meets the filters; leave one out to see more
        tca-replay: the last state has nothing at 'cuont'; did you mean 'count'?

        """
    )
  }

  nonisolated static let conflicts: [(arguments: [String], problem: String)] = [
    (
      ["--at", "1", "--action", ".a"], "'--at' and '--action' exclude each other; give one of them"
    ),
    (["--tree", "-v"], "'--tree' and '--verbose' exclude each other; give one of them"),
    (
      ["--format", "json", "--follow"],
      "'--follow' and '--format json' exclude each other; give one of them"
    ),
    (
      ["--since", "soon"],
      "invalid value 'soon' for '--since'; expected the number of an action, a time from the start"
        + " such as 1.2s, 5min or 1:12:03, or 'end'"
    ),
    (
      ["--action", ".a("],
      "invalid value '.a(' for '--action'; expected an action such as .saved(.failure); found the end,"
        + " expected a value, at column 4 of .a("
    ),
    (["--last", "0"], "invalid value '0' for '--last'; expected a whole number from 1"),
  ]

  @Test(arguments: conflicts)
  func `show refuses options that exclude each other or have invalid values`(
    arguments: [String],
    problem: String
  ) async throws {
    let result = try await terminal.run(["show", "a.jsonl"] + arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.error == "tca-replay: \(problem)\nsee 'tca-replay show --help'\n")
  }

  @Test func `show colors old and new values`() async throws {
    terminal.hasColor = true
    let output = try await terminal.run("show", "a.jsonl", "--action", ".loaded").output
    #expect(
      output.split(separator: "\n").last.map(String.init)
        == "   4  \u{1B}[2m  +0.000 s\u{1B}[0m  \u{1B}[1m.loaded(7)\u{1B}[0m  \u{1B}[2mfrom load 3.0\u{1B}[0m"
        + "  count: \u{1B}[31m1\u{1B}[0m → \u{1B}[32m7\u{1B}[0m"
    )
  }

  @Test func `show leaves out the library's own effects, and shortens long changes without --full`()
    async throws
  {
    let log = """
      {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Counter","recorder":"0.1.0","startedAt":"2026-01-01T00:00:00Z"}
      {"kind":"checkpoint","seq":0,"state":{"n":0,"rows":[1,2,3,4,5]},"effects":[]}
      {"kind":"action","seq":1,"at":61500000,"origin":"view","action":{"go":{}}}
      {"kind":"change","seq":1,"patch":[{"op":"remove","path":"/rows/0"},{"op":"remove","path":"/rows/0"},{"op":"add","path":"/rows/0","value":9},{"op":"replace","path":"/n","value":1}],"effects":[{"op":"merge","effects":[{"id":"1.0","op":"run","internal":true,"cancelID":{"type":"ChildEffects","value":{}}},{"op":"cancel","cancelID":{"type":"ChildEffects","value":{}}},{"id":"1.1","op":"run","source":"App/Rows.swift:12"}]}]}
      {"kind":"effect","id":"1.0","event":"finished","sent":0,"at":61500001}
      {"kind":"effect","id":"1.1","event":"failed","error":{"$error":{"type":"Offline","description":"Offline()"}},"at":61600000}
      {"kind":"excluded","seq":2,"at":3723004000,"origin":{"effect":"1.1"},"patch":[{"op":"replace","path":"/n","value":2}]}
      {"kind":"external","seq":2,"at":3723005000,"patch":[{"op":"replace","path":"/n","value":3}]}
      {"kind":"gap","seq":2,"at":3723006000,"dropped":4,"reason":"full"}

      """
    try terminal.folder.write(log, to: "a.jsonl")
    #expect(
      try await lines() == [
        "   1   +1:01.500  .go  rows[0]: − 1, rows[0]: − 1, rows[0]: + 9 and 1 more  starts Rows.swift:12 1.1"
          + "  Rows.swift:12 1.1 failed: Offline()",
        "   2  +1:02:03.004  an action that the recording left out  from effect 1.1  n: 1 → 2",
        "   2  +1:02:03.005  changed from outside  n: 2 → 3",
        "                  gap, 4 events are missing: full",
      ]
    )
    #expect(
      try await lines("--full")[0].contains("rows[0]: + 9, n: 0 → 1  starts"),
      "all changes"
    )
  }

  @Test func `show and blame treat a path with a wildcard as several paths`() async throws {
    let lines = [
      SampleLog.lines[0],
      #"{"kind":"checkpoint","seq":0,"state":{"rows":[{"id":1,"t":"a"},{"id":2,"t":"b"}]},"effects":[]}"#,
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"insert":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/0","value":{"id":0,"t":"z"}}]}"#,
      #"{"kind":"action","seq":2,"at":2,"origin":"view","action":{"rename":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/rows/2/t","value":"c"}]}"#,
    ]
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "rows.jsonl")
    for place in ["rows[*].t", "/rows/*/t"] {
      #expect(
        try await terminal.run("show", "rows.jsonl", "--path", place).output == """
          0  checkpoint
              rows[0].t
                + "a"
              rows[1].t
                + "b"
          1  +0.000 s  .insert  sent by the view
              rows[0].t
                + "z"
          2  +0.000 s  .rename  sent by the view
              rows[2].t
                − "b"
                + "c"

          """
      )
      #expect(
        try await terminal.run("show", "rows.jsonl", "--at", "2", "--path", place).output
          == "rows[0].t  \"z\"\nrows[1].t  \"a\"\nrows[2].t  \"c\"\n"
      )
      #expect(
        try await terminal.run("blame", "rows.jsonl", place).output == """
          rows[0].t  "z"  1  .insert
          rows[1].t  "a"  as it was in the first checkpoint: no action has changed it
          rows[2].t  "c"  2  .rename

          """
      )
    }
    let json = try await terminal.run("blame", "rows.jsonl", "rows[*].t", "--format", "json").output
    let places = try #require(try JSON(parsing: json)["places"]?.array)
    #expect(places.map { $0["changed"]?["seq"]?.int } == [1, nil, 2])
    #expect(
      try await terminal.run("show", "rows.jsonl", "--changes", "rows[*].t").output
        .contains("   1    +0.000 s  .insert")
    )
  }

  @Test(
    arguments: [
      ("250ms", "+0.250 s"), ("1.2s", "+1.200 s"), ("+1.203 s", "+1.203 s"), ("5min", "+5:00.000"),
      ("2h", "+2:00:00.000"), ("12:03", "+12:03.000"), ("1:12:03.5", "+1:12:03.500"),
      ("70us", "+0.000 s"), ("0s", "+0.000 s"),
    ]
  )
  func `RelativeTime parses the times that it prints`(text: String, expected: String) throws {
    let time = try #require(RelativeTime(text))
    #expect(time.description == expected)
    #expect(RelativeTime(time.description)?.description == expected)
  }

  @Test(
    "RelativeTime prints negative and very large times of a damaged log",
    arguments: [
      (-22_344, "-0.022 s"), (-61_500_000, "-1:01.500"), (Int.max, "+2562047788:00:54.775"),
      (Int.min, "-2562047788:00:54.775"),
    ]
  )
  func timesThatNoClockShows(microseconds: Int, expected: String) {
    #expect(RelativeTime(microseconds: microseconds).description == expected)
  }

  @Test func `commands accept a log whose times are the smallest and largest integers`()
    async throws
  {
    var isFirst = false
    let lines = SampleLog.lines.map { line in
      isFirst.toggle()
      let time = isFirst ? Int.min : Int.max
      return line.replacing(/"(at|us)":\d+/) { "\"\($0.output.1)\":\(time)" }
    }
    let text = lines.dropLast(20).joined(separator: "\n") + "\n"
    try terminal.folder.write(text, to: "odd.jsonl")
    terminal.input = "reverse-step\ncontinue\ninfo log\ngoto +1s\nlist\n"
    for command in [
      ["show", "odd.jsonl"], ["stats", "odd.jsonl"], ["verify", "odd.jsonl"],
      ["trace", "odd.jsonl", "-o", "-"], ["blame", "odd.jsonl", "count"], ["debug", "odd.jsonl"],
      ["run", "odd.jsonl"], ["view", "odd.jsonl", "-o", "-"],
    ] {
      let result = try await terminal.run(command)
      #expect(result.status == 0, "\(command): \(result.error)")
    }
  }

  @Test(arguments: ["", "5", "x", "-1s", "1:60:00", "1:2:3:4", "1e99s", "nan s", ":", "infs"])
  func `RelativeTime refuses texts that are not times`(text: String) {
    #expect(RelativeTime(text) == nil)
  }
}
