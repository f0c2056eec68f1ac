import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugger

/// Habits from gdb: navigation commands, frames, logpoints, commands of breakpoints, command files.
@MainActor @Suite struct DebugHabitTests {
  struct Script: CustomTestStringConvertible, Sendable {
    var name: String
    var words: [String]
    var output: String
    var error = ""
    var status: Int32 = 0

    var testDescription: String { name }
  }

  private func run(
    _ words: [String],
    in terminal: Terminal,
    _ options: String...
  ) async throws -> Terminal.Result {
    try terminal.folder.write(SampleLog.text + "\n", to: "a.jsonl")
    return try await terminal.run(["debug", "a.jsonl"] + options + words.flatMap { ["--ex", $0] })
  }

  @Test(arguments: walks + frames + looks + logpoints + commands)
  func `the debugger's until, frame, print and logpoint commands print the expected output`(
    script: Script
  ) async throws {
    let result = try await run(script.words, in: try Terminal())
    #expect(result.output == script.output, "\(result.output)")
    #expect(result.error == script.error, "\(result.error)")
    #expect(result.status == script.status)
  }

  nonisolated static let walks = [
    Script(
      name: "until an action, a time, a pattern and a condition, not past a breakpoint",
      words: [
        "until 2", "u 51us", "until .done", "advance count > 12", "b 15", "until 16", "until 3",
        "until 99",
      ],
      output: """
           2    +0.000 s  .add  id: "" → "A-1"
           6    +0.000 s  .burst  sends .first, sends .second
              alive: load 5.0
          12    +0.000 s  .done  from effect 10.1  count: 11 → 12
              alive: load 5.0, effect 10.2
          14    +0.000 s  .increment  from effect 10.2  count: 12 → 13
              alive: effect 10.2
        1  break 15
        breakpoint 1, 15
          15    +0.000 s  .increment  sent while action 14 was handled  count: 13 → 14  effect 10.2 canceled by the task of its action

        """,
      error: """
        tca-replay: action 3 comes before action 15; 'goto 3' leads there
        tca-replay: there is no action 99: the log has actions up to 16

        """,
      status: 1
    ),
    Script(
      name: "run goes to the first breakpoint from anywhere",
      words: ["b .load", "goto end", "run", "delete", "r"],
      output: """
        1  break .load
        the end of the log
          16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                          end, closed
        breakpoint 1, .load
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
        the end of the log
          16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                          end, closed

        """
    ),
    Script(
      name: "goto some actions on or back passes breakpoints",
      words: ["b 2", "goto +3", "goto -2", "goto -9", "goto +0", "goto +99"],
      output: """
        1  break 2
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
           1    +0.000 s  .increment  count: 0 → 1
        the start of the log
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0
        the end of the log
          16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                          end, closed

        """
    ),
    Script(
      name: "search finds a text in either direction, and stays where there is none",
      words: [
        "search A-1", "search cancelid", "search \"count\"", "reverse-search ADD", "search nothing",
        "reverse-search x", "p $.seq",
      ],
      output: """
           2    +0.000 s  .add  id: "" → "A-1"
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
           4    +0.000 s  .loaded(7)  from load 3.0  count: 1 → 7
              alive: load 3.0
           2    +0.000 s  .add  id: "" → "A-1"
        2

        """,
      error: """
        tca-replay: no action after action 2 has 'nothing'; 'reverse-search' looks before it
        tca-replay: no action before action 2 has 'x'; 'search' looks after it

        """,
      status: 1
    ),
    Script(
      name: "bookmarks are names for actions",
      words: [
        "info bookmarks", "goto 3", "bookmark", "goto 9", "checkpoint third", "goto a",
        "goto thrid", "info b", "info checkpoints",
        "delete bookmark a", "delete bookmark a", "bookmark 7", "bookmark end",
        "bookmark two words",
      ],
      output: """
        there are no bookmarks; 'bookmark' adds one
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
        a  action 3
           9    +0.000 s  .third  from effect 7.0  count: 9 → 10
              alive: load 5.0
        third  action 9
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
        there are no breakpoints; 'break' and 'watch' add them
        a  action 3
        third  action 9
        third  action 9

        """,
      error: """
        tca-replay: there is no bookmark 'thrid'; did you mean 'third'?
        tca-replay: there is no bookmark 'a'; there are third
        tca-replay: invalid value '7'; expected a name of one word that begins with a letter
        tca-replay: invalid value 'end'; expected a name of one word that begins with a letter
        tca-replay: invalid value 'two words'; expected a name of one word that begins with a letter

        """,
      status: 64
    ),
  ]

  nonisolated static let frames = [
    Script(
      name: "up and down look at causes, and what prints is about them",
      words: [
        "goto 9", "up", "p count", "up 5", "p count", "where", "down", "f 0", "display count",
        "up 2", "s", "p count",
      ],
      output: """
           9    +0.000 s  .third  from effect 7.0  count: 9 → 10
              alive: load 5.0
        #1   7    +0.000 s  .first  from effect 6.0  count: 7 → 8  sends .third
        8
        #2   6    +0.000 s  .burst  sends .first, sends .second
        7
          #0  action 9  .third  sent by effect 7.0 of action 7
          #1  action 7  .first  sent by effect 6.0 of action 6
        > #2  action 6  .burst  sent by the view
        #1   7    +0.000 s  .first  from effect 6.0  count: 7 → 8  sends .third
        #0   9    +0.000 s  .third  from effect 7.0  count: 9 → 10
        1: count = 10
        #2   6    +0.000 s  .burst  sends .first, sends .second
          10    +0.000 s  .chain  starts effect 10.0, then sends .done, then starts effect 10.2
              alive: load 5.0, effect 10.0, effect 10.2 (waits)
        1: count = 10
        10

        """
    ),
    Script(
      name: "frames that there are not",
      words: ["goto 7", "frame 2", "down", "up", "up", "frame x", "up 0"],
      output: """
           7    +0.000 s  .first  from effect 6.0  count: 7 → 8  sends .third
              alive: load 5.0
        #1   6    +0.000 s  .burst  sends .first, sends .second

        """,
      error: """
        tca-replay: there is no frame 2; 'where' shows frames 0 to 1
        tca-replay: this is frame 0, action 7, where the session stands
        tca-replay: action 6 was sent by the view
        tca-replay: 'frame' cannot take 'x'; expected frame [N]
        tca-replay: 'up' cannot take '0'; expected up [N]

        """,
      status: 64
    ),
  ]

  nonisolated static let looks = [
    Script(
      name: "list takes a range",
      words: ["list 1,2", "list 15,", "list 16, 20", "list 3,1", "list 17,20"],
      output: """
             1    +0.000 s  .increment  count: 0 → 1
             2    +0.000 s  .add  id: "" → "A-1"
            15    +0.000 s  .increment  sent while action 14 was handled  count: 13 → 14  effect 10.2 canceled by the task of its action
            16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                            end, closed
            16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                            end, closed

        """,
      error: """
        tca-replay: 'list' cannot take '3,1'; expected list [SEQ | FIRST,[LAST] | -]
        tca-replay: there is no action 17: the log has actions up to 16

        """,
      status: 64
    )
  ]

  nonisolated static let logpoints = [
    Script(
      name: "logpoints print values and go on",
      words: [
        #"logpoint .increment "count {before.count} → {count}, \{id\} {id}" if count > 12"#,
        #"dprintf .load, "loading""#,
        #"logpoint --read uuid "read {reads[0].value} {nope}""#, "info b", "run", "rc",
      ],
      output: #"""
        1  logpoint .increment "count {before.count} → {count}, \{id\} {id}"  if count > 12
        2  logpoint .load "loading"
        3  logpoint --read uuid "read {reads[0].value} {nope}"
        1  logpoint .increment "count {before.count} → {count}, \{id\} {id}"  if count > 12
        2  logpoint .load "loading"
        3  logpoint --read uuid "read {reads[0].value} {nope}"
           2  read "A-1" ?
           3  loading
           5  loading
          14  count 12 → 13, {id} "A-1"
          15  count 13 → 14, {id} "A-1"
          16  count 14 → 15, {id} "A-1"
        the end of the log
          16    +0.000 s  .increment  from an effect of a reducer around the feature  count: 14 → 15
                          end, closed
          15  count 13 → 14, {id} "A-1"
          14  count 12 → 13, {id} "A-1"
           5  loading
           3  loading
           2  read "A-1" ?
        the start of the log
        Counter  log L1, recorded 2026-01-01T00:00:00Z by recorder 0.1.0

        """#
    ),
    Script(
      name: "logpoints that cannot be read",
      words: [
        #"logpoint .load"#, #"logpoint "x""#, #"logpoint .load "{count""#,
        #"logpoint .load "count}""#, #"logpoint .load "{count >}""#,
      ],
      output: "",
      error: #"""
        tca-replay: 'logpoint' cannot take '.load'; expected logpoint ACTION | SEQ | --effect NAME | --read KEY | --when EXPR "MESSAGE" [if EXPR]
        tca-replay: 'logpoint' cannot take '"x"'; expected logpoint ACTION | SEQ | --effect NAME | --read KEY | --when EXPR "MESSAGE" [if EXPR]
        tca-replay: invalid value '{count'; expected expressions in braces, such as "count is {count}"; '\{' is a brace
        tca-replay: invalid value 'count}'; expected expressions in braces, such as "count is {count}"; '\{' is a brace
        tca-replay: found the end, expected a place such as count, a case such as .saved, '$', '@', a string, a number, true, false, null or a function, at column 8 of count >; expected a place such as todos[0].title, or an expression such as count > 3

        """#,
      status: 64
    ),
  ]

  nonisolated static let commands = [
    Script(
      name: "a breakpoint carries out its lines",
      words: [
        "b .load", "commands", "# a comment", "  print count", "continue", "end", "b .third",
        "commands 2", "silent", "p id", "end", "run", "info b",
      ],
      output: """
        1  break .load
        1  break .load
             print count
             continue
        2  break .third
        2  break .third
             silent
             p id
        breakpoint 1, .load
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
        1
        breakpoint 1, .load
           5    +0.000 s  .load  starts load 5.0  load 3.0 canceled
              alive: load 5.0
        7
        "A-1"
        1  break .load  met 2 times
             print count
             continue
        2  break .third  met once
             silent
             p id

        """
    ),
    Script(
      name: "a line that fails ends the rest of a breakpoint's lines",
      words: ["tb .load", "commands", "p nope", "p count", "end", "run", "p count"],
      output: """
        1  tbreak .load
        1  tbreak .load
             p nope
             p count
        temporary breakpoint 1, .load
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
        1

        """,
      error: """
        tca-replay: there is nothing at 'nope' after action 3; the state has "count", "id"

        """,
      status: 1
    ),
    Script(
      name: "lines without an end are told",
      words: ["b 3", "commands", "p count"],
      output: """
        1  break 3

        """,
      error: "tca-replay: the lines after 'commands 1' have no 'end'\n",
      status: 64
    ),
    Script(
      name: "no lines take the commands away, and a breakpoint that is not there gets none",
      words: [
        "commands", "b 3", "commands 2", "commands", "p 1", "end", "commands $bpnum", "end", "r",
      ],
      output: """
        1  break 3
        1  break 3
             p 1
        1  break 3
        breakpoint 1, 3
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0

        """,
      error: """
        tca-replay: there is no breakpoint 1; 'break' adds one
        tca-replay: there is no breakpoint 2; there is 1

        """,
      status: 1
    ),
    Script(
      name: "set var is set",
      words: ["goto 3", "set var count = 5", "p count"],
      output: """
           3    +0.000 s  .load  starts load 3.0
              alive: load 3.0
        a.jsonl: another timeline from action 4 on, with 1 edit: 16 actions in the place of 16
          set 3 count = 5

        the same state at the end

         3+1    +0.000 s  changed from outside  count: 1 → 5
              alive: load 3.0
        5

        """
    ),
  ]

  @Test func `breakpoints are saved as commands and read again`() async throws {
    let terminal = try Terminal()
    let saved = try await run(
      [
        "b .load if count > 0", "commands", "p count", "end", "ignore 1 2", "watch id", "disable 2",
        "tb 14",
        #"logpoint .add "added {id}""#, "save breakpoints b.txt", "save b b.txt",
      ],
      in: terminal
    )
    #expect(saved.status == 0, "\(saved.error)")
    #expect(
      try terminal.folder.read("b.txt") == """
        # breakpoints
        break .load if count > 0
        commands
          p count
        end
        ignore $bpnum 2
        watch id
        disable $bpnum
        tbreak 14
        logpoint .add "added {id}"

        """
    )
    try terminal.folder.write("source b.txt\n", to: "outer.txt")
    let read = try await run(["source outer.txt", "info b"], in: terminal)
    #expect(
      read.output.hasSuffix(
        """
        1  break .load  if count > 0  passed 2 times more
             p count
        2  watch id  disabled
        3  tbreak 14
        4  logpoint .add "added {id}"

        """
      ),
      "\(read.output)"
    )
    #expect(read.error == "")
    // A file of another program is not overwritten.
    try terminal.folder.write("mine", to: "notes.txt")
    let refused = try await run(["save breakpoints notes.txt"], in: terminal)
    #expect(refused.error.contains("notes.txt"), "\(refused.error)")
    #expect(try terminal.folder.read("notes.txt") == "mine")
  }

  @Test func `a sourced file ends at its first error, which names its line`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write("p count\n\nnope\np id\n", to: "words.txt")
    try terminal.folder.write("source loop.txt\n", to: "loop.txt")
    let result = try await run(
      ["source words.txt", "source loop.txt", "source missing.txt", "p id"],
      in: terminal
    )
    #expect(result.output == "0\n\"\"\n")
    #expect(
      result.error == """
        tca-replay: words.txt:3: there is no word 'nope'; 'help' lists the words
        tca-replay: loop.txt:1: loop.txt is read already: a file cannot read itself with 'source'
        tca-replay: there is no file missing.txt

        """,
      "\(result.error)"
    )
  }

  @Test
  func `debug --format json reports logpoints and breakpoint commands as objects of their own`()
    async throws
  {
    let result = try await run(
      [#"logpoint .add "{id}""#, "tb .load", "commands", "p count", "end", "run"],
      in: try Terminal(),
      "--format",
      "json"
    )
    let objects = try result.output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    #expect(
      objects.map { $0["word"]?.string ?? "" } == [
        "logpoint", "tbreak", "commands", "commands", "", "run", "print",
      ]
    )
    #expect(objects[4] == ["logpoint": 1, "text": ".add", "seq": 2, "message": "\"A-1\""])
    #expect(objects[6]["value"] == 1)
  }
}
