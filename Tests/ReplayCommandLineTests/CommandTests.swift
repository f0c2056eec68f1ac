import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayCommandLine
@testable import ReplayCommands
@testable import ReplayEngine
@testable import ReplayHosts

@MainActor @Suite struct CommandTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
  }

  struct Misuse: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let message: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    Misuse(arguments: [], message: "no command is given"),
    Misuse(arguments: ["rnu"], message: "there is no command 'rnu'; did you mean 'run'?"),
    Misuse(arguments: ["quux"], message: "there is no command 'quux'"),
    Misuse(arguments: ["run"], message: "'run' needs 'LOG...' or '--files-from LIST'"),
    Misuse(
      arguments: ["run", "a", "--hots", "b"],
      message: "'run' has no option '--hots'; did you mean '--host'?"
    ),
    Misuse(arguments: ["run", "a", "--host"], message: "'--host' needs a value: --host PATH"),
    Misuse(
      arguments: ["run", "a", "--verbose=yes"],
      message: "'--verbose' is a switch and takes no value; found 'yes'"
    ),
    Misuse(
      arguments: ["run", "a", "--format", "xml"],
      message: "invalid value 'xml' for '--format'; expected text, json, junit, github or markdown"
    ),
    Misuse(
      arguments: ["run", "a", "--until", "x"],
      message:
        "invalid value 'x' for '--until'; expected the number of an action, a time from the start such as 1.2s, 5min or"
        + " 1:12:03, or 'end'"
    ),
    Misuse(
      arguments: ["run", "a", "--timeout", "0"],
      message: "invalid value '0' for '--timeout'; expected a time in seconds"
    ),
    Misuse(
      arguments: ["run", "a", "--junit", "-"],
      message:
        "invalid value '-' for '--junit'; expected a file; --format junit writes to standard output"
    ),
    Misuse(
      arguments: ["run", "a", "--until", "1", "--until", "2"],
      message: "'--until' is given twice; expected once"
    ),
    Misuse(
      arguments: ["show", "a", "--path", "x y"],
      message:
        "invalid value 'x y' for '--path'; expected a place such as todos[0].title or /todos/0/title; found ' ', expected"
        + " '.' and a name, or '[', at column 2 of x y"
    ),
    Misuse(
      arguments: ["show", "a", "--path", "/x~"],
      message:
        "invalid value '/x~' for '--path'; expected a place such as todos[0].title or /todos/0/title; found the end,"
        + " expected '~' is followed by '0' or '1', at column 1 of /x~"
    ),
    Misuse(
      arguments: ["run", "a", "--ignore", "rows[#3].title"],
      message:
        "invalid value 'rows[#3].title' for '--ignore'; expected a place such as rows[*].title or /rows/*/title; rows cannot"
        + " be named by id here"
    ),
    Misuse(
      arguments: ["show", "a", "--range", "3..1"],
      message:
        "invalid value '3..1' for '--range'; expected a range that ends after it begins"
    ),
    Misuse(
      arguments: ["show", "a", "--at", "1", "--range", "1..2"],
      message: "'--at' and '--range' exclude each other; give one of them"
    ),
    Misuse(arguments: ["show", "a", "b"], message: "'show' cannot take 'b' as well"),
    Misuse(
      arguments: ["diff", "-", "-"],
      message: "'diff' can read standard input only once; give one of the two as a file"
    ),
    Misuse(arguments: ["view", "a", "b", "c"], message: "'view' cannot take 'c' as well"),
    Misuse(
      arguments: ["view", "a", "--picture-seconds", "1"],
      message: "'--picture-seconds' works only with '--pictures'"
    ),
    Misuse(
      arguments: ["view", "a", "--pictures-from", "b", "--picture-seconds", "1"],
      message: "'--picture-seconds' works only with '--pictures'"
    ),
    Misuse(
      arguments: ["view", "a", "--picture-bytes", "1"],
      message: "'--picture-bytes' works only with '--pictures|--pictures-from'"
    ),
    Misuse(
      arguments: ["view", "a", "--most", "1"],
      message: "'--most' works only with '--pictures'"
    ),
    Misuse(arguments: ["record", "Counter"], message: "'record' needs --output FILE"),
    Misuse(
      arguments: ["record", "Counter", "-o", "b.jsonl"],
      message: "'record' needs '--actions FILE' or '--from LOG'"
    ),
    Misuse(
      arguments: ["record", "Counter", "--actions", "a", "--until", "2", "-o", "b.jsonl"],
      message: "'--until' works only with '--from'"
    ),
    Misuse(
      arguments: ["bisect", "a"],
      message: "'bisect' needs '--when EXPR' or '--good REV --bad REV --build CMD --host PATH'"
    ),
    Misuse(
      arguments: ["bisect", "a", "--when", "count > 1", "--good", "v1", "--bad", "v2"],
      message: "'bisect' needs --build CMD --host PATH"
    ),
    Misuse(
      arguments: ["bisect", "a", "--when", "count > 1", "--fresh"],
      message: "'--fresh' works only with '--good'"
    ),
    Misuse(
      arguments: ["bisect", "a", "--when", "count > 1", "--timeout", "1"],
      message: "'--timeout' works only with '--good'"
    ),
    Misuse(
      arguments: ["bisect", "a", "--when", "count > 1", "--feature", "Counter"],
      message: "'--feature' works only with '--good'"
    ),
    Misuse(
      arguments: ["bisect", "a", "--when", "count > 1", "--build", "make", "--host", "host"],
      message: "'bisect' needs --good REV --bad REV"
    ),
    Misuse(
      arguments: ["debug", "a", "--attach", "b"],
      message: "'LOG' and '--attach' exclude each other; give one of them"
    ),
    Misuse(
      arguments: ["replay", "a", "--ignore", "/count"],
      message: "'--ignore' works only with '--continue'"
    ),
    Misuse(
      arguments: ["summarize", "a", "--pages", "b", "--format", "json"],
      message: "'--pages' works only with '--format html|markdown'"
    ),
    Misuse(arguments: ["minimize", "a", "--traps"], message: "'minimize' needs --output FILE"),
    // Names of earlier versions.
    Misuse(
      arguments: ["fuzz", "a", "--for", "1", "--budget", "2"],
      message: "'--budget' is given twice; expected once"
    ),
    Misuse(
      arguments: ["record", "--through", "1", "--until", "2", "-o", "b.jsonl"],
      message: "'--until' is given twice; expected once"
    ),
    Misuse(
      arguments: ["coverage", "a", "--all", "--lines=yes"],
      message: "'--lines' is a switch and takes no value; found 'yes'"
    ),
    Misuse(arguments: ["help", "shw"], message: "there is no command 'shw'; did you mean 'show'?"),
    Misuse(
      arguments: ["run", "-jx", "a"],
      message: "invalid value 'x' for '--jobs'; expected a whole number from 1"
    ),
    Misuse(arguments: ["run", "-vj", "a"], message: "'run' has no option '-vj'"),
    Misuse(
      arguments: ["test", "a", "--name", "a`b"],
      message:
        "invalid value 'a`b' for '--name'; expected a name of a function, such as basketIsEmpty or 'the basket is empty'"
    ),
  ])
  func `tca-replay explains a misuse of a command and points to the help`(
    _ misuse: Misuse
  ) async throws {
    let command = misuse.arguments.first.flatMap { name in
      CommandLineTool.commands.contains { $0.syntax.name == name } ? " \(name)" : nil
    }
    var context = CommandContext(
      program: CommandLineTool.Program(name: "tca-replay", version: "1", executable: ""),
      features: FeatureCatalog([]),
      console: Console(input: .nullDevice, output: MemorySink(), error: MemorySink()),
      makeReplayStarter: PersistentHost.starter
    )
    let error = MemorySink()
    context.console.error = error
    #expect(await CommandLineTool.run(misuse.arguments, in: &context) == .usage)
    #expect(
      error.text
        == "tca-replay: \(misuse.message)\nsee 'tca-replay\(command ?? "") --help'\n"
    )
  }

  @Test("The value of a short option can follow without a space")
  func attachedValues() throws {
    let parsed = try ParsedArguments(["-j4", "a"], syntax: RunCommand.syntax)
    #expect(parsed.values("--jobs") == ["4"])
    #expect(parsed.operands == ["a"])
  }

  @Test func `tca-replay prints its version, and features lists the features of the host`()
    async throws
  {
    #expect(try await terminal.run("--version") == .init(status: 0, output: "tca-replay 1.2.3\n"))
    #expect(
      try await terminal.run("features")
        == .init(status: 0, output: "Counter  CounterState\nTodos    TodosState\n")
    )
    #expect(
      try await terminal.run("features", "--format=json").output
        == #"{"features":[{"name":"Counter","stateType":"CounterState","canRecord":true},"#
        + #"{"name":"Todos","stateType":"TodosState","canRecord":false}]}"# + "\n"
    )
  }

  @Test func `the help lists every command and each of its options`() async throws {
    let overview = try await terminal.run("--help")
    for command in CommandLineTool.commands {
      let syntax = command.syntax
      #expect(overview.output.contains("  \(syntax.name) "))
      let help = try await terminal.run(syntax.name, "--help")
      #expect(help.status == 0)
      #expect(try await terminal.run("help", syntax.name) == help)
      for option in syntax.options { #expect(help.output.contains(option.name)) }
    }
    #expect(
      try await terminal.run("diff", "-h").output == """
        show the differences between two logs

        usage: tca-replay diff A B [options]

        examples:
          # show what one log does that the other does not
          tca-replay diff before.jsonl after.jsonl
          # ignore a part of the state
          tca-replay diff before.jsonl after.jsonl --ignore updatedAt

        arguments:
          A  a log; '-' is standard input
          B  the log to compare it with

        options:
          --exact             compare event by event, with every id and date, until events do not correspond
          --ignore PLACE ...  ignore this part of the state, such as rows[*].seen; '*' matches every member or element
          --raw               write actions, values and paths as JSON, as in the log
          --full              show values, ids and lines in full
          --format text|json  the format of the result (text)
          --help, -h          show this help

        An option with '...' may be given several times.

        Finds which actions correspond to each other, by what they are and what sent them, and compares those. Ids and
        dates that the two recordings do not share are mapped to each other. Compares values, not bytes, and ignores times
        and source locations. --ignore leaves a path out of the comparison; 'mask --omit' takes it out of a log. Exits with
        status 0 if there is no other difference, and with 1 if there is one.

        """
    )
  }

  @Test func `replay writes the replayed log to standard output or a file`() async throws {
    let result = try await terminal.run("replay", "a.jsonl")
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").count == SampleLog.lines.count)
    terminal.input = SampleLog.text
    #expect(try await terminal.run("replay", "-") == result)
    let out = terminal.folder.path + "/out.jsonl"
    #expect(try await terminal.run("replay", "a.jsonl", "-o", out) == .init(status: 0, output: ""))
    #expect(
      try terminal.folder.read("out.jsonl").replacing(#","writtenBy":"replay""#, with: "")
        == result.output
    )
    #expect(try await terminal.run("diff", "a.jsonl", "out.jsonl").status == 0)
  }

  @Test func `replay reports an output file that it cannot write`() async throws {
    #expect(
      try await terminal.run("replay", "a.jsonl", "-o", "/no/such/folder/out.jsonl")
        == .init(
          status: 73,
          output: "",
          error: "tca-replay: cannot write /no/such/folder/out.jsonl: No such file or directory\n"
        )
    )
  }

  @Test func `a failed replay leaves the old output file unchanged`() async throws {
    try terminal.folder.write("{}\n", to: "bad.jsonl")
    try terminal.folder.write("old", to: "out.jsonl")
    let result = try await terminal.run("replay", "bad.jsonl", "-o", "out.jsonl", "--force")
    #expect(result.status == 65)
    #expect(try terminal.folder.read("out.jsonl") == "old")
    let names = try FileManager.default.contentsOfDirectory(atPath: terminal.folder.path)
    #expect(names.sorted() == ["a.jsonl", "bad.jsonl", "out.jsonl", "standard-input"])
  }

  @Test func `diff groups differences by action, with and without --exact`() async throws {
    let other = SampleLog.text
      .replacing(#""path":"/count","value":7"#, with: #""path":"/count","value":70"#)
      .replacing(
        #""seq":2,"key":"uuid","value":"A-1""#,
        with: #""seq":2,"key":"date","value":"A-1""#
      )
      .replacing(
        #"{"kind":"effect","id":"5.0","event":"cancelled","by":{"action":13},"at":76}"# + "\n",
        with: ""
      )
    try terminal.folder.write(other, to: "b.jsonl")
    #expect(
      try await terminal.run("diff", "a.jsonl", "a.jsonl")
        == .init(status: 0, output: "no difference, through action 16\n")
    )
    #expect(
      try await terminal.run("diff", "a.jsonl", "b.jsonl")
        == .init(
          status: 1,
          output: """
            − a.jsonl, + b.jsonl
            actions 1 to 16 match; 1 other event is only in a.jsonl
            16 actions each

            action 2
              reads
                uuid
                  − uuid  "A-1"
                  + date  "A-1"

            action 4
              state
                count
                  − 7
                  + 70

            after action 13
              − effect 5.0 canceled by action 13

            """
        )
    )
    #expect(
      try await terminal.run("diff", "a.jsonl", "b.jsonl", "--exact")
        == .init(
          status: 1,
          output: """
            − a.jsonl, + b.jsonl

            action 2
              reads
                uuid
                  − uuid  "A-1"
                  + date  "A-1"

            action 4
              state
                count
                  − 7
                  + 70

            action 13
              effects
                effect 5.0: cancelled
                  − true

            """
        )
    )
  }

  @Test func `diff warns of two logs of different features`() async throws {
    let other = SampleLog.text.replacing(#""feature":"Counter""#, with: #""feature":"Todos""#)
    try terminal.folder.write(other, to: "todos.jsonl")
    #expect(
      try await terminal.run("diff", "a.jsonl", "todos.jsonl")
        == .init(
          status: 0,
          output: "no difference, through action 16\n",
          error:
            "tca-replay: the logs are of different features, Counter and Todos; expected two of one feature\n"
        )
    )
  }

  @Test func `record sends the actions of a script to the feature and writes a log`()
    async throws
  {
    try terminal.folder.write(
      """
      {"increment":{}}

      {"$wait":0.5}
      {"$finish":true}
      """,
      to: "actions.jsonl"
    )
    let out = terminal.folder.path + "/out.jsonl"
    #expect(
      try await terminal.run("record", "Counter", "--actions", "actions.jsonl", "-o", out)
        == .init(status: 0, output: "recorded 3 actions in out.jsonl\n")
    )
    #expect(
      try await terminal.run("record", "Counter", "--actions", "actions.jsonl", "-o", "-").output
        == SampleLog.text
    )
    #expect(
      try await terminal.run("record", "Todos", "--actions", "actions.jsonl", "-o", out)
        == .init(
          status: 69,
          output: "",
          error: "tca-replay: this host can replay 'Todos', but not record it\n"
        )
    )
  }

  @Test(arguments: [
    (#"{"$wiat":1}"#, "'$wiat' is neither an action nor an instruction; did you mean '$wait'?"),
    (
      #"{"$wait":-1}"#,
      "'$wait' has the value -1; expected a number of seconds, 0 or more, and less than ten years"
    ),
    (#"{"$finish":1}"#, "'$finish' has the value 1; expected true"),
    ("{", "the text ends in the middle of a JSON value, at byte 1"),
  ])
  func `record refuses a line of a script that is neither an action nor an instruction`(
    line: String,
    message: String
  ) {
    #expect(
      throws: CommandError.badActionLine(file: "f", line: 2, problem: message)
    ) { try RecordRequest.Step.all(in: "{\"a\":{}}\n\(line)") }
  }

  @Test func `record treats lines of a script that resemble instructions as actions`() throws {
    #expect(
      try RecordRequest.Step.all(in: #"{"$$x":{}}"# + "\n" + #"{"$some":null}"# + "\n\"tap\"\n")
        == [.send(["$$x": [:]]), .send(["$some": .null]), .send("tap")]
    )
  }
}
