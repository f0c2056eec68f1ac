import Foundation
import TestSupport
import Testing

/// Explorations with real processes.
@Suite("Explore")
struct ExploreTests {
  private static let invariant = "$.state.savedRevision >= $.before.savedRevision"

  @Test("explore finds the race of the draft, and writes a log that replays and can be minimized")
  func findsTheRace() throws {
    let folder = try TemporaryFolder()
    let race = "\(folder.path)/race.jsonl"
    let result = try Tool.replay.run(
      "explore",
      Project.sample("draft.jsonl"),
      "--invariant",
      Self.invariant,
      "-o",
      race
    )
    #expect(result.status == 1)
    #expect(result.error == "")
    let run = try Tool.replay.run("run", race)
    #expect(run.status == 0, "\(run.output)")
    let small = "\(folder.path)/small.jsonl"
    let minimized = try Tool.replay.run(
      "minimize",
      race,
      "--when",
      "$.state.savedRevision < $.before.savedRevision",
      "-o",
      small
    )
    #expect(minimized.status == 0)
    #expect(minimized.error == "")
    #expect(
      minimized.output.contains("38 actions from outside reduced to 4 in"),
      "\(minimized.output)"
    )
    #expect(try Tool.replay.run("run", small).status == 0)
  }

  struct Race: Sendable {
    var sample: String
    var output: String
    var place: String
    /// The text if answers may arrive in another order.
    var otherwise: String
  }

  private static let races = [
    Race(
      sample: "draft",
      output: """
        draft.jsonl: race at savedRevision: a late answer overwrites a newer one

          action 7  .saved(revision: 2), sent by effect 6.0, comes after action 38

          action 38  .saved(revision: 2), which was action 7, replaces the answer of a newer effect at savedRevision
          The order is in race.jsonl.

        484 transitions, 299 different places

        """,
      place: "/savedRevision",
      otherwise: "draft.jsonl: no trap, issue or action of a dead effect in "
    ),
    Race(
      sample: "exchange",
      output: """
        exchange.jsonl: race at rate: a late answer overwrites a newer one
        In the recorded order action 7 already replaces the answer of a newer effect at rate.

          action 3  .rateLoaded(0.9), sent by effect 2.0, comes after action 8

          action 8  .rateLoaded(0.9), which was action 3, replaces the answer of a newer effect at rate
          The order is in race.jsonl.

        40 transitions, 21 different places

        """,
      place: "/rate",
      otherwise: "exchange.jsonl: no trap, issue or action of a dead effect in "
    ),
  ]

  @Test(
    "explore without an invariant finds an answer that overwrites a newer answer",
    arguments: races
  )
  private func overtaking(race: Race) throws {
    let folder = try TemporaryFolder()
    let log = "\(race.sample).jsonl"
    try FileManager.default.copyItem(
      atPath: Project.sample(log),
      toPath: "\(folder.path)/\(log)"
    )
    let result = try Tool.replay.run("explore", log, "-o", "race.jsonl", in: folder.path)
    #expect(result.status == 1)
    #expect(result.output == race.output)
    let run = try Tool.replay.run("run", "race.jsonl", in: folder.path)
    #expect(run.status == 0, "\(run.output)")
    let json = try Tool.replay.run("explore", log, "--format", "json", in: folder.path)
    #expect(json.output.contains(#""overtaken":"\#(race.place)""#), "\(json.output)")
    let allowed = try Tool.replay.run(
      ["explore", log, "--allow-overtaking", "--transitions", "3000"],
      in: folder.path
    )
    #expect(allowed.status == 0)
    #expect(allowed.output.hasPrefix(race.otherwise), "\(allowed.output)")
  }

  @Test(
    "explore reports no fault in samples whose answers may come in any order",
    arguments: [
      "account", "board", "counter", "inspections", "memos", "search", "signup", "todos",
    ]
  )
  func noOvertaking(sample: String) throws {
    let log = Project.sample("\(sample).jsonl")
    let transitions = Thoroughness.count(500, thorough: 2000)
    let result = try Tool.replay.run("explore", log, "--transitions", "\(transitions)")
    #expect(result.status == 0, "\(result.output)")
    #expect(
      result.output.hasPrefix(
        "\(log): no trap, issue, action of a dead effect or overtaken answer in "
      ),
      "\(result.output)"
    )
  }

  struct Remark: Sendable {
    var log: String
    var arguments: [String] = []
    /// Lines inserted before the last ones.
    var lines: [String] = []
    /// The number of lines after these.
    var rest = 0
    var remark: String
  }

  /// The output states what a search omits.
  private static let remarks = [
    Remark(
      log: "exchange",
      arguments: ["--transitions", "9"],
      remark:
        "In the recorded order action 7 already replaces the answer of a newer effect at rate."
    ),
    Remark(
      log: "exchange",
      lines: [
        #"{"kind":"gap","seq":8,"at":130000,"dropped":2,"reason":"disk full"}"#,
        #"{"kind":"checkpoint","seq":8,"state":{"amount":50,"currency":"GBP","rate":150.5,"total":7525.0,"isLoading":false},"effects":[]}"#,
      ],
      rest: 1,
      remark: "What comes before the gap after action 8 was left out."
    ),
  ]

  @Test("explore notes parts of the log that its search left out", arguments: remarks)
  private func leftOut(remark: Remark) throws {
    let folder = try TemporaryFolder()
    var lines = try String(contentsOfFile: Project.sample("\(remark.log).jsonl"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    lines.insert(contentsOf: remark.lines, at: lines.count - remark.rest)
    try folder.write(lines.joined(separator: "\n") + "\n", to: "log.jsonl")
    let result = try Tool.replay.run(
      ["explore", "log.jsonl"] + remark.arguments,
      in: folder.path
    )
    #expect(
      result.output.split(separator: "\n").contains(Substring(remark.remark)),
      "\(result.output)\(result.error)"
    )
  }

  @Test("explore does not repeat a search for a fault that the log itself shows")
  func knownFinding() throws {
    let folder = try TemporaryFolder()
    // The song returns although it is already there.
    try folder.write(
      [#"{"added":{"_0":1}}"#, #"{"removed":{"_0":1}}"#, #"{"added":{"_0":1}}"#]
        .joined(separator: "\n") + "\n" + #"{"undoButtonTapped":{}}"# + "\n",
      to: "actions"
    )
    _ = try Tool.replay.run(
      ["record", "Playlist", "--actions", "actions", "-o", "log.jsonl"],
      in: folder.path
    )
    let result = try Tool.replay.run("explore", "log.jsonl", in: folder.path)
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "\nThe recorded order has a finding of its own, which 'run' tells; it was not looked for again.\n"
      ),
      "\(result.output)\(result.error)"
    )
  }

  @Test("explore searches in memory if the log ends in the middle of an action")
  func cut() throws {
    let log = Project.sample("todos-cut.jsonl")
    let result = try Tool.replay.run("explore", log, "--format", "json")
    #expect(result.status == 0)
    #expect(result.output.contains(#""isInMemory":true"#), "\(result.output)\(result.error)")
  }

  @Test("explore warns of an invariant in a file whose path is in no state")
  func doubt() throws {
    let folder = try TemporaryFolder()
    try folder.write("a rule: $.state.ratee == 1.0\n", to: "rules")
    let log = Project.sample("exchange.jsonl")
    let result = try Tool.replay.run("explore", log, "--invariants", folder.path + "/rules")
    #expect(result.status == 1)
    #expect(
      result.error.hasPrefix(
        "tca-replay: invariant 'a rule': no state of the log has anything at '$.state.ratee'"
      ),
      "\(result.error)"
    )
  }

  @Test("explore reports in JSON that an invariant holds in every order")
  func holds() throws {
    let result = try Tool.replay.run(
      "explore",
      Project.sample("search.jsonl"),
      "--invariant",
      "$.state.failure == null || $.state.isSearching == false",
      "--format",
      "json"
    )
    #expect(result.status == 0)
    #expect(result.output.contains(#""held":true,"isComplete":true"#), "\(result.output)")
  }
}
