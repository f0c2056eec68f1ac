import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugger

/// Scripts of commands, compared with their complete output.
@MainActor @Suite struct DebugCommandTests {
  nonisolated static let samples = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("SampleLogs").path

  struct Script: CustomTestStringConvertible, Sendable {
    var name: String
    var words: [String]
    var output: String
    var error = ""
    var status: Int32 = 0

    var testDescription: String { name }
  }

  /// Runs commands on the sample log of the counter.
  private func run(_ words: [String], _ options: String...) async throws -> Terminal.Result {
    let terminal = try Terminal()
    try terminal.folder.write(SampleLog.text + "\n", to: "a.jsonl")
    return try await terminal.run(
      ["debug", "a.jsonl", "--batch"] + options + words.flatMap { ["--ex", $0] }
    )
  }

  @Test(arguments: walks + breakpoints + doubts + queries + computed + errors)
  func `commands for stepping, breakpoints and queries print the expected output`(
    script: Script
  ) async throws {
    let result = try await run(script.words)
    #expect(result.output == script.output, "\(result.output)")
    #expect(result.error == script.error)
    #expect(result.status == script.status)
  }

  nonisolated static let walks = [
    Script(
      name: "step, next and their ways back",
      words: ["step 3", "n", "s", "rs", "rn", "rs 9", "n 2"],
      output: """
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
           5    +0.000 s  .load  starts load 5.0  load 3.0 canceled
              alive: load 5.0
           6    +0.000 s  .burst  sends .first, sends .second
              alive: load 5.0
           5    +0.000 s  .load  starts load 5.0  load 3.0 canceled
              alive: load 5.0
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
        the start of the log
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
           2    +0.000 s  .add  id: "" → "A-1"

        """
    ),
    Script(
      name: "finish and back to the sender",
      words: ["goto 6", "finish", "finish", "rfin", "reverse-finish", "rfin"],
      output: """
           6    +0.000 s  .burst  sends .first, sends .second
              alive: load 5.0
        the effects of action 6 have ended
           9    +0.000 s  .third  from effect 7.0  count: 9 → 10
              alive: load 5.0
        the effects of action 9 have ended
           9    +0.000 s  .third  from effect 7.0  count: 9 → 10
              alive: load 5.0
           7    +0.000 s  .first  from effect 6.0  count: 7 → 8  sends .third
              alive: load 5.0
           6    +0.000 s  .burst  sends .first, sends .second
              alive: load 5.0

        """,
      error: "tca-replay: action 6 was sent by the view\n",
      status: 1
    ),
    Script(
      name: "goto",
      words: ["goto end", "c", "goto start", "rc", "g 71us", "g 0.00s", "g 13", "goto 17"],
      output: """
        the end of the log
          16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                          end, closed
        the end of the log
          16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                          end, closed
        the start of the log
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
        the start of the log
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
          11    +0.000 s  .increment  from effect 10.0  count: 10 → 11  effect 10.0 finished, effect 10.2 started
              alive: load 5.0, effect 10.2
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
          13    +0.000 s  .cancel  cancels CancelID("load")  load 5.0 canceled
              alive: effect 10.2

        """,
      error: "tca-replay: there is no action 17: the log has actions up to 16\n",
      status: 1
    ),
  ]

  nonisolated static let breakpoints = [
    Script(
      name: "on actions, with counts",
      words: [
        "b .increment", "c", "c 2", "info b", "ignore 1 1", "c", "rc", "disable 1", "c", "enable",
        "tb 14", "rc", "i b", "delete 1", "i b",
      ],
      output: """
        1  break .increment
        breakpoint 1, .increment
           1    +0.000 s  .increment  count: 0 → 1
        breakpoint 1, .increment
          14    +0.000 s  .increment  from effect 10.2  count: 12 → 13
              alive: effect 10.2
        1  break .increment  met 3 times
        1  break .increment  met 3 times, passed once more
        breakpoint 1, .increment
          16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                          end, closed
        breakpoint 1, .increment
          15    +0.000 s  .increment  sent while action 14 was handled  count: 13 → 14  effect 10.2 canceled by the task of its action
        1  break .increment  met 6 times, disabled
        the end of the log
          16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                          end, closed
        1  break .increment  met 6 times
        2  tbreak 14
        breakpoint 1, .increment
          15    +0.000 s  .increment  sent while action 14 was handled  count: 13 → 14  effect 10.2 canceled by the task of its action
        1  break .increment  met 7 times
        2  tbreak 14
        2  tbreak 14

        """
    ),
    Script(
      name: "on effects, reads, conditions and changes",
      words: [
        "b --effect load", "b --read uuid", "b --when '$.state.count >= 14'",
        "watch id", "b .increment if $.before.count == 10", "c", "c", "c", "c", "c", "c", "c",
        "cond 5 $.seq == 1", "cond 1", "rc 5",
      ],
      output: """
        1  break --effect load
        2  break --read uuid
        3  break --when '$.state.count >= 14'
        4  watch id
        5  break .increment  if $.before.count == 10
        breakpoint 2, --read uuid
        watch 4, id  "" → "A-1"
           2    +0.000 s  .add  id: "" → "A-1"
        breakpoint 1, --effect load
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
        breakpoint 1, --effect load
           4    +0.000 s  .loaded(7)  from load 3.0  count: 1 → 7
              alive: load 3.0
        breakpoint 1, --effect load
           5    +0.000 s  .load  starts load 5.0  load 3.0 canceled
              alive: load 5.0
        breakpoint 5, .increment
          11    +0.000 s  .increment  from effect 10.0  count: 10 → 11  effect 10.0 finished, effect 10.2 started
              alive: load 5.0, effect 10.2
        breakpoint 1, --effect load
          13    +0.000 s  .cancel  cancels CancelID("load")  load 5.0 canceled
              alive: effect 10.2
        breakpoint 3, --when '$.state.count >= 14'
          15    +0.000 s  .increment  sent while action 14 was handled  count: 13 → 14  effect 10.2 canceled by the task of its action
        5  break .increment  if $.seq == 1  met once
        1  break --effect load  met 4 times
        breakpoint 2, --read uuid
        watch 4, id  "" → "A-1"
           2    +0.000 s  .add  id: "" → "A-1"

        """
    ),
  ]

  nonisolated static let doubts = [
    Script(
      name: "breakpoints that nothing meets",
      words: ["b .incremnt", "b --effect laod", "b --when $.stat.count", "watch cuont", "c"],
      output: """
        1  break .incremnt
        2  break --effect laod
        3  break --when $.stat.count
        4  watch cuont
        the end of the log
          16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                          end, closed

        """,
      error: """
        tca-replay: the log has no action .incremnt; did you mean '.increment'?
        tca-replay: the log has no effect 'laod'; did you mean 'load'?
        tca-replay: the expression looks at '$.stat', which no action has; expected one of $.seq, $.action, $.origin, $.before, $.state, $.effects, $.reads; did you mean '$.state'?
        tca-replay: there is nothing at 'cuont' here, nor at the end of the log; did you mean 'count'?

        """
    ),
    Script(
      name: "breakpoints at what the log does not have",
      words: [
        "b 99", "b --effect nope", "b --read nope", "b --when $.state.nope == 1",
        "b .add if $.state.cuont", "condition 1 $.state.nope", "b 16", "b --read uuid",
      ],
      output: """
        1  break 99
        2  break --effect nope
        3  break --read nope
        4  break --when $.state.nope == 1
        5  break .add  if $.state.cuont
        1  break 99  if $.state.nope
        6  break 16
        7  break --read uuid

        """,
      error: """
        tca-replay: the log has no action 99; its last one is 16
        tca-replay: the log has no effect 'nope'; it has load
        tca-replay: no action of the log reads 'nope'; they read uuid
        tca-replay: --when: no state of the log has anything at '$.state.nope'; '$.state' has "count", "id"
        tca-replay: if: no state of the log has anything at '$.state.cuont'; did you mean '$.state.count'?
        tca-replay: condition: no state of the log has anything at '$.state.nope'; '$.state' has "count", "id"

        """
    ),
  ]

  nonisolated static let queries = [
    Script(
      name: "values",
      words: [
        "s 4", "p", "p count", "p before.count", "p action", "p $.origin", "p $.state.count == 7",
        "display count", "display nothing", "s", "undisplay 2", "display", "undisplay", "display",
      ],
      output: """
           4    +0.000 s  .loaded(7)  from load 3.0  count: 1 → 7
              alive: load 3.0
        (count: 7, id: "A-1")
        7
        1
        .loaded(7)
        (effect: "3.0")
        true
        1: count = 7
        2: nothing has no value here
           5    +0.000 s  .load  starts load 5.0  load 3.0 canceled
              alive: load 5.0
        1: count = 7
        2: nothing has no value here
        1: count = 7
        nothing is displayed; 'display' adds a value

        """
    ),
    Script(
      name: "what belongs to a step",
      words: [
        "s 2", "f", "i reads", "i change", "i effects", "s", "i effects", "i alive", "where",
        "g 9", "bt", "g 0", "bt", "i r",
      ],
      output: """
           2    +0.000 s  .add  id: "" → "A-1"
        2  +0.000 s  .add  sent by the view
            read uuid  "A-1"
            id
              − ""
              + "A-1"
        uuid  "A-1"
            id
              − ""
              + "A-1"
        it started no effects, and none is alive
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
        it returned
          effect 3.0 run 'load' id CancelID("load") canceling what is in flight  input 1
        alive after it
          load 3.0  Counter.swift:5
        load 3.0  Counter.swift:5
        > #0  action 3  .load  sent by the view
        it led to
          action 4  .loaded(7)
           9    +0.000 s  .third  from effect 7.0  count: 9 → 10
              alive: load 5.0
        > #0  action 9  .third  sent by effect 7.0 of action 7
          #1  action 7  .first  sent by effect 6.0 of action 6
          #2  action 6  .burst  sent by the view
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
        > #0  the start of the log
        the reducer read nothing

        """
    ),
    Script(
      name: "blame and history",
      words: ["g 8", "blame id", "history id", "history count", "i log"],
      output: """
           8    +0.000 s  .second  from effect 6.1  count: 8 → 9
              alive: load 5.0
        id is "A-1" after action 8

        last changed by
          action 2  .add
            sent by the view

          id
            − ""
            + "A-1"
             2    +0.000 s  .add  "" → "A-1"
             1    +0.000 s  .increment  0 → 1
             4    +0.000 s  .loaded(7)  1 → 7
             7    +0.000 s  .first  7 → 8
        >    8    +0.000 s  .second  8 → 9
             9    +0.000 s  .third  9 → 10
            11    +0.000 s  .increment  10 → 11
            12    +0.000 s  .done  11 → 12
            14    +0.000 s  .increment  12 → 13
            15    +0.000 s  .increment  13 → 14
            16    +0.000 s  .increment  14 → 15
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
        actions 1 to 16, the last one at +0.000 s

        """
    ),
    Script(
      name: "help on a word",
      words: ["help rs", "# a comment", "", "quit", "step"],
      output: """
        reverse-step, rs  [N]
        go back to the previous action, or N actions

        """
    ),
  ]

  nonisolated static let computed = [
    Script(
      name: "print what conditions have beside places",
      words: ["goto 6"]
        + ["seq", "origin", ".burst", ".first", "id.count", "id.isEmpty", "before.id.count"]
        .map { "print \($0)" },
      output: """
           6    +0.000 s  .burst  sends .first, sends .second
              alive: load 5.0
        6
        "view"
        true
        false
        3
        false
        3

        """
    )
  ]

  nonisolated static let errors = [
    ("stpe", "there is no word 'stpe'; did you mean 'step'?", 64),
    ("12", "there is no word '12'; 'help' lists the words", 64),
    (
      "re",
      "'re' may be reverse-step, reverse-next, reverse-finish, reverse-continue, reverse-search or reorder; give more of it",
      64
    ),
    ("step x", "'step' cannot take 'x'; expected step [N]", 64),
    ("quit now", "'quit' takes no arguments; found 'now'", 64),
    ("watch", "'watch' needs more; expected watch PLACE [if EXPR]", 64),
    (
      "goto soon",
      "invalid value 'soon'; expected the number of an action, +N or -N, a time from the start such as 1.2s, start, end or a bookmark",
      64
    ),
    ("delete 3", "there is no breakpoint 3; 'break' adds one", 1),
    ("undisplay 3", "there is no display 3; 'display' adds one", 1),
    (
      "print cuont", "there is nothing at 'cuont' before the first action; did you mean 'count'?", 1
    ),
    (
      "print action",
      "there is no action at 0; go to an action first", 1
    ),
    (
      "print before",
      "nothing comes before the start of the log; 'print' shows the state with which it begins", 1
    ),
    ("goto 3+1", "there is no 3+1: nothing changed the state from outside after action 3", 1),
    ("up", "nothing sent the start", 1),
    (
      "b --effect", "invalid value '--effect'; expected a value after --effect", 64
    ),
    (
      "info nothing",
      "invalid value 'nothing'; expected action, alive, bookmarks, breakpoints, causes, change, display, effects, log or reads",
      64
    ),
  ].map { words, message, status in
    Script(
      name: words,
      words: [words, "step"],
      output: "",
      error: "tca-replay: \(message)\n",
      status: Int32(status)
    )
  }

  // MARK: - Sources of words

  @Test func `debug reads commands from files and then from standard input`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(SampleLog.text + "\n", to: "a.jsonl")
    try terminal.folder.write("# first\nstep\n\nbad\nstep", to: "words")
    terminal.input = "step\np count\nbad\nstep\n"
    let result = try await terminal.run("debug", "a.jsonl", "-x", "words", "-ex", "step")
    #expect(
      result
        == .init(
          status: 64,
          output: """
               1    +0.000 s  .increment  count: 0 → 1
               2    +0.000 s  .add  id: "" → "A-1"
               3    +0.000 s  .load  starts load 3.0
                  alive: load 3.0
               4    +0.000 s  .loaded(7)  from load 3.0  count: 1 → 7
                  alive: load 3.0
            7
               5    +0.000 s  .load  starts load 5.0  load 3.0 canceled
                  alive: load 5.0

            """,
          error: """
            tca-replay: words:4: there is no word 'bad'; 'help' lists the words
            tca-replay: standard input:3: there is no word 'bad'; 'help' lists the words

            """
        )
    )
  }

  @Test func `debug --echo prints each command before its output`() async throws {
    let result = try await run(["step", "# so far", "p count", "p x"], "--echo")
    #expect(
      result
        == .init(
          status: 1,
          output: """
            (debug 0) step
               1    +0.000 s  .increment  count: 0 → 1
            (debug 1) # so far
            (debug 1) p count
            1
            (debug 1) p x

            """,
          error: """
            tca-replay: there is nothing at 'x' after action 1; the state has "count", "id"

            """
        )
    )
    #expect(
      try await run([], "--echo", "--format", "json").error == """
        tca-replay: '--echo' and '--format json' exclude each other; give one of them
        see 'tca-replay debug --help'

        """
    )
  }

  @Test func `debug --log chooses one log of a file with several`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(
      SampleLog.text + "\n" + SampleLog.lines.prefix(7).joined(separator: "\n") + "\n",
      to: "a.jsonl"
    )
    let end = "   2    +0.000 s  .add  id: \"\" → \"A-1\"\n"
    #expect(
      try await terminal.run("debug", "a.jsonl", "--log", "2", "--batch", "-ex", "goto end")
        == .init(status: 0, output: "the end of the log\n" + end)
    )
    #expect(
      try await terminal.run("debug", "a.jsonl", "--log", "3", "--batch", "-ex", "goto end").error
        == """
        tca-replay: invalid value '3' for '--log'; expected a number from 1 to 2, the logs of the file
        see 'tca-replay debug --help'

        """
    )
  }

  @Test func `debug takes commands from options when the log is on standard input`() async throws {
    let terminal = try Terminal()
    terminal.input = SampleLog.text + "\n"
    #expect(
      try await terminal.run("debug", "-", "-ex", "goto 8", "-ex", "p count")
        == .init(
          status: 0,
          output: """
               8    +0.000 s  .second  from effect 6.1  count: 8 → 9
                  alive: load 5.0
            9

            """
        )
    )
  }

  @Test func `debug --format json answers each command with an object`() async throws {
    let result = try await run(
      [
        "b .loaded", "display count", "c", "p $.state.count > 1", "i alive", "bt", "watch id", "rc",
        "quit",
      ],
      "--format",
      "json"
    )
    #expect(
      result.output == """
        {"word":"break","breakpoint":{"number":1,"kind":"break","text":".loaded","enabled":true,"temporary":false,"hits":0,"ignore":0}}
        {"word":"display","displays":[{"number":1,"expression":"count","value":0}]}
        {"word":"continue","reason":"breakpoint","hits":[{"number":1,"text":".loaded"}],"step":{"seq":4,"kind":"action","at":40,"lines":[10,11],"action":{"loaded":{"_0":7}},"origin":{"effect":"3.0"},"patch":[{"op":"replace","path":"/count","value":7}],"alive":[{"id":"3.0","name":"load","source":"Counter.swift:5"}]},"displays":[{"number":1,"expression":"count","value":7}]}
        {"word":"print","value":true}
        {"word":"info","alive":[{"id":"3.0","name":"load","source":"Counter.swift:5"}]}
        {"word":"where","causes":[{"seq":4,"kind":"action","at":40,"action":{"loaded":{"_0":7}},"origin":{"effect":"3.0"}},{"seq":3,"kind":"action","at":30,"action":{"load":{}},"origin":"view"}],"consequences":[],"hasMore":false}
        {"word":"watch","breakpoint":{"number":2,"kind":"watch","text":"id","enabled":true,"temporary":false,"hits":0,"ignore":0}}
        {"word":"reverse-continue","reason":"breakpoint","hits":[{"number":2,"text":"id","changes":[{"path":"/id","before":"","after":"A-1"}]}],"step":{"seq":2,"kind":"action","at":20,"lines":[5,7],"action":{"add":{}},"origin":"view","reads":[{"key":"uuid","value":"A-1"}],"patch":[{"op":"replace","path":"/id","value":"A-1"}],"alive":[]},"displays":[{"number":1,"expression":"count","value":1}]}
        {"word":"quit"}

        """,
      "\(result.output)"
    )
    let unknown = try await run(["stpe 3"], "--format", "json")
    #expect(
      unknown.output == """
        {"word":"stpe","error":"there is no word 'stpe'; did you mean 'step'?","status":64}

        """
    )
    let failed = try await run(["print cuont", "step"], "--format", "json")
    #expect(
      failed
        == .init(
          status: 1,
          output: """
            {"word":"print","error":"there is nothing at 'cuont' before the first action; did you mean 'count'?","status":1}

            """
        )
    )
  }
}

// MARK: - Odd logs

extension DebugCommandTests {
  @Test func `the debugger says that a log ends within an action`() async throws {
    let terminal = try Terminal()
    let log = "\(Self.samples)/todos-trap.jsonl"
    let result = try await terminal.run(
      "debug",
      log,
      "--batch",
      "-ex",
      "goto end",
      "-ex",
      "p todos",
      "-ex",
      "p before.filter"
    )
    #expect(result.status == 1)
    #expect(
      result.output == """
        the end of the log
           4    +0.030 s  .deleted(at: 3)
              not finished: the log does not have what the action changed

        """,
      "\(result.output)"
    )
    #expect(
      result.error == """
        tca-replay: the log does not have the state after action 4: the action was not finished, or events before it are missing; 'print before' may have the one before it

        """
    )
  }

  /// A log without an action in its middle, and one that is followed by a change from outside.
  nonisolated static let damaged =
    (SampleLog.lines.prefix(7) + SampleLog.lines[11...14] + [
      #"{"kind":"external","seq":5,"at":55,"patch":[{"op":"replace","path":"/count","value":20}]}"#
    ] + SampleLog.lines[15...18]).joined(separator: "\n") + "\n"

  @Test func `the debugger reports which actions are missing in a log with a gap`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(Self.damaged, to: "a.jsonl")
    let words = [
      "goto 5", "goto 1", "continue", "goto 3", "goto 5+1", "where", "p action", "p action.nope",
      "rs", "p action.nope",
    ]
    terminal.input = words.joined(separator: "\n")
    let result = try await terminal.run("debug", "a.jsonl")
    #expect(result.status == 1)
    #expect(
      result.output == """
           5    +0.000 s  .load  starts load 5.0  effect 3.0 canceled, effect 3.0 finished
              actions 3 to 4 before this one are missing: the log is damaged; 'tca-replay verify' finds all such places
              alive: load 5.0
           1    +0.000 s  .increment  count: 0 → 1
        passed damage: actions 3 to 4 are missing
        the end of the log
           7    +0.000 s  .first  from effect 6.0  count: 20 → 8  sends .third
              alive: load 5.0
         5+1    +0.000 s  changed from outside  count: 1 → 20
              alive: load 5.0
        > #0  5+1  changed from outside: the log does not say by what
           5    +0.000 s  .load  starts load 5.0  effect 3.0 canceled, effect 3.0 finished
              actions 3 to 4 before this one are missing: the log is damaged; 'tca-replay verify' finds all such places
              alive: load 5.0

        """,
      "\(result.output)"
    )
    #expect(
      result.error == """
        tca-replay: standard input:4: there is no action 3: the log has actions up to 7, and lacks this one
        tca-replay: standard input:7: there is no action at 5+1; go to an action first
        tca-replay: standard input:8: there is no action at 5+1; go to an action first
        tca-replay: standard input:10: there is nothing at 'nope' in action 5; the action has "load"

        """
    )
  }

  @Test func `an interrupted history command reports how far it got`() async throws {
    let terminal = try Terminal()
    var lines = Array(SampleLog.lines[0..<2])
    for seq in 1...200 {
      lines += [
        #"{"kind":"action","seq":\#(seq),"at":10,"origin":"view","action":{"increment":{}}}"#,
        #"{"kind":"change","seq":\#(seq),"patch":[{"op":"replace","path":"/count","value":\#(seq / 60)}]}"#,
      ]
    }
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let log = try LogSlice.slices(of: terminal.folder.path + "/a.jsonl", name: "a.jsonl")[0]
    let session = try DebugSession(try DebuggedLog(log, cache: nil))
    session.isInterrupted = { true }
    var reached: [StepID] = []
    session.didReach = { reached.append($0) }
    let context = CommandContext(
      program: Program(name: "tca-replay", version: "1", executable: "self"),
      features: FeatureCatalog([]),
      console: Console(input: .nullDevice, output: MemorySink(), error: MemorySink()),
      makeReplayStarter: { { _, _ in throw DebugError.cannotFork } }
    )
    let shell = DebugShell(session, context: context, style: .plain, isJSON: false)
    #expect(
      try await shell.run("history count").text == """
            60    +0.000 s  .increment  0 → 1
        interrupted at action 62: changes after it were not looked for

        """
    )
    #expect(reached == [StepID(seq: 62)])
  }

  @Test func `debug refuses an empty file and a file that is no log`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write("", to: "empty")
    try terminal.folder.write("{\"kind\":\"note\"}\n", to: "note")
    #expect(try await terminal.run("debug", "empty", "--batch").status == 65)
    #expect(try await terminal.run("debug", "note", "--batch").status == 65)
    #expect(try await terminal.run("debug", "none", "--batch").status == 66)
    try terminal.folder.write(SampleLog.lines.prefix(1).joined() + "\n", to: "header")
    let result = try await terminal.run(
      "debug",
      "header",
      "--batch",
      "-ex",
      "s",
      "-ex",
      "l",
      "-ex",
      "bt",
      "-ex",
      "i log",
      "-ex",
      "p"
    )
    #expect(result.status == 1)
    #expect(
      result.output == """
        the end of the log
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
        the log does not have its first state
        > Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
          the log does not have its first state
        > #0  the start of the log
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
        no actions

        """,
      "\(result.output)"
    )
  }
}

// MARK: - Any input

extension DebugCommandTests {
  nonisolated static let tokens = [
    "step", "next", "finish", "up", "rc", "rn", "goto", "break", "watch", "info", "p", "l", "-",
    "display", "undisplay", "history", "blame", "ignore", "cond", "delete", "enable", "where", "f",
    "help", "if", "--when", "--effect", "--read", "0", "1", "7", "16", "17", "-3", "3+1",
    "99999999999999999999", "9223372036854775807", ".increment", ".", "..", ".add(", "count", "id",
    "count[0]", "[*]", "*", "/count", "before.count", "action.loaded", "$", "$.state.count",
    "$.state.count > 1", "$[?@", "1.5s", "-1s", "1e300h", "end", "start", "é", "\u{0}", "'", "\"",
    "b", "r", "xyzzy", "until", "run", "frame", "down", "search", "reverse-search", "bookmark",
    "commands",
    "end", "silent", "logpoint", "\"{count}\"", "\"{\"", "source", "a.jsonl", "2,5", "5,", "+2",
    "$bpnum", "var",
    "a", "🙂", "\t",
  ]

  /// Every input is executed or is an error with a message.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `debug --format json answers random commands with an object or an error`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let terminal = try Terminal()
    try terminal.folder.write(SampleLog.text + "\n", to: "a.jsonl")
    let lines = (0..<25).map { _ in
      (0..<Int.random(in: 0...4, using: &random))
        .compactMap { _ in Self.tokens.randomElement(using: &random) }.joined(separator: " ")
    }
    terminal.input = lines.joined(separator: "\n")
    let result = try await terminal.run("debug", "a.jsonl", "--format", "json")
    #expect([0, 1, 64, 66, 74].contains(result.status), "seed \(seed): \(lines)")
    for line in result.output.split(separator: "\n") {
      let answer = try JSON(parsing: Array(line.utf8))
      #expect(answer["word"] != nil || answer["error"]?.string?.isEmpty == false, "seed \(seed)")
    }
  }
}
