import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@MainActor @Suite struct ShowCommandTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
  }

  @Test func `show --range takes one number as a range of one action`() async throws {
    #expect(
      try await terminal.run("show", "a.jsonl", "--range", "2")
        == terminal.run("show", "a.jsonl", "--range", "2..2")
    )
    #expect(
      try await terminal.run("show", "a.jsonl", "--range", "2").output.contains(
        "\n2  +0.000 s  .add"
      )
    )
  }

  @Test("show --range reports a range after the last action", arguments: ["100", "17..", "17..20"])
  func rangeBehindTheEnd(range: String) async throws {
    let result = try await terminal.run("show", "a.jsonl", "--range", range)
    let first = range.prefix { $0 != "." }
    #expect(result.status == 1)
    #expect(
      result.error == "tca-replay: there is no action \(first): the log has actions up to 16\n"
    )
  }

  @Test func `show --path reports a path that is in no state`() async throws {
    let result = try await terminal.run("show", "a.jsonl", "--path", "nope")
    #expect(result.status == 1)
    let message = #"no state of the log has anything at 'nope'; the state has "count", "id""#
    #expect(result.error == "tca-replay: \(message)\n")
  }

  @Test(
    "show, stats and run refuse a file without events as empty",
    arguments: ["", "\n", "\n  \n\n"]
  )
  func blankLog(text: String) async throws {
    try terminal.folder.write(text, to: "blank.jsonl")
    for arguments in [
      ["show"], ["show", "--range", "1"], ["show", "--at", "1"], ["stats"], ["run"],
    ] {
      let result = try await terminal.run(arguments + ["blank.jsonl"])
      #expect(result.status == 65, "\(arguments)")
      #expect((result.error + result.output).contains("empty"), "\(arguments) \(result)")
    }
  }

  @Test func `show --range -v prints the events of a range of actions`() async throws {
    #expect(
      try await terminal.run("show", "a.jsonl", "--range", "2..5", "-v")
        == .init(
          status: 0,
          output: """
            Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
            2  +0.000 s  .add  sent by the view
                read uuid  "A-1"
                id
                  − ""
                  + "A-1"
            3  +0.000 s  .load  sent by the view
                effect 3.0 run 'load' id CancelID("load") canceling what is in flight  input 1
            4  +0.000 s  .loaded(7)  sent by load 3.0
                count
                  − 1
                  + 7
            5  +0.000 s  .load  sent by the view
                effect 5.0 run 'load' id CancelID("load") canceling what is in flight  input 1
                load 3.0 canceled by action 5
                load 3.0 ended after 1 action

            """
        )
    )
  }

  @Test func `show -v prints a log from its header to its end`() async throws {
    let lines = try await terminal.run("show", "a.jsonl", "-v").output.split(separator: "\n")
    #expect(lines.first == "Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0")
    #expect(lines.dropFirst().first == #"0  checkpoint  (count: 0, id: "")"#)
    #expect(lines.last == "16  end, closed")
  }

  @Test func `show --at prints the state after an action, or its value at a path`() async throws {
    #expect(
      try await terminal.run("show", "a.jsonl", "--at", "4")
        == .init(
          status: 0,
          output: """
            (count: 7, id: "A-1")

            """
        )
    )
    #expect(
      try await terminal.run("show", "a.jsonl", "--at", "0", "--path", "/count").output == "0\n"
    )
    #expect(
      try await terminal.run("show", "a.jsonl", "--at", "16", "--format", "json").output
        == #"{"seq":16,"state":{"count":15,"id":"A-1"}}"# + "\n"
    )
    #expect(
      try await terminal.run("show", "a.jsonl", "--at", "17")
        == .init(
          status: 1,
          output: "",
          error: "tca-replay: there is no action 17: the log has actions up to 16\n"
        )
    )
    #expect(
      try await terminal.run("show", "a.jsonl", "--at", "1", "--path", "/x")
        == .init(
          status: 1,
          output: "",
          error: """
            tca-replay: the state after action 1 has nothing at '/x'; the state has "count", "id"; 'show LOG --path /x' shows whether it ever had

            """
        )
    )
  }

  @Test("show and blame print a change of the entire state")
  func theWholeState() async throws {
    let log = """
      {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"1","feature":"Counter"}
      {"kind":"checkpoint","seq":0,"state":{"a":1},"effects":[]}
      {"kind":"action","seq":1,"at":1,"origin":"view","action":{"go":{}}}
      {"kind":"change","seq":1,"patch":[{"op":"replace","path":"","value":{"b":2}}],"effects":[]}

      """
    // In the form of recorders and, with a space, of other writers.
    for log in [log, log.replacing(#""op":"#, with: #""op": "#)] {
      try terminal.folder.write(log, to: "whole.jsonl")
      #expect(
        try await terminal.run("show", "whole.jsonl", "--range", "1..1").output == """
          Counter  log 1
          1  +0.000 s  .go  sent by the view
              the whole state
                − (a: 1)
                + (b: 2)

          """
      )
    }
    #expect(
      try await terminal.run("blame", "whole.jsonl", "").output == """
        the state is (b: 2) after action 1

        last changed by
          action 1  .go
            sent by the view

          the whole state
            − (a: 1)
            + (b: 2)

        """
    )
  }

  @Test func `show --path prints the changes of a value`() async throws {
    #expect(
      try await terminal.run("show", "a.jsonl", "--path", "/id").output
        == """
        0  checkpoint
            + ""
        2  +0.000 s  .add  sent by the view
            − ""
            + "A-1"

        """
    )
    #expect(
      try await terminal.run("show", "a.jsonl", "--path", "/id", "--format", "json").output
        == #"{"changes":[{"seq":0,"after":""},{"seq":2,"action":{"add":{}},"before":"","after":"A-1"}]}"#
        + "\n"
    )
  }

  @Test func `show --path follows an element that moves`() async throws {
    let lines = [
      SampleLog.lines[0], #"{"kind":"checkpoint","seq":0,"state":{"rows":[1,2]},"effects":[]}"#,
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"insert":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/0","value":0}]}"#,
      #"{"kind":"action","seq":2,"at":2,"origin":"view","action":{"remove":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[{"op":"remove","path":"/rows/0"}]}"#,
    ]
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "rows.jsonl")
    #expect(
      try await terminal.run("show", "rows.jsonl", "--path", "/rows/1").output
        == """
        0  checkpoint
            + 2
        1  +0.000 s  .insert  sent by the view
            − 2
            + 1
        2  +0.000 s  .remove  sent by the view
            − 1
            + 2

        """
    )
  }

  @Test func `show --format json prints all events`() async throws {
    let result = try await terminal.run("show", "a.jsonl", "--format", "json")
    #expect(try JSON(parsing: result.output)["events"]?.array?.count == SampleLog.lines.count)
  }

  @Test func `show --at refuses a log with a patch that does not fit`() async throws {
    let broken = SampleLog.text.replacing(
      #""replace","path":"/id""#,
      with: #""replace","path":"/no""#
    )
    try terminal.folder.write(broken, to: "b.jsonl")
    let result = try await terminal.run("show", "b.jsonl", "--at", "16")
    #expect(result.status == 65)
    #expect(
      result.error
        == "tca-replay: b.jsonl: the patch of action 2 does not fit the state before it: operation 0, "
        + #"{"op":"replace","path":"/no","value":"A-1"}, finds no value at '/no'"# + "\n"
    )
  }
}
