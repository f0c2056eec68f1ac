import Foundation
import TestSupport
import Testing

/// Signals that end commands in the middle of their work: the partial results and the leftovers.
@Suite("Interrupts") struct InterruptTests {
  static let signals = [SIGHUP, SIGINT, SIGTERM]

  /// Returns a host whose child hangs instead of sending a header if the shell's condition holds.
  ///
  /// It first signals that it started.
  private static func host(
    at place: WorkPlace,
    _ sign: WorkPlace.Sign,
    when condition: String
  ) throws -> String {
    try place.work.script(
      """
      # It only knows the filter, whose lines are counted.
      [ "$1" = serve ] && exit 64
      '\(Tool.replay.path)' "$@" | while IFS= read -r line; do
        case "$line" in '{"kind":"header"'*)
          n=$((n + 1))
          if \(condition); then
            echo x > '\(sign.path)'
            sleep 1000
          fi
        esac
        printf '%s\\n' "$line"
      done

      """,
      named: "host"
    )
  }

  // MARK: - run

  struct Format: Sendable, CustomTestStringConvertible {
    let name: String
    let output: String
    var testDescription: String { name }
  }

  static let formats = [
    Format(
      name: "text",
      output: """
        a.jsonl: identical, through action 12
        b.jsonl: identical, through action 12
        2 logs, all passed, 2 not replayed; interrupted by SIGINT

        """
    ),
    Format(
      name: "json",
      output: """
        {"logs":[{"log":"a.jsonl","verdict":"identical","actions":12,"status":0},\
        {"log":"b.jsonl","verdict":"identical","actions":12,"status":0}],\
        "well":2,"notWell":0,"notReplayed":2,"groups":[],"isPartial":true}

        """
    ),
    Format(
      name: "github",
      output: """
        a.jsonl: identical, through action 12
        b.jsonl: identical, through action 12
        2 logs, all passed, 2 not replayed; interrupted by SIGINT

        """
    ),
  ]

  @Test("an interrupted run gives the verdicts of the logs that were complete", arguments: formats)
  func run(format: Format) throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let isHanging = #"case $line in *'"hang"'*) true;; *) false;; esac"#
    let host = try Self.host(at: place, sign, when: isHanging)
    let log = try String(contentsOfFile: Project.sample("counter.jsonl"), encoding: .utf8)
    for name in ["a", "b", "c", "d"] {
      let id = name == "c" ? "hang" : name
      try place.work.write(
        log.replacing(/"id":"[^"]*"/, with: "\"id\":\"\(id)\"", maxReplacements: 1),
        to: "\(name).jsonl"
      )
    }
    let tool = try place.start(
      ["run", "a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl", "--jobs", "1", "--host", host]
        + ["--format", format.name, "--junit", "out.xml"]
    )
    try sign.wait()
    #expect(tool.interrupt(by: SIGINT))
    #expect(tool.output == format.output)
    #expect(tool.error == "tca-replay: interrupted by SIGINT: the result is partial\n")
    let junit = try place.work.read("out.xml")
    #expect(junit.contains(#"<property name="interrupted" value="SIGINT"/>"#))
    #expect(junit.contains(#"tests="2" failures="0" errors="0""#))
    try checkNothingIsLeft(of: place)
  }

  // MARK: - Analyses

  @Test("an interrupted audit compares the replays that were complete")
  func audit() throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let host = try place.work.script(
      """
      echo x >> count
      if [ $(wc -l < count) = 4 ]; then echo x > '\(sign.path)'; sleep 1000; fi
      exec '\(Tool.replay.path)' "$@"

      """,
      named: "host"
    )
    let tool = try place.start(
      ["audit", Project.sample("counter.jsonl"), "--runs", "6", "--seed", "1", "--jobs", "1"]
        + ["--host", host]
    )
    try sign.wait()
    #expect(tool.interrupt(by: SIGINT))
    #expect(
      tool.output
        == "\(Project.sample("counter.jsonl")): the same in 3 replays and as recorded; interrupted by SIGINT;"
        + " --seed 1 repeats the audit\n"
    )
    #expect(tool.error == "tca-replay: interrupted by SIGINT: the result is partial\n")
    try checkNothingIsLeft(of: place)
  }

  /// Returns a host that hangs when it receives the log for the n-th time.
  ///
  /// The first time, it is asked for the version of the log's values.
  private static func host(
    at place: WorkPlace,
    _ sign: WorkPlace.Sign,
    inReplay number: Int
  ) throws -> String {
    let isNext =
      #"case $line in *'"feature":"'[A-Z]*) echo x >> count; [ $(wc -l < count) = \#(number) ];; *) false;; esac"#
    return try host(at: place, sign, when: isNext)
  }

  @Test("an interrupted minimize writes the shortest log that it had found")
  func minimize() throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let log = Project.sample("counter.jsonl")
    let tool = try place.start(
      ["minimize", log, "--when", "$.state.count == 2", "-o", "out", "--jobs", "1"]
        + ["--host", try Self.host(at: place, sign, inReplay: 7)]
    )
    try sign.wait()
    #expect(tool.interrupt(by: SIGINT))
    #expect(
      tool.output == """
        \(log): 12 actions from outside reduced to 2 in 5 replays; interrupted by SIGINT, so there may be fewer; \
        written to out
          action 1  .incrementButtonTapped
          action 2  .incrementButtonTapped

        """
    )
    #expect(tool.error == "tca-replay: interrupted by SIGINT: the result is partial\n")
    try checkNothingIsLeft(of: place)
    let run = try Tool.replay.run("run", "out", in: place.work.path)
    #expect(run.output == "out: identical, through action 2\n")
  }

  struct Search: Sendable, CustomTestStringConvertible {
    /// The replay during which the search is interrupted.
    ///
    /// The last replay only confirms the result of the previous one.
    let replay: Int
    let output: String
    var testDescription: String { "replay \(replay)" }
  }

  static let searches = [
    Search(
      replay: 7,
      output: """
        LOG: $.state.savedRevision >= $.before.savedRevision holds in all orders that were tried
        Each order was replayed from the start: the host does not search in memory.
        92 transitions, 61 different places; interrupted by SIGINT

        """
    ),
    Search(
      replay: 41,
      output: """
        LOG: $.state.savedRevision >= $.before.savedRevision does not hold in every order
        Each order was replayed from the start: the host does not search in memory.

          action 7  .saved(revision: 2), sent by effect 6.0, comes after action 38

          $.state.savedRevision >= $.before.savedRevision does not hold after action 38  .saved(revision: 2), \
        which was action 7

        351 transitions, 212 different places; interrupted by SIGINT

        """
    ),
  ]

  @Test(
    "an interrupted explore reports its violation, or that it had found none",
    arguments: searches
  )
  func explore(search: Search) throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let log = Project.sample("draft.jsonl")
    let tool = try place.start(
      ["explore", log, "--invariant", "$.state.savedRevision >= $.before.savedRevision"]
        + ["--host", try Self.host(at: place, sign, inReplay: search.replay)]
    )
    try sign.wait()
    #expect(tool.interrupt(by: SIGINT))
    #expect(tool.output.replacing(log, with: "LOG") == search.output)
    #expect(tool.error == "tca-replay: interrupted by SIGINT: the result is partial\n")
    try checkNothingIsLeft(of: place)
  }

  @Test("an interrupted command without a result reports the interruption and writes no file")
  func nothingToShow() throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let host = try Self.host(at: place, sign, when: "[ $n = 1 ]")
    let tool = try place.start(
      ["minimize", Project.sample("counter.jsonl"), "--when", "$.seq == 2", "-o", "out"]
        + ["--host", host]
    )
    try sign.wait()
    #expect(tool.interrupt(by: SIGINT))
    #expect(tool.output == "")
    #expect(tool.error == "tca-replay: interrupted by SIGINT: there is no result yet\n")
    #expect(!place.work.contains("out"))
    try checkNothingIsLeft(of: place)
  }

  @Test("a second signal ends a command at once, whatever its host does")
  func secondSignal() throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let host = try place.work.script(
      "trap '' INT HUP TERM\necho x > '\(sign.path)'\nwhile :; do sleep 1000; done\n",
      named: "host"
    )
    let tool = try place.start(["audit", Project.sample("counter.jsonl"), "--host", host])
    try sign.wait()
    kill(tool.process.processIdentifier, SIGINT)
    #expect(tool.interrupt(by: SIGINT))
    try checkNothingIsLeft(of: place)
  }

  @Test("an interrupted record closes its log", arguments: signals)
  func record(number: Int32) throws {
    let place = try WorkPlace()
    try place.work.write(
      "{\"addButtonTapped\":{}}\n{\"addButtonTapped\":{}}\n{\"$wait\":1000}\n{\"addButtonTapped\":{}}\n",
      to: "actions"
    )
    let log = place.work.path + "/log.jsonl"
    let tool = try place.start(["record", "Todos", "--actions", "actions", "-o", log])
    while ((try? place.work.read("log.jsonl")) ?? "").matches(of: /"kind":"change"/).count < 2,
      tool.process.isRunning
    {
      usleep(1000)
    }
    #expect(tool.interrupt(by: number))
    #expect(tool.output == "recorded 2 actions in \(log)\n")
    #expect(tool.error.hasSuffix(": the result is partial\n"), "\(tool.error)")
    let lines = try place.work.read("log.jsonl").split(separator: "\n")
    #expect(lines.last == #"{"kind":"end","seq":2,"reason":"closed"}"#)
    let run = try Tool.replay.run("run", log)
    #expect(run.output == "\(log): identical, through action 2\n")
    #expect(place.processes == [])
  }

  // MARK: - bisect

  /// Returns a repository whose middle commits never finish building.
  private func repository(
    _ place: WorkPlace,
    _ sign: WorkPlace.Sign
  ) throws -> BisectTests.Repository {
    let repository = try BisectTests.Repository()
    try repository.commit("begin")
    try repository.git("tag", "first")
    let build = try repository.folder.read("build.sh")
    // A child in its own group, as in builds, and one without a waiting parent.
    try repository.write(
      "build.sh",
      """
      if [ -e '\(place.others.path)/mended' ]; then \(build)exit; fi
      exec bash -c "set -m; sleep 1000 & echo x > '\(sign.path)'; sleep 1000"

      """
    )
    for number in 1...4 { try repository.commit("change \(number)") }
    try repository.write("build.sh", build)
    try repository.write("host.sh", BisectTests.Repository.wrong)
    try repository.commit("count from another number")
    return repository
  }

  private func bisect(
    _ repository: BisectTests.Repository,
    _ place: WorkPlace
  ) throws -> WorkPlace.Running {
    try place.start(
      ["bisect", Project.sample("counter.jsonl"), "--good", "first", "--bad", "main"]
        + ["--build", "sh build.sh", "--host", "out/host"],
      in: repository.folder.path
    )
  }

  @Test(
    "an interrupted bisect prints the git command that lists the remaining commits, and ends builds with their children",
    arguments: signals
  )
  func bisect(number: Int32) throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let repository = try repository(place, sign)
    let tool = try bisect(repository, place)
    try sign.wait()
    #expect(place.worktrees.count == 1)
    #expect(tool.interrupt(by: number))
    #expect(
      tool.output.hasPrefix(
        "interrupted: the first bad commit is among 5 commits\n  'git rev-list "
      ),
      "\(tool.output)"
    )
    #expect(
      tool.output.hasSuffix("\ntested 2 commits; a linear search would have tested up to 6\n")
    )
    #expect(tool.error.hasSuffix(": the result is partial\n"), "\(tool.error)")
    #expect(place.processes == [])
    #expect(place.temporary == [])
    #expect(place.worktrees == [])
    #expect(try repository.git("worktree", "list").split(separator: "\n").count == 1)
  }

  @Test("bisect removes the worktree that a killed bisection has left")
  func killedBisection() throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let repository = try repository(place, sign)
    let tool = try bisect(repository, place)
    try sign.wait()
    kill(tool.process.processIdentifier, SIGKILL)
    // The build ends although its starter is gone.
    #expect(place.processesAtLast() == [])
    tool.process.waitUntilExit()
    #expect(place.worktrees.count == 1)
    try place.others.write(to: "mended")
    let next = try bisect(repository, place)
    next.process.waitUntilExit()
    #expect(next.output.hasPrefix("first bad commit: "), "\(next.output)\(next.error)")
    #expect(place.worktrees == [])
    #expect(place.temporary == [])
    #expect(try repository.git("worktree", "list").split(separator: "\n").count == 1)
  }

  @Test("bisect removes its worktree when it ends without a result")
  func failedBisection() throws {
    let place = try WorkPlace()
    let repository = try BisectTests.Repository()
    try repository.commit("begin")
    try repository.git("tag", "first")
    try repository.commit("change 1")
    let tool = try bisect(repository, place)
    tool.process.waitUntilExit()
    #expect(tool.process.terminationStatus == 1)
    #expect(place.worktrees == [])
    #expect(try repository.git("worktree", "list").split(separator: "\n").count == 1)
  }

  // MARK: - The end of the tool

  @Test("a host ends when its tool is killed, and the next run removes its temporary files")
  func killedTool() throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let tool = try place.start(
      ["run", "-", "--host", Tool.crashingApp.path, "--junit", "out.xml"],
      input: Project.sample("counter.jsonl"),
      environment: ["TCA_REPLAY_TEST_SIGN": sign.path]
    )
    try sign.wait()
    #expect(place.processes.count == 2)
    kill(tool.process.processIdentifier, SIGKILL)
    #expect(place.processesAtLast() == [])
    tool.process.waitUntilExit()
    #expect(!place.temporary.isEmpty)
    #expect(place.work.files.contains { $0.hasPrefix(".out.xml") })
    let next = try place.start(
      ["run", "-", "--junit", "out.xml"],
      input: Project.sample("counter.jsonl")
    )
    next.process.waitUntilExit()
    #expect(next.process.terminationStatus == 0)
    try checkNothingIsLeft(of: place)
  }

  private func checkNothingIsLeft(of place: WorkPlace) throws {
    #expect(place.processes == [])
    #expect(try place.leftovers() == [])
    #expect(place.work.files.filter { $0.hasPrefix(".") } == [])
  }
}
