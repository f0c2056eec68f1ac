import ActionLog
import Foundation
import TestSupport
import Testing

/// The logs that `record --from` creates from logs, scripts and typed actions.
@Suite("record --from") struct RecordFromTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path + "/log.jsonl" }
  private var new: String { folder.path + "/new.jsonl" }

  init() throws {
    folder = try TemporaryFolder()
    let actions = try folder.write(
      """
      {"incrementButtonTapped":{}}
      {"timerButtonTapped":{}}
      {"incrementButtonTapped":{}}
      {"timerButtonTapped":{}}

      """,
      to: "script.actions"
    )
    let result = try Tool.replay.run(["record", "Counter", "--actions", actions, "-o", log])
    #expect(result.status == 0)
  }

  private func record(
    _ arguments: String...,
    actions: String = #"{"incrementButtonTapped":{}}"#
  ) throws -> Tool.Result {
    let script = try folder.write(actions + "\n", to: "further.actions")
    return try Tool.replay.run(
      ["record", "--from", log, "--actions", script, "-o", new] + arguments
    )
  }

  private func header(_ path: String) throws -> LogEvent.Header {
    var reader = try LogReader(path: path)
    guard case .header(let header) = try reader.next()?.event else { throw LogReadError.empty }
    return header
  }

  @Test("record --from continues after the last action, or after the action of --until")
  func places() throws {
    let result = try record("--until", "1")
    #expect(result.output == "recorded 1 action in \(new)\n")
    #expect(result.error == "")
    let first = try header(log)
    #expect(try header(new).continues == .init(log: first.id, seq: 1))
    let shown = try Tool.replay.run("show", new)
    #expect(shown.output.contains("goes on from action 1 of log \(first.id)\n"))
    let stats = try Tool.replay.run("stats", new)
    #expect(stats.output.contains("\n  goes on from action 1 of log \(first.id)\n"))
    #expect(try Tool.replay.run("run", new).output == "\(new): identical, through action 2\n")
    #expect(try Tool.replay.run("verify", new).status == 0)
    #expect(try Tool.replay.run("show", new, "--at", "2", "--path", "count").output == "2\n")
    try FileManager.default.removeItem(atPath: new)
    #expect(try record().status == 0)
    #expect(try header(new).continues?.seq == 4)
    #expect(try Tool.replay.run("show", new, "--at", "5", "--path", "count").output == "3\n")
  }

  @Test(
    "mask, migrate, verify --repair and other copies keep the header's reference to the continued log"
  )
  func derived() throws {
    #expect(try record("--until", "3").status == 0)
    let place = try #require(try header(new).continues)
    let masked = folder.path + "/masked.jsonl"
    #expect(try Tool.replay.run("mask", new, "--path", "die", "-o", masked).status == 0)
    #expect(try header(masked).continues == place)
    let plain = folder.path + "/plain.jsonl"
    #expect(try Tool.replay.run("migrate", new, "--plain-patches", "-o", plain).status == 0)
    #expect(try header(plain).continues == place)
    let repaired = folder.path + "/repaired.jsonl"
    #expect(try Tool.replay.run("verify", new, "--repair", repaired).status == 0)
    #expect(try header(repaired).continues == place)
    let replayed = try Tool.replay.run("replay", new)
    try folder.write(replayed.output, to: "replayed.jsonl")
    #expect(try header(folder.path + "/replayed.jsonl").continues == place)
  }

  @Test("record --from reports the effects that were alive and do not run")
  func alive() throws {
    let result = try record("--until", "2")
    #expect(result.status == 0)
    #expect(
      result.error == """
        tca-replay: these effects were alive after action 2 and do not run; 'restarting:' of the feature in the host says how they \
        start again
          effect 2.0 'tick' at SampleFeatures/Counter.swift:71, started by action 2  .timerButtonTapped

        """
    )
  }

  @Test("record --from sends typed actions one by one, and skips a line that is no action")
  func typed() throws {
    let result = try Tool.replay.run(
      ["record", "--from", log, "-o", new],
      input: """
        {"incrementButtonTapped":{}}
        {"nope":{}}
        nonsense
        {"incrementButtonTapped":{}}
        {"$finish":true}

        """
    )
    #expect(result.status == 65)
    #expect(result.output.hasSuffix("\nrecorded 2 actions in \(new)\n"), "\(result.output)")
    #expect(result.output.split(separator: "\n").count == 3, "\(result.output)")
    let lines = Set(result.error.split(separator: "\n"))
    #expect(
      lines.contains(
        "tca-replay: standard input:2: the value names the case 'nope', which Counter.Action lacks"
      ),
      "\(lines)"
    )
    #expect(lines.contains { $0.hasPrefix("tca-replay: standard input:3: ") }, "\(lines)")
    #expect(lines.count == 2)
    #expect(try Tool.replay.run("run", new).status == 0)
  }

  @Test("record --from accepts actions in Swift notation with abbreviated ids from the log")
  func notation() throws {
    let todos = Project.sample("todos.jsonl")
    let result = try Tool.replay.run(
      ["record", "--from", todos, "--until", "4", "-o", new],
      input: """
        .doneToggled(id: …AC1A)
        .titleChanged(id: …AC1A, _)
        {"$finish":true}

        """
    )
    #expect(
      result.error
        == "tca-replay: standard input:2: '_' leaves open what is meant; expected the value itself\n"
    )
    #expect(result.output.hasSuffix("\nrecorded 2 actions in \(new)\n"), "\(result.output)")
    #expect(try Tool.replay.run("run", new).output == "\(new): identical, through action 6\n")
  }

  @Test func `debugger commands entered between typed actions show the recording so far`() throws {
    let result = try Tool.replay.run(
      ["record", "--from", log, "--until", "1", "-o", new],
      input: """
        print count
        .incrementButtonTapped
        print count
        where
        .timerButtonTapped
        info effects
        print nope
        nonsense
        list 3,
        quit
        .incrementButtonTapped

        """
    )
    #expect(result.status == 65)
    let lines = result.output.split(separator: "\n").map {
      $0.replacing(#/ \+\d\.\d+ s/#, with: "")
    }
    #expect(
      lines.prefix(10) == [
        "1", "   2     .incrementButtonTapped  count: 1 → 2", "2",
        "> #0  action 2  .incrementButtonTapped  sent by the view",
        "   3     .timerButtonTapped  isTimerRunning: false → true  starts tick 3.0", "it returned",
        "  effect 3.0 run 'tick' id Counter.CancelID.timer canceling what is in flight",
        "alive after it", "  tick 3.0  SampleFeatures/Counter.swift:71",
        ">    3     .timerButtonTapped  isTimerRunning: false → true  starts tick 3.0",
      ],
      "\(result.output)"
    )
    #expect(lines.last == "recorded 2 actions in \(new)", "\(result.output)")
    #expect(
      result.error == """
        tca-replay: standard input:7: there is nothing at 'nope' after action 3; the state has "count", "isTimerRunning", "die"
        tca-replay: standard input:8: there is no word 'nonsense'; 'help' lists the words

        """,
      "\(result.error)"
    )
  }

  @Test func `record -o - prints changes to standard error and the log to standard output`() throws
  {
    let result = try Tool.replay.run(
      ["record", "--from", log, "-o", "-"],
      input: ".incrementButtonTapped\nprint count\n"
    )
    #expect(result.status == 0)
    #expect(result.output.hasPrefix(#"{"kind":"header""#))
    #expect(!result.output.contains("  .incrementButtonTapped"))
    #expect(result.error.contains("  .incrementButtonTapped  count: 2 → 3\n3\n"), "\(result.error)")
  }

  @Test("record without an action writes a valid log", arguments: ["", "{\"$finish\":true}\n"])
  func nothing(_ actions: String) throws {
    let typed = try Tool.replay.run(["record", "--from", log, "-o", new], input: actions)
    #expect(typed.output == "recorded 0 actions in \(new)\n")
    #expect(typed.error == "")
    #expect(typed.status == 0)
    #expect(try Tool.replay.run("show", new, "--at", "4").status == 0)
    #expect(try Tool.replay.run("verify", new).status == 0)
    #expect(try Tool.replay.run("run", new).output == "\(new): identical, without actions\n")
    // A new recording without actions also replays.
    let script = try folder.write(actions, to: "none.actions")
    let first = folder.path + "/first.jsonl"
    let result = try Tool.replay.run("record", "Counter", "--actions", script, "-o", first)
    #expect(result.output == "recorded 0 actions in \(first)\n")
    #expect(try Tool.replay.run("run", first).status == 0)
  }

  struct Refusal: Sendable {
    let arguments: [String]
    let status: Int32
    let message: String
  }

  static let refusals = [
    Refusal(
      arguments: ["--from", "log.jsonl", "--until", "9"],
      status: 1,
      message: "the log has no state after action 9; choose an action from 0 to 4"
    ),
    Refusal(
      arguments: ["--from", "none.jsonl"],
      status: 66,
      message: "there is no file none.jsonl"
    ),
    Refusal(
      arguments: ["Nope", "--from", "log.jsonl"],
      status: 69,
      message:
        "feature 'Nope' is not in this host; it has: Account, Board, Counter, Draft, Exchange, Inspections, Memos, Playlist, Receipt, Search, SignUp, Todos; use the app's own host, with --host PATH"
    ),
    Refusal(
      arguments: ["Counter", "--until", "2"],
      status: 64,
      message: "'--until' works only with '--from'"
    ),
    Refusal(arguments: [], status: 64, message: "'record' needs 'FEATURE' or '--from LOG'"),
  ]

  @Test("record --from refuses an impossible start, and suggests a remedy", arguments: refusals)
  func refused(_ refusal: Refusal) throws {
    let script = try folder.write("{\"incrementButtonTapped\":{}}\n", to: "further.actions")
    let result = try Tool.replay.run(
      ["record"] + refusal.arguments + ["--actions", script, "-o", new],
      in: folder.path
    )
    #expect(result.status == refusal.status)
    #expect(
      result.error.split(separator: "\n").first.map(String.init) == "tca-replay: \(refusal.message)"
    )
    #expect(!FileManager.default.fileExists(atPath: new))
  }
}
