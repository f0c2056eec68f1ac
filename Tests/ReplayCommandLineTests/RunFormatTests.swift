import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayCommandLine
@testable import ReplayCommands
@testable import ReplayEngine
@testable import ReplayHosts

@MainActor @Suite struct RunFormatTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    terminal.change = .countsByTwo
    try terminal.folder.write(SampleLog.text, to: "logs/a<1>&%.jsonl")
    try terminal.folder.write(SampleLog.lines.prefix(2).joined(separator: "\n"), to: "logs/b.jsonl")
    try terminal.folder.write("x\u{1}\n", to: "logs/c,d:e.jsonl")
  }

  @Test func `run --format junit writes a test case for each log`() async throws {
    terminal.times = [0, 1.5, 2, 2.25, 3]
    let result = try await terminal.run("run", "logs", "--format", "junit")
    #expect(
      result
        == .init(
          status: 65,
          output: """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="tca-replay" tests="3" failures="1" errors="1" time="1.750">
              <testsuite name="tca-replay" tests="3" failures="1" errors="1" time="1.750">
                <testcase classname="logs" name="logs/a&lt;1&gt;&amp;%.jsonl" time="1.500">
                  <failure message="diverged at action 1: state count" type="diverged">diverged at action 1: state count

            action 1  .increment
              sent by the view

            − recorded, + replayed
            state
              count
                − 1
                + 2</failure>
                </testcase>
                <testcase classname="logs" name="logs/b.jsonl" time="0.250"/>
                <testcase classname="logs" name="logs/c,d:e.jsonl" time="0.000">
                  <error message="line 1 is not JSON: found 'x' where a value was expected, at byte 0" type="unreadable">line 1 is not JSON: found 'x' where a value was expected, at byte 0
            </error>
                </testcase>
              </testsuite>
            </testsuites>

            """
        )
    )
  }

  @Test func `run --format github writes annotations and a summary`() async throws {
    let summary = terminal.folder.path + "/summary.md"
    try "before\n".write(toFile: summary, atomically: true, encoding: .utf8)
    terminal.environment["GITHUB_STEP_SUMMARY"] = summary
    #expect(
      try await terminal.run("run", "logs", "--format", "github")
        == .init(
          status: 65,
          output: """
            ::error file=logs/a<1>&%25.jsonl,line=3,title=logs/a<1>&%25.jsonl::diverged at action 1: state count%0Aaction 1  .increment%0A  sent by the view%0A%0A− recorded, + replayed%0Astate%0A  count%0A    − 1%0A    + 2
            logs/b.jsonl: cut before the first action
            ::error file=logs/c%2Cd%3Ae.jsonl,title=logs/c%2Cd%3Ae.jsonl::line 1 is not JSON: found 'x' where a value was expected, at byte 0
            3 logs, 2 failed

            """
        )
    )
    let path = terminal.folder.path
    #expect(
      try terminal.folder.read("summary.md") == """
        before
        ### tca-replay: 3 logs, 2 failed

        | log | what it shows |
        | --- | --- |
        | `\(path)/logs/a<1>&%.jsonl` | `diverged at action 1: state count` |
        | `\(path)/logs/c,d:e.jsonl` | `line 1 is not JSON: found 'x' where a value was expected, at byte 0` |

        <details><summary>\(path)/logs/a&lt;1&gt;&amp;%.jsonl: diverged at action 1: state count</summary>

        ```text
        action 1  .increment
          sent by the view

        − recorded, + replayed
        state
          count
            − 1
            + 2

        next:
          tca-replay blame '\(path)/logs/a<1>&%.jsonl' count --at 1  # who set this value last, and why
          tca-replay run '\(path)/logs/a<1>&%.jsonl' --continue      # whether later actions differ, too
        ```

        </details>

        <details><summary>\(path)/logs/c,d:e.jsonl: line 1 is not JSON: found 'x' where a value was expected, at byte 0</summary>

        ```text
        next:
          tca-replay verify \(path)/logs/c,d:e.jsonl  # what of the log is damaged; --repair FILE keeps the rest
        ```

        </details>

        """
    )
  }

  @Test("run --format github annotates no line for a log from standard input")
  func gitHubOfStandardInput() async throws {
    terminal.input = SampleLog.text
    #expect(
      try await terminal.run("run", "-", "--format", "github")
        == .init(
          status: 1,
          output: """
            ::error title=standard input::diverged at action 1: state count%0Aaction 1  .increment%0A  sent by the view%0A%0A− recorded, + replayed%0Astate%0A  count%0A    − 1%0A    + 2
            1 log, 1 failed

            """
        )
    )
  }

  @Test("run --format github shows notes of logs that pass, and accepted divergences")
  func gitHubOfWhatIsWell() async throws {
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    #expect(
      try await terminal.run("run", "a.jsonl", "--accept", "--format", "github")
        == .init(
          status: 0,
          output: """
            a.jsonl: diverged at action 1: state count

              action 1  .increment
                sent by the view

              − recorded, + replayed
              state
                count
                  − 1
                  + 2

              accepted: this is what is expected from now on
            1 log, all passed

            """
        )
    )
    terminal.change = .addsMember
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    #expect(
      try await terminal.run("run", "a.jsonl", "--format", "github")
        == .init(
          status: 0,
          output: """
            a.jsonl: identical, through action 16
              note: new: the log lacks it; it has its initial value
            1 log, all passed

            """
        )
    )
  }

  @Test func `run colors verdicts on a terminal only`() async throws {
    terminal.hasColor = true
    let output = try await terminal.run("run", "logs/b.jsonl", "logs/a<1>&%.jsonl", "-v").output
    #expect(output.contains("\u{1B}[1m\u{1B}[31mdiverged at action 1: state count\u{1B}[0m"))
    #expect(output.contains("\u{1B}[32mcut before the first action\u{1B}[0m"))
    terminal.hasColor = false
    #expect(try await !terminal.run("run", "logs", "-v").output.contains("\u{1B}"))
  }
}

/// `--accept`: the found behavior becomes the expected behavior.
@MainActor @Suite struct RunAcceptTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
  }

  @Test func `run --accept shows the divergence and replaces the log with its replay`() async throws
  {
    terminal.change = .countsByTwo
    #expect(
      try await terminal.run("run", "--accept", "a.jsonl")
        == .init(
          status: 0,
          output: """
            a.jsonl: diverged at action 1: state count

              action 1  .increment
                sent by the view

              − recorded, + replayed
              state
                count
                  − 1
                  + 2

              accepted: this is what is expected from now on

            """
        )
    )
    #expect(
      try await terminal.run("run", "a.jsonl")
        == .init(status: 0, output: "a.jsonl: identical, through action 16\n")
    )
    let text = try terminal.folder.read("a.jsonl")
    #expect(text.hasPrefix(SampleLog.lines[0] + "\n" + SampleLog.lines[1] + "\n"))
    terminal.change = .none
    #expect(try await terminal.run("run", "a.jsonl").status == 1)
  }

  @Test func `run --accept rewrites only logs that diverge if a file has several`() async throws {
    let cut = SampleLog.lines.prefix(2).joined(separator: "\n") + "\n"
    try terminal.folder.write(cut + SampleLog.text + "\n" + cut, to: "many.jsonl")
    terminal.change = .countsByTwo
    #expect(try await terminal.run("run", "--accept", "many.jsonl").status == 0)
    let text = try terminal.folder.read("many.jsonl")
    #expect(text.hasPrefix(cut))
    #expect(text.hasSuffix(#""reason":"closed"}"# + "\n" + cut))
    #expect(try await terminal.run("run", "many.jsonl").status == 0)
  }

  @Test func `run --accept refuses a replay that would diverge again`()
    async throws
  {
    // The log does not contain the code's new reads, and does not get them.
    terminal.change = .readsDate
    let result = try await terminal.run("run", "--accept", "a.jsonl")
    #expect(result.status == 1)
    #expect(
      result.output.hasSuffix(
        "  not accepted: the replayed log does not replay the same: diverged at action 2: reads date;"
          + " record it again\n"
      ),
      "\(result)"
    )
    #expect(try terminal.folder.read("a.jsonl") == SampleLog.text)
    let names = try FileManager.default.contentsOfDirectory(atPath: terminal.folder.path)
    #expect(names.sorted() == ["a.jsonl", "standard-input"])
  }

  @Test("run --accept leaves out actions of effects that no longer exist, and their consequences")
  func whatDeadEffectsSentIsLeftOut() async throws {
    let recorded = SampleLog.text.replacing(
      #""seq":5,"at":50,"origin":"view""#,
      with: #""seq":5,"at":50,"origin":{"reentrant":4}"#
    ).replacing(
      #""seq":16,"at":90,"origin":"parent""#,
      with: #""seq":16,"at":90,"origin":{"effect":"5.0"}"#
    )
    try terminal.folder.write(recorded, to: "a.jsonl")
    terminal.change = .dropsEffect
    let result = try await terminal.run("run", "--accept", "a.jsonl")
    #expect(result.status == 0)
    #expect(
      result.output.hasSuffix(
        """
          accepted: this is what is expected from now on
          left out, because nothing in the replay can have sent it:
            action 4: effect 3.0 is not running in the replay
            action 5: the replay has no action that sent it
            action 16: the replay has no action that started the effect

        """
      ),
      "\(result)"
    )
    let text = try terminal.folder.read("a.jsonl")
    #expect(text.contains(#""seq":4,"at":60,"origin":"view","action":{"burst":{}}"#))
    #expect(!text.contains("loaded"))
    // The removed effects leave neither their events nor entries in checkpoints.
    #expect(!text.contains(#""id":"3.0""#))
    #expect(!text.contains(#""name":"load""#))
    #expect(
      text.contains(
        #"{"kind":"checkpoint","seq":7,"state":{"count":4,"id":"A-1"},"effects":[]}"#
      )
    )
    #expect(text.contains(#""id":"8.2","event":"finished","sent":1"#))
    #expect(
      try await terminal.run("run", "a.jsonl")
        == .init(status: 0, output: "a.jsonl: identical, through action 13\n")
    )
  }

  @Test("run --accept leaves out an excluded action of an effect that no longer exists")
  func excludedActionsOfDeadEffects() async throws {
    var lines = SampleLog.lines
    lines[9...10] = [
      #"{"kind":"excluded","seq":4,"at":40,"origin":{"effect":"3.0"},"patch":[{"op":"replace","path":"/count","value":7}],"effects":[]}"#
    ]
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    terminal.change = .dropsEffect
    let result = try await terminal.run("run", "--accept", "a.jsonl", "--format", "json")
    #expect(result.output.contains(#""accepted":true,"leftOut":[4]"#), "\(result)")
    #expect(!(try terminal.folder.read("a.jsonl").contains("excluded")))
    #expect(try await terminal.run("run", "a.jsonl").status == 0)
  }

  @Test("run --accept corrects the number of actions that an effect has sent")
  func effectsThatEndEarlier() async throws {
    let log =
      SampleLog.lines[...1].joined(separator: "\n") + #"""

        {"kind":"action","seq":1,"at":1,"origin":"view","action":{"load":{}}}
        {"kind":"change","seq":1,"patch":[],"effects":[{"id":"1.0","op":"run","name":"load","cancelID":{"type":"CancelID","value":"load"},"cancelInFlight":true,"input":1,"priority":"high"}]}
        {"kind":"action","seq":2,"at":2,"origin":{"effect":"1.0"},"action":{"loaded":{"_0":7}}}
        {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/count","value":7}]}
        {"kind":"action","seq":3,"at":3,"origin":"view","action":{"cancel":{}}}
        {"kind":"change","seq":3,"patch":[]}
        {"kind":"action","seq":4,"at":4,"origin":{"effect":"1.0"},"action":{"loaded":{"_0":8}}}
        {"kind":"change","seq":4,"patch":[{"op":"replace","path":"/count","value":8}]}
        {"kind":"effect","id":"1.0","event":"finished","sent":2,"at":5}
        {"kind":"checkpoint","seq":4,"state":{"count":8,"id":""},"effects":[],"nextStackElement":3,"new":1}
        {"kind":"note","seq":4,"at":6,"text":"seen"}

        """#
    try terminal.folder.write(log, to: "a.jsonl")
    let result = try await terminal.run("run", "--accept", "a.jsonl", "--format", "json")
    #expect(result.output.contains(#""accepted":true,"leftOut":[4]"#), "\(result)")
    let text = try terminal.folder.read("a.jsonl")
    #expect(text.contains(#""id":"1.0","event":"finished","sent":1"#))
    // Events that the replay does not produce stay.
    #expect(
      text.contains(
        #""seq":3,"state":{"count":7,"id":""},"effects":[],"nextStackElement":3,"new":1"#
      )
    )
    #expect(text.contains(#"{"kind":"note","seq":3,"#))
    #expect(try await terminal.run("run", "a.jsonl").status == 0)
    #expect(try await terminal.run("verify", "a.jsonl").status == 0)
  }

  @Test("run --accept leaves out a dismissal sent by an effect that no longer starts")
  func dismissalsOfEffectsThatNeverWere() async throws {
    let log = SampleLog.text.replacing(
      #""seq":16,"at":90,"origin":"parent""#,
      with: #""seq":16,"at":90,"origin":{"effect":"3.0","via":"dismiss"}"#
    )
    try terminal.folder.write(log, to: "a.jsonl")
    terminal.change = .dropsEffect
    let result = try await terminal.run("run", "--accept", "a.jsonl", "--format", "json")
    #expect(result.output.contains(#""accepted":true,"leftOut":[4,16]"#), "\(result)")
    #expect(try await terminal.run("verify", "a.jsonl").status == 0)
  }

  @Test("run --junit does not overwrite a log, unless --force is given")
  func reportsOverLogs() async throws {
    let result = try await terminal.run("run", "a.jsonl", "--junit", "a.jsonl")
    #expect(result.status == 73)
    #expect(result.output == "")
    #expect(try terminal.folder.read("a.jsonl") == SampleLog.text)
    #expect(try await terminal.run("run", "a.jsonl", "--junit", "a.jsonl", "--force").status == 0)
    #expect(try terminal.folder.read("a.jsonl").hasPrefix("<?xml"))
  }

  @Test func `run --accept --format json lists the actions that it left out`() async throws {
    terminal.change = .dropsEffect
    let result = try await terminal.run("run", "--accept", "a.jsonl", "--format", "json")
    #expect(result.output.contains(#""accepted":true,"leftOut":[4]"#), "\(result)")
  }

  @Test("run --accept writes checkpoints with the effects that are alive in the replay")
  func checkpointsOfWhatIsAccepted() async throws {
    let chain =
      SampleLog.lines[...1]
      + SampleLog.lines[7...8].map {
        $0.replacing(#""seq":3"#, with: #""seq":1"#).replacing("3.0", with: "1.0")
      }
      + [#"{"kind":"checkpoint","seq":1,"state":{"count":0,"id":""},"effects":[]}"#]
    try terminal.folder.write(chain.joined(separator: "\n") + "\n", to: "a.jsonl")
    terminal.change = .renamesEffect
    #expect(try await terminal.run("run", "--accept", "a.jsonl").status == 0)
    #expect(
      try terminal.folder.read("a.jsonl").split(separator: "\n").last?.contains(
        #""seq":1,"state":{"count":0,"id":""},"effects":[{"id":"1.0","op":"run","name":"fetch""#
      ) == true
    )
  }

  @Test func `run --accept --expected writes the verdict beside the log`() async throws {
    terminal.change = .countsByTwo
    let result = try await terminal.run("run", "--accept", "--expected", "a.jsonl")
    #expect(result.status == 0)
    #expect(
      try terminal.folder.read("a.verdict.json")
        == #"{"verdict":"diverged","at":1,"cause":"state","paths":["/count"]}"# + "\n"
    )
    #expect(try await terminal.run("run", "--expected", "a.jsonl").status == 0)
    #expect(try terminal.folder.read("a.jsonl") == SampleLog.text)
  }

  @Test func `run --accept explains why a log cannot be replaced`() async throws {
    terminal.change = .refuses
    let result = try await terminal.run("run", "--accept", "a.jsonl")
    #expect(result.status == 1)
    #expect(
      result.output.hasSuffix(
        "  not accepted: only a divergence has a log that can replace this one; record it again\n"
      )
    )
    terminal.change = .countsByTwo
    terminal.input = SampleLog.text
    #expect(
      try await terminal.run("run", "--accept", "-").output.hasSuffix(
        "  not accepted: standard input has no file that can be rewritten\n"
      )
    )
    #expect(
      try await terminal.run("run", "--accept", "--until", "3", "a.jsonl")
        == .init(
          status: 64,
          output: "",
          error: "tca-replay: '--accept' and '--until' exclude each other; give one of them\n"
            + "see 'tca-replay run --help'\n"
        )
    )
  }
}

/// `.tca-replay.json`, the environment and the options, in ascending precedence.
@MainActor @Suite struct SettingsTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
  }

  @Test(
    arguments: [
      ("{", "the text ends in the middle of a JSON value, at byte 1"),
      ("[]", "found [], expected a JSON object"),
      (
        #"{"hots":"x"}"#,
        "there is no setting 'hots'; expected host, ignore or timeout; did you mean 'host'?"
      ),
      (#"{"host":1}"#, "'host': found 1, expected the path of a host"),
      (
        #"{"ignore":"/a"}"#,
        #"'ignore': found "/a", expected an array of places such as "clock" or "rows[*].title""#
      ),
      (
        #"{"ignore":["a b"]}"#,
        #"'ignore': found ["a b"], expected an array of places such as "clock" or "rows[*].title""#
      ),
      (#"{"timeout":0}"#, "'timeout': found 0, expected a time in seconds"),
    ]
  )
  func `run explains a mistake in the settings file`(text: String, message: String) async throws {
    try terminal.folder.write(text, to: ".tca-replay.json")
    #expect(
      try await terminal.run("run", "a.jsonl")
        == .init(status: 64, output: "", error: "tca-replay: .tca-replay.json: \(message)\n")
    )
  }

  @Test("analyses take host, timeout and ignored paths from the settings file as run does")
  func analyses() throws {
    let text = #"{"host":"/bin/settled","timeout":7,"ignore":["/clock"]}"#
    try terminal.folder.write(text, to: ".tca-replay.json")
    var context = CommandContext(
      program: CommandLineTool.Program(name: "tca-replay", version: "1", executable: "self"),
      features: FeatureCatalog([]),
      console: .standard(environment: [:]),
      makeReplayStarter: PersistentHost.starter
    )
    context.folder = terminal.folder.path
    let plain = try ParsedArguments(["a", "-o", "b", "--traps"], syntax: MinimizeCommand.syntax)
    let options = try context.replayOptions(plain)
    #expect(options.host == "/bin/settled")
    #expect(options.timeout == 7)
    #expect(options.comparison.ignored == [JSON.Pointer(["clock"])])
    let given = try ParsedArguments(
      ["a", "-o", "b", "--traps", "--timeout", "3"],
      syntax: MinimizeCommand.syntax
    )
    #expect(try context.replayOptions(given).timeout == 3)
  }

  @Test func `run prefers the host of --host, then of the environment, then of the settings`()
    throws
  {
    try terminal.folder.write(#"{"host":"bin/settled"}"#, to: ".tca-replay.json")
    var context = CommandContext(
      program: CommandLineTool.Program(name: "tca-replay", version: "1", executable: "self"),
      features: FeatureCatalog([]),
      console: .standard(environment: [:]),
      makeReplayStarter: PersistentHost.starter
    )
    context.folder = terminal.folder.path
    let plain = try ParsedArguments(["a"], syntax: RunCommand.syntax)
    #expect(try context.host(plain) == terminal.folder.path + "/bin/settled")
    context.environment["TCA_REPLAY_HOST"] = "/other"
    #expect(try context.host(plain) == "/other")
    context.environment["TCA_REPLAY_HOST"] = ""
    #expect(try context.host(plain) == nil)
    let given = try ParsedArguments(["a", "--host", "/given"], syntax: RunCommand.syntax)
    #expect(try context.host(given) == "/given")
  }
}
