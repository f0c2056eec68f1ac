import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayCommandLine

@MainActor @Suite struct ResultsTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    terminal.times = [0]
    try terminal.folder.write(SampleLog.text, to: "d/a.jsonl")
    try terminal.folder.write(SampleLog.text + "\n" + SampleLog.text, to: "d/b.jsonl")
    try terminal.folder.write("no log", to: "d/c.jsonl")
    for name in ["results", "old", "new", "r"] {
      try terminal.folder.write("", to: "\(name).jsonl")
    }
  }

  private func lines(_ name: String = "results.jsonl") throws -> [JSON] {
    try terminal.folder.read(name).replacing(terminal.folder.path + "/", with: "")
      .split(separator: "\n").map { try JSON(parsing: Data($0.utf8)) }
  }

  /// Returns a line without the parts that differ between runs.
  private func essence(_ json: JSON) -> JSON {
    var object = json.object ?? [:]
    for name in ["host", "finishedAt", "seconds"] { object[name] = nil }
    return .object(object)
  }

  @Test func `summarize --merge overwrites only a file of results, unless --force is given`()
    async throws
  {
    _ = try await terminal.run("run", "d/a.jsonl", "--results", "results.jsonl")
    let merge = ["summarize", "results.jsonl", "--merge", terminal.folder.path + "/merged"]
    for (content, message) in [
      (SampleLog.text, "merged is a log that 'summarize' has not written"),
      ("notes\n", "merged is not a file of results"),
    ] {
      try terminal.folder.write(content, to: "merged")
      let result = try await terminal.run(merge)
      #expect(result.status == 73)
      #expect(
        result.error
          == "tca-replay: \(message); expected another name, or --force to write over it\n"
      )
      #expect(try terminal.folder.read("merged") == content)
    }
    #expect(try await terminal.run(merge + ["--force"]).status == 0)
    // The file is now one of results.
    #expect(try await terminal.run(merge).status == 0)
    #expect(try lines("merged").count == 1)
  }

  @Test func `summarize refuses a file without results`() async throws {
    try terminal.folder.write("", to: "r.jsonl")
    #expect(
      try await terminal.run("summarize", "r.jsonl")
        == .init(
          status: 66,
          output: "",
          error: "tca-replay: there is no result in r.jsonl: nothing was replayed; "
            + "expected lines that 'run --results' has written\n"
        )
    )
  }

  @Test func `run --results writes a line for each log`() async throws {
    terminal.change = .countsByTwo
    let run = try await terminal.run("run", "d", "--results", "results.jsonl", "--jobs", "1")
    #expect(run.status == 65)
    let lines = try lines()
    #expect(lines.map { $0["log"] } == ["d/a.jsonl", "d/b.jsonl#1", "d/b.jsonl#2", "d/c.jsonl"])
    #expect(lines.map { $0["verdict"] } == ["diverged", "diverged", "diverged", "unreadable"])
    #expect(lines.map { $0["status"] } == [1, 1, 1, 65])
    #expect(Set(lines.prefix(3).map { $0["fingerprint"] }).count == 1)
    var expected: JSON.Object = [
      "result": 1, "log": "d/b.jsonl#1", "verdict": "diverged", "status": 1,
    ]
    expected["logs"] = 2
    expected["at"] = 1
    expected["actions"] = 1
    expected["bytes"] = .number(JSON.Number(SampleLog.text.utf8.count * 2 + 1))
    expected["symptom"] = "diverged: state count, action .increment"
    expected["options"] = ""
    for name in ["digest", "fingerprint", "id", "feature", "startedAt", "recorder"] {
      let value = try #require(lines[1][name])
      expected[name] = value
    }
    #expect(essence(lines[1]) == .object(expected))
  }

  @Test("run --resume skips logs for which the results of this host exist")
  func resume() async throws {
    let first = try await terminal.run(
      "run",
      "d/a.jsonl",
      "d/b.jsonl",
      "--results",
      "results.jsonl",
      "--jobs",
      "1"
    )
    #expect(first.status == 0)
    // A host that would give another result is not asked.
    terminal.change = .countsByTwo
    let second = try await terminal.run(
      "run",
      "d",
      "--results",
      "results.jsonl",
      "--resume",
      "--jobs",
      "1"
    )
    #expect(second.status == 65)
    #expect(
      second.error
        == "tca-replay: 3 logs not replayed again: this host has results of them\n"
    )
    #expect(
      try lines().map { $0["log"] } == [
        "d/a.jsonl", "d/b.jsonl#1", "d/b.jsonl#2", "d/c.jsonl",
      ]
    )
    // A changed log or another option invalidates the result.
    try terminal.folder.write(SampleLog.text + "\n", to: "d/a.jsonl")
    _ = try await terminal.run(
      "run",
      "d/a.jsonl",
      "--results",
      "results.jsonl",
      "--resume",
      "--jobs",
      "1"
    )
    _ = try await terminal.run(
      "run",
      "d/a.jsonl",
      "--strict",
      "--results",
      "results.jsonl",
      "--resume",
      "--jobs",
      "1"
    )
    #expect(try lines().suffix(2).map { $0["options"] } == ["", "--strict"])
    #expect(try lines().count == 6)
  }

  @Test("run --resume replays a log again if the line of its result is incomplete")
  func torn() async throws {
    _ = try await terminal.run(
      "run",
      "d/a.jsonl",
      "d/b.jsonl",
      "--results",
      "results.jsonl",
      "--jobs",
      "1"
    )
    let text = try terminal.folder.read("results.jsonl")
    try terminal.folder.write(String(text.dropLast(20)), to: "results.jsonl")
    let again = try await terminal.run(
      "run",
      "d/a.jsonl",
      "d/b.jsonl",
      "--results",
      "results.jsonl",
      "--resume",
      "--jobs",
      "1"
    )
    #expect(again.status == 0)
    #expect(
      again.error == "tca-replay: 1 log not replayed again: this host has results of them\n"
    )
    let summary = try await terminal.run("summarize", "results.jsonl")
    #expect(
      summary
        == .init(
          status: 0,
          output: """
            3 logs, all passed

            1 line is no result, such as one that was cut when its process ended; it was left out

            """
        )
    )
  }

  @Test(
    "run --results refuses to overwrite existing results or another file",
    arguments: [
      (
        ["run", "d/a.jsonl", "--results", "results.jsonl"], 73 as Int32,
        "results.jsonl has results already; --resume finds only those that it lacks, --force starts again"
      ),
      (
        ["run", "d/a.jsonl", "--results", "d/a.jsonl", "--resume"], 65,
        "d/a.jsonl holds no results; expected lines that 'run --results' has written"
      ),
      (["run", "d/a.jsonl", "--resume"], 64, "'--resume' works only with '--results'"),
      (
        ["run", "d/a.jsonl", "--results", "-", "--resume"], 64,
        "invalid value '-' for '--results'; expected a file with --resume"
      ),
      (["run"], 64, "'run' needs 'LOG...' or '--files-from LIST'"),
      (["run", "--files-from", "none"], 66, "there is no file none"),
      (
        ["run", "--files-from", "d/a.jsonl", "--shard", "1/2"], 64,
        "'--files-from' and '--shard' exclude each other; give one of them"
      ),
      (
        ["run", "--files-from", "-", "-"], 64,
        "'run' can read standard input only once; give one of the two as a file"
      ),
      (
        ["run", "d/a.jsonl", "--results", "r.jsonl", "--watch"], 64,
        "'--watch' and '--results' exclude each other; give one of them"
      ),
      (["run", "d/a.jsonl", "--results", "/dev/full"], 74, "/dev/full: No space left on device"),
      (["summarize", "none.jsonl"], 66, "there is no file none.jsonl"),
      (
        ["summarize", "d/a.jsonl"], 65,
        "d/a.jsonl holds no results; expected lines that 'run --results' has written"
      ),
    ]
  )
  func mistakes(arguments: [String], status: Int32, message: String) async throws {
    _ = try await terminal.run("run", "d/b.jsonl", "--results", "results.jsonl")
    let before = try terminal.folder.read("results.jsonl")
    let result = try await terminal.run(arguments)
    #expect(result.status == status)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(try terminal.folder.read("results.jsonl") == before)
    #expect(try terminal.folder.read("d/a.jsonl") == SampleLog.text)
  }

  @Test("run --files-from replays listed logs and reports them under the names in the list")
  func list() async throws {
    let folder = terminal.folder.path
    let list = """
      \(folder)/d/a.jsonl
      {"path":"\(folder)/d/b.jsonl","log":"hdfs://logs/b.jsonl"}

      \(folder)/none.jsonl
      {"path":"\(folder)/d/none.jsonl","log":"hdfs://logs/none.jsonl"}
      {"log":"c"}
      \(folder)/d
      """
    try terminal.folder.write(list, to: "list")
    terminal.input = list
    for name in ["list", "-"] {
      let run = try await terminal.run(
        ["run", "--files-from", name, "--results", "results.jsonl", "--jobs", "1", "--force"]
      )
      #expect(run.status == 66)
      #expect(
        run.output == """
          d/a.jsonl: identical, through action 16
          hdfs://logs/b.jsonl#1: identical, through action 16
          hdfs://logs/b.jsonl#2: identical, through action 16
          none.jsonl: there is no file none.jsonl
          hdfs://logs/none.jsonl: there is no file hdfs://logs/none.jsonl
          {"log":"c"}: line 6 of the list names no log; expected a path, or {"path":"a.jsonl","log":"its name"}
          d/a.jsonl: identical, through action 16
          d/b.jsonl#1: identical, through action 16
          d/b.jsonl#2: identical, through action 16
          d/c.jsonl: line 1 is not JSON: found 'o' where 'null' was expected, at byte 1
          10 logs, 4 failed
            2 × there is no file LOG
                none.jsonl, hdfs://logs/none.jsonl
            1 × line N of the list names no log; expected a path, or {"path":"a.jsonl","log":"its name"}
                {"log":"c"}
            1 × line N is not JSON: found 'o' where 'null' was expected, at byte N
                d/c.jsonl

          """
      )
      #expect(try lines().count == 10)
      #expect(try lines()[1]["log"] == "hdfs://logs/b.jsonl#1")
    }
  }

  @Test("summarize --baseline reports which causes of failures are new, known and gone")
  func baseline() async throws {
    terminal.change = .changesSentAction
    _ = try await terminal.run("run", "d/a.jsonl", "d/c.jsonl", "--results", "old.jsonl")
    terminal.change = .countsByTwo
    _ = try await terminal.run(
      "run",
      "d/a.jsonl",
      "d/b.jsonl",
      "d/c.jsonl",
      "--results",
      "new.jsonl"
    )
    let result = try await terminal.run("summarize", "new.jsonl", "--baseline", "old.jsonl")
    let fingerprints = try (lines("new.jsonl") + lines("old.jsonl"))
      .compactMap { $0["fingerprint"]?.string }
    #expect(result.status == 1)
    #expect(
      result.output == """
        4 logs, 4 failed for 2 causes

        causes, the most frequent first
          3 logs  diverged: state count, action .increment  new
            \(fingerprints[0]), such as d/a.jsonl
          1 log  line N is not JSON: found 'o' where 'null' was expected, at byte N  known, 1 before
            \(fingerprints[3]), such as d/c.jsonl

        causes that only the baseline has
          \(fingerprints[4])  diverged: effects */action, action .first, 1 log before

        """
    )
    let same = try await terminal.run("summarize", "new.jsonl", "--baseline", "new.jsonl")
    #expect(same.status == 0)
  }

  @Test("run --reference-host compares the replays of two builds instead of replay and recording")
  func reference() async throws {
    terminal.makeReplayStarter = {
      { log, options in
        InProcessReplay(
          ReplaySession(isPruning: options.isPruning, events: try log.events()) { _ in
            CounterEngine(options.host == "old" ? .countsByTwo : .changesSentAction)
          }
        )
      }
    }
    let other = try await terminal.run(
      "run",
      "d/a.jsonl",
      "--host",
      "new",
      "--reference-host",
      "old"
    )
    #expect(other.status == 1)
    #expect(other.output.hasPrefix("d/a.jsonl: diverged at action 1: state count\n"))
    #expect(other.output.contains("      − 2\n      + 1\n"), "\(other.output)")
    #expect(other.output.contains(" d/a.jsonl --continue --host new --reference-host old  #"))
    let same = try await terminal.run(
      "run",
      "d/a.jsonl",
      "--host",
      "old",
      "--reference-host",
      "old"
    )
    #expect(same == .init(status: 0, output: "d/a.jsonl: identical, through action 16\n"))
    #expect(try await terminal.run("run", "d/a.jsonl", "--host", "old").status == 1)
  }

  @Test func `run --aligned reports the differences between the replays of two builds`()
    async throws
  {
    terminal.makeReplayStarter = {
      { log, options in
        InProcessReplay(
          ReplaySession(isPruning: options.isPruning, events: try log.events()) { _ in
            CounterEngine(options.host == "old" ? .none : .changesSentAction)
          }
        )
      }
    }
    func run(_ options: String...) async throws -> Terminal.Result {
      let hosts = ["--host", "new", "--reference-host", "old"]
      return try await terminal.run(["run", "d/a.jsonl"] + hosts + options)
    }
    let first = try await run("--aligned")
    #expect(first.status == 1)
    #expect(
      first.output == """
        d/a.jsonl: diverged at action 7: effects 7.0/action

          action 7  .first
            sent by effect 6.0 of action 6  .burst
            action 6 sent by the view

          − recorded, + replayed
          effects
            effect 7.0: action
              − .third
              + .second

          next:
            tca-replay show d/a.jsonl --range 7                                            # the action as it was recorded
            tca-replay run d/a.jsonl --continue --host new --reference-host old --aligned  # whether later actions differ, too

        """
    )
    let all = try await run("--aligned", "--continue")
    #expect(
      all.output.contains(
        """

          diverged at action 9: action

          action 9  .third
            sent by effect 7.0 of action 7  .first
            action 7 sent by effect 6.0 of action 6  .burst
            action 6 sent by the view

          − recorded, + replayed
          action
            − .third
            + .second

        """
      ),
      "\(all.output)"
    )
    let same = try await terminal.run(
      ["run", "d/a.jsonl", "--host", "old", "--reference-host", "old", "--aligned"]
    )
    #expect(same == .init(status: 0, output: "d/a.jsonl: identical, through action 16\n"))
  }

  @Test(arguments: [
    (["--aligned"], "'--aligned' works only with '--reference-host'"),
    (
      ["--aligned", "--reference-host", "old", "--invariants", "invariants.txt"],
      "'--aligned' and '--invariants' exclude each other; give one of them"
    ),
    (
      ["--aligned", "--reference-host", "old", "--pause-before", "2"],
      "'--aligned' and '--pause-before' exclude each other; give one of them"
    ),
  ])
  func `run --aligned requires a reference host, and refuses --invariants`(
    options: [String],
    message: String
  ) async throws {
    let result = try await terminal.run(["run", "d/a.jsonl"] + options)
    #expect(result.status == 64)
    #expect(result.error.hasPrefix("tca-replay: \(message)"), "\(result.error)")
  }

  @Test func `summarize links to the pages of a run`() async throws {
    try terminal.folder.write("no log", to: "d/a.jsonl")
    _ = try await terminal.run("run", "d/a.jsonl", "--results", "r.jsonl")
    func summary(_ format: String, _ pages: String) async throws -> Terminal.Result {
      try await terminal.run("summarize", "r.jsonl", "--format", format, "--pages", pages)
    }
    let page = try await summary("html", "my pages#1").output
    #expect(
      page.contains(
        #"<a href="./my%20pages%231/index.html">The pages of the logs that fail</a>"#
      ),
      "\(page)"
    )
    // Each cause leads to its logs.
    #expect(
      page.contains(/<a href=".\/my%20pages%231\/index.html#1[0-9a-f]{15}"><code>/),
      "\(page)"
    )
    let markdown = try await summary("markdown", "javascript:x").output
    #expect(
      markdown.contains("[The pages of the logs that fail](./javascript%3Ax/index.html)"),
      "\(markdown)"
    )
    #expect(try await summary("text", "pages").status == 64)
  }

  @Test("summarize escapes names of logs in HTML and Markdown")
  func hostile() async throws {
    try terminal.folder.write("no log", to: "d/<b>|`x`.jsonl")
    _ = try await terminal.run("run", "d/<b>|`x`.jsonl", "--results", "r.jsonl")
    let page = try await terminal.run("summarize", "r.jsonl", "--format", "html").output
    #expect(page.contains("<code>d/&lt;b&gt;|`x`.jsonl</code>"))
    let markdown = try await terminal.run("summarize", "r.jsonl", "--format", "markdown").output
    #expect(markdown.contains("`d/<b>\\|'x'.jsonl`"))
  }
}
