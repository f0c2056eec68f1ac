import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// The output of `diff` for two logs.
@MainActor @Suite struct DiffTests {
  private let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    for (name, lines) in Self.logs {
      try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "\(name).jsonl")
    }
  }

  nonisolated private static let header = SampleLog.lines[0]
  nonisolated private static let (milk, bread) = (
    "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
  )

  /// Two actions.
  ///
  /// The first one starts an effect that sends the third action and ends.
  nonisolated private static let first = [
    header,
    #"{"kind":"checkpoint","seq":0,"state":{"title":"","rows":[]},"effects":[]}"#,
    #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"add":{}}}"#,
    #"{"kind":"read","seq":1,"key":"uuid","value":"\#(milk)"}"#,
    #"{"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/0","value":{"id":"\#(milk)"}}],"effects":[{"id":"1.0","op":"run","name":"save"}]}"#,
    #"{"kind":"action","seq":2,"at":2,"origin":{"effect":"1.0"},"action":{"saved":{}}}"#,
    #"{"kind":"change","seq":2,"patch":[]}"#,
    #"{"kind":"effect","id":"1.0","event":"finished","sent":1,"at":3}"#,
    #"{"kind":"action","seq":3,"at":4,"origin":"view","action":{"rename":{"id":"\#(milk)","title":"Milk"}}}"#,
    #"{"kind":"change","seq":3,"patch":[{"op":"replace","path":"/title","value":"Milk"}]}"#,
    #"{"kind":"action","seq":4,"at":5,"origin":"view","action":{"done":{}}}"#,
    #"{"kind":"change","seq":4,"patch":[]}"#,
    #"{"kind":"end","seq":4,"reason":"closed"}"#,
  ]

  /// Returns the lines with shifted numbers, as if actions had been added or removed before them.
  nonisolated private static func renumbered(_ lines: [String], by shift: Int) -> [String] {
    lines.map { line in
      line.replacing(/"seq":([0-9]+)/) { "\"seq\":\((Int($0.1) ?? 0) + shift)" }
    }
  }

  nonisolated private static let logs: [(String, [String])] = {
    let other = first.map { $0.replacing(milk, with: bread) }
    // The effect ends later, and a later title differs.
    var later = first
    later.swapAt(7, 9)
    later.swapAt(7, 8)
    later[8] = later[8].replacing(#""value":"Milk""#, with: #""value":"Bread""#)
    // Without the third action.
    let shorter = Array(other[..<8]) + renumbered(Array(other[10...]), by: -1)
    // The third action comes last.
    let moved =
      Array(other[..<8]) + renumbered(Array(other[10..<12]), by: -1)
      + renumbered(Array(other[8..<10]), by: 1) + other[12...]
    // A row has the id of another row.
    var wrong = other
    wrong[8] = wrong[8].replacing(bread, with: milk)
    return [
      ("a", first), ("other", other), ("later", later), ("shorter", shorter), ("moved", moved),
      ("wrong", wrong), ("cut", Array(first.dropLast(2))),
    ]
  }()

  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let status: Int32
    let output: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  nonisolated static let cases = [
    Case(arguments: ["a", "a"], status: 0, output: "no difference, through action 4\n"),
    Case(
      arguments: ["a", "other"],
      status: 0,
      output: "no difference, through action 4; 1 id mapped\n"
    ),
    Case(
      arguments: ["a", "later"],
      status: 1,
      output: """
        − a.jsonl, + later.jsonl
        actions 1 to 4 match; 1 event of an effect has moved
        4 actions each

        after action 2
          − effect 1.0 finished after 1 action  after action 3 in later.jsonl

        action 3
          state
            title
              − "Milk"
              + "Bread"

        after action 3
          + effect 1.0 finished after 1 action  after action 2 in a.jsonl

        """
    ),
    Case(
      arguments: ["a", "later", "--ignore", "title"],
      status: 1,
      output: """
        − a.jsonl, + later.jsonl
        actions 1 to 4 match; 1 event of an effect has moved
        4 actions each

        after action 2
          − effect 1.0 finished after 1 action  after action 3 in later.jsonl

        after action 3
          + effect 1.0 finished after 1 action  after action 2 in a.jsonl

        """
    ),
    Case(
      arguments: ["a", "later", "--exact"],
      status: 1,
      output: """
        − a.jsonl, + later.jsonl

        action 3
          log sequence
            expected 'finished, 1 sent' of effect 1.0, found action 3

        not compared: the next 2 actions of a.jsonl and the next 1 action of later.jsonl, because the events before them do not correspond; without --exact they are aligned

        """
    ),
    Case(
      arguments: ["a", "shorter"],
      status: 1,
      output: """
        − a.jsonl, + shorter.jsonl
        actions 1 to 2 match; action 3 is only in a.jsonl; 4 matches 3; 1 id mapped
        a.jsonl has 4 actions, shorter.jsonl 3

        action 3 is only in a.jsonl
          − 3  .rename(id: …1111, title: "Milk")
          state
            title
              − "Milk"
              + ""

        """
    ),
    Case(
      arguments: ["shorter", "a"],
      status: 1,
      output: """
        − shorter.jsonl, + a.jsonl
        actions 1 to 2 match; action 3 is only in a.jsonl; 3 matches 4; 1 id mapped
        shorter.jsonl has 3 actions, a.jsonl 4

        action 3 is only in a.jsonl
          + 3  .rename(id: …1111, title: "Milk")
          state
            title
              − ""
              + "Milk"

        """
    ),
    Case(
      arguments: ["a", "moved"],
      status: 1,
      output: """
        − a.jsonl, + moved.jsonl
        actions 1 to 2 match; action 3 is action 4 of moved.jsonl; 4 matches 3; 1 id mapped
        4 actions each

        action 3 of a.jsonl
          − 3  .rename(id: …1111, title: "Milk")  is action 4 of moved.jsonl
          state
            title
              − "Milk"
              + ""

        action 4 of moved.jsonl
          + 4  .rename(id: …2222, title: "Milk")  is action 3 of a.jsonl

        """
    ),
    Case(
      arguments: ["a", "wrong"],
      status: 1,
      output: """
        − a.jsonl, + wrong.jsonl
        actions 1 to 4 match; 1 id mapped
        4 actions each

        action 3
          action
            rename.id
              the same text for another value: the second log has other ids and dates
              − …1111
              + …1111

        """
    ),
    Case(
      arguments: ["a", "cut"],
      status: 1,
      output: """
        − a.jsonl, + cut.jsonl
        actions 1 to 4 match
        4 actions each

        action 4
          log sequence
            expected change 4, found the end of the file

        at the end
          log sequence
            expected the end (closed), found the end of the file

        """
    ),
    Case(
      arguments: ["a", "shorter", "--format", "json"],
      status: 1,
      output:
        #"{"same":false,"differences":[{"seq":3,"cause":"action","subject":"","expected":{"rename":{"id":"\#(milk)","title":"Milk"}}},"#
        + #"{"seq":3,"cause":"state","subject":"/title","expected":"Milk","actual":""}],"alignment":{"first":{"actions":4,"last":4},"#
        + #""second":{"actions":3,"last":3},"matches":[{"first":[1,2],"second":[1,2]},{"first":[4,4],"second":[3,3]}],"#
        + #""onlyInFirst":[{"seq":3,"kind":"action","action":{"rename":{"id":"\#(milk)","title":"Milk"}}}],"onlyInSecond":[],"moved":[]},"#
        + #""mapped":{"ids":1,"dates":0,"values":[{"first":"\#(milk)","second":"\#(bread)"}]}}"#
        + "\n"
    ),
    Case(
      arguments: ["a", "moved", "--format", "json", "--ignore", "title"],
      status: 1,
      output:
        #"{"same":false,"differences":[{"seq":3,"cause":"action","subject":"","expected":{"rename":{"id":"\#(milk)","title":"Milk"}},"#
        + #""message":"the other log has it as action 4"},{"seq":4,"cause":"action","subject":"","actual":{"rename":{"id":"\#(bread)","title":"Milk"}},"#
        + #""message":"the other log has it as action 3"}],"alignment":{"first":{"actions":4,"last":4},"#
        + #""second":{"actions":4,"last":4},"matches":[{"first":[1,2],"second":[1,2]},{"first":[4,4],"second":[3,3]}],"#
        + #""onlyInFirst":[],"onlyInSecond":[],"moved":[{"kind":"action","action":{"rename":{"id":"\#(milk)","title":"Milk"}},"first":3,"second":4}]},"#
        + #""mapped":{"ids":1,"dates":0,"values":[{"first":"\#(milk)","second":"\#(bread)"}]}}"#
        + "\n"
    ),
    Case(
      arguments: ["a", "later", "--exact", "--format", "json"],
      status: 1,
      output:
        #"{"same":false,"differences":[{"seq":3,"cause":"sequence","subject":"'finished, 1 sent' of effect 1.0","#
        + #""expected":"'finished, 1 sent' of effect 1.0","actual":"action 3"}],"rest":{"first":2,"second":1}}"#
        + "\n"
    ),
  ]

  @Test(arguments: cases)
  func `diff lists differences and moved events, and maps ids that differ between two recordings`(
    test: Case
  ) async throws {
    let arguments = test.arguments.enumerated().map {
      $0.offset < 2 ? "\($0.element).jsonl" : $0.element
    }
    #expect(
      try await terminal.run(["diff"] + arguments)
        == .init(status: test.status, output: test.output)
    )
  }

  @Test func `diff compares each log of a file with the log at the same position`() async throws {
    let (first, other) = (Self.logs[0].1, Self.logs[3].1)
    try terminal.folder.write((first + first).joined(separator: "\n") + "\n", to: "two.jsonl")
    try terminal.folder.write((first + other).joined(separator: "\n") + "\n", to: "more.jsonl")
    let result = try await terminal.run("diff", "two.jsonl", "more.jsonl")
    #expect(result.status == 1)
    #expect(
      result.output.hasPrefix(
        """
        no difference, through action 4
        − two.jsonl#2, + more.jsonl#2
        actions 1 to 2 match; action 3 is only in two.jsonl#2; 4 matches 3; 1 id mapped
        """
      ),
      "\(result.output)"
    )
    let single = try await terminal.run("diff", "two.jsonl", "a.jsonl")
    #expect(
      single
        == .init(
          status: 1,
          output: """
            no difference, through action 4
            two.jsonl has 2 logs, a.jsonl 1; the others were not compared

            """
        )
    )
  }

  @Test(arguments: [[], ["--exact"]])
  func `diff warns of an ignored path that is in neither log`(options: [String]) async throws {
    #expect(
      try await terminal.run(["diff", "a.jsonl", "a.jsonl", "--ignore", "titel"] + options)
        == .init(
          status: 0,
          output: "no difference, through action 4\n",
          error: """
            tca-replay: --ignore titel: no state of the 2 logs has anything there; did you mean 'title'?

            """
        )
    )
  }

  @Test
  func `view --ignore leaves a part of the state out of the comparison, and needs a second log`()
    async throws
  {
    let page = try await terminal.run(
      "view",
      "a.jsonl",
      "later.jsonl",
      "--ignore",
      "title",
      "-o",
      "-"
    )
    #expect(page.output.contains(#""differences":[]"#))
    #expect(
      try await terminal.run("view", "a.jsonl", "--ignore", "title", "-o", "-")
        == .init(
          status: 64,
          output: "",
          error: """
            tca-replay: 'view' needs a second log, or --replay, with --ignore
            see 'tca-replay view --help'

            """
        )
    )
  }

  @Test func `diff reads a log from standard input`() async throws {
    terminal.input = try terminal.folder.read("other.jsonl")
    #expect(
      try await terminal.run("diff", "a.jsonl", "-")
        == .init(status: 0, output: "no difference, through action 4; 1 id mapped\n")
    )
  }
}
