import ActionLog
import Foundation
import TestSupport
import Testing

/// Searches for the faults of a sample feature, with real processes.
///
/// No log of the corpus shows any of them.
@Suite("Fuzz", .serialized)
struct FuzzTests {
  @Test("fuzz without an invariant finds every planted fault, all stable, and each finding replays")
  func faults() throws {
    let folder = try TemporaryFolder()
    let logs = [
      try FuzzCorpus.log(in: folder),
      try FuzzCorpus.log(of: FuzzCorpus.second, "second", through: 4, in: folder),
    ]
    let result = try Tool.replay.run(
      ["fuzz"] + logs + ["--runs", "400", "--seed", "5", "-o", "out", "--format", "json"],
      in: folder.path
    )
    #expect(result.status == 1, "\(result.error)")
    let report = try FuzzResult(result.output)
    let expected = [
      "trapped (SIGILL), action .nextButtonTapped", "trapped (SIGILL), action .volumeChanged",
      "trapped (SIGILL), action .averageButtonTapped", "trapped (SIGILL), action .downloaded",
      "reports an issue at SampleFeatures/Playlist.swift:91",
      "reports an issue at SampleFeatures/Playlist.swift:136",
    ]
    #expect(Set(report.findings.map(\.text)).isSuperset(of: expected), "\(result.output)")
    #expect(!report.findings.contains { $0.kind == "unstable" }, "\(result.output)")
    #expect(report.stability?.endedBy == nil)
    let run = try Tool.replay.run("run", "out", "--format", "json", in: folder.path)
    #expect(run.status == 0, "\(run.output)")
    let replayed = try JSON(parsing: run.output)["logs"]?.array ?? []
    let verdicts = Dictionary(
      replayed.map { ($0["log"]?.string ?? "", $0["verdict"]?.string ?? "") }
    ) { $1 }
    for finding in report.findings {
      let path = try #require(finding.log)
      let isTrap = finding.kind == "trapped"
      #expect(verdicts[path] == (isTrap ? "trapReproduced" : "identical"), "\(run.output)")
      let test = path.replacingOccurrences(of: ".jsonl", with: ".swift")
      let code = try String(contentsOfFile: folder.path + "/" + test, encoding: .utf8)
      #expect(code.contains("TestStore"))
    }
  }

  #if os(Linux)
  @Test("fuzz has the same findings with any number of hosts, and cuts no line of them")
  func repeats() throws {
    let folder = try TemporaryFolder()
    let log = try FuzzCorpus.log(in: folder)
    let runs = Thoroughness.count(15, thorough: 2000)
    let arguments = ["fuzz", log, "--runs", "\(runs)", "--seed", "10"]
    let json = try Tool.replay.run(
      arguments + ["--jobs", "3", "--format", "json"],
      in: folder.path
    )
    let report = try FuzzResult(json.output)
    let single = try Tool.replay.run(arguments + ["--jobs", "1", "--format", "json"])
    #expect(try FuzzResult(single.output) == report)
    #expect(report.runs == runs)
    let issues = report.findings.filter { $0.kind == "issue" }
    #expect(!issues.isEmpty, "\(json.output)")
    let shown = try PseudoTerminal.shown(arguments, columns: 60, in: folder.path)
    #expect(shown.status == 1)
    #expect(shown.lines.allSatisfy { $0.count <= 60 }, "\(shown.lines)")
    func words(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let text = words(shown.lines.joined(separator: "\n"))
    for finding in report.findings {
      #expect(text.contains("\(finding.text), with \(finding.actions) action"), "\(text)")
      #expect(text.contains("(\(finding.fingerprint))"), "\(text)")
    }
    for issue in issues {
      let message = try #require(issue.message)
      #expect(text.contains(") \(words(message)) action 1 "), "\(text)")
    }
    #expect(issues.contains { $0.message?.hasSuffix(" twice") == true }, "\(issues)")
  }
  #endif

  @Test("explore without an invariant finds faults that occur only in another order of answers")
  func races() throws {
    let folder = try TemporaryFolder()
    let log = try FuzzCorpus.log(in: folder)
    var texts: Set<String> = []
    for seed in Thoroughness.isHigh ? 0..<6 : 3..<5 {
      let result = try Tool.replay.run(
        ["explore", log, "--seed", "\(seed)", "-o", "race\(seed).jsonl"],
        in: folder.path
      )
      #expect(result.status == 1, "\(result.output)\(result.error)")
      texts.insert(result.output.contains("SIGILL") ? "trap" : "issue")
      let run = try Tool.replay.run("run", "race\(seed).jsonl", in: folder.path)
      #expect(run.status == 0, "\(run.output)")
    }
    #expect(texts == ["trap", "issue"])
  }

  /// Faults that appear only in the state need a rule.
  static let rules = [
    ("draft", "a saved revision stays saved: $.state.savedRevision >= $.before.savedRevision"),
    (
      "exchange",
      "the rate is that of the currency: $.state.isLoading == true || $.state.currency != 'GBP' || $.state.rate == 0.75"
    ),
  ]

  @Test(
    "explore and fuzz find races in other features with a file of invariants",
    arguments: rules
  )
  func invariants(sample: String, rule: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(rule + "\n", to: "rules")
    let log = Project.sample("\(sample).jsonl")
    for arguments in [["explore", log], ["fuzz", log, "--runs", "5"]] {
      let result = try Tool.replay.run(arguments + ["--invariants", "rules"], in: folder.path)
      #expect(result.status == 1, "\(result.output)\(result.error)")
      let name = rule.split(separator: ":")[0]
      #expect(result.output.contains("'\(name)'"), "\(result.output)")
    }
  }

  @Test("fuzz includes a log that ends with a trap, and reports the trap as a finding")
  func trap() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.replay.run(
      ["fuzz", Project.sample("todos.jsonl"), Project.sample("todos-trap.jsonl")]
        + ["--runs", "1", "-o", "out"],
      in: folder.path
    )
    #expect(result.status == 1, "\(result.error)")
    #expect(
      result.output.contains(
        "  trapped (SIGILL), action .deleted, with 1 action from outside, in a log of the corpus ("
      ),
      "\(result.output)"
    )
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out").sorted()
    let log = try #require(files.first { $0.hasPrefix("trapped") && $0.hasSuffix(".jsonl") })
    let run = try Tool.replay.run("run", "out/\(log)", in: folder.path)
    #expect(run.output.contains("trap reproduced"), "\(run.output)")
    // The test sends the action that traps.
    let test = try folder.read("out/" + log.replacing(".jsonl", with: ".swift"))
    #expect(
      test.contains(
        """
          // The next action ends the process with SIGILL.
          await store.send(.deleted(at: 0))
        """
      ),
      "\(test)"
    )
  }

  @Test("fuzz refuses a log if the code cannot read any of its actions")
  func unreadable() throws {
    let log = Project.sample("exchange.jsonl")
    let result = try Tool.replay.run("fuzz", log, "--feature", "Counter", "--runs", "10")
    #expect(result.status == 65)
    #expect(
      result.error
        == "tca-replay: \(log): the code reads no action of the logs; action 1 is the first: "
        + "the value names the case 'amountChanged', which Counter.Action lacks\n"
    )
  }

  @Test("fuzz warns once of an invariant whose path is in no state")
  func doubt() throws {
    let folder = try TemporaryFolder()
    try folder.write("bad name: $.state.nonesuch == 1\n", to: "rules")
    let log = Project.sample("counter.jsonl")
    let result = try Tool.replay.run(
      ["fuzz", log, log, "--runs", "5", "--invariants", "rules"],
      in: folder.path
    )
    #expect(result.status == 1)
    #expect(
      result.error
        == "tca-replay: invariant 'bad name': no state of the log has anything at '$.state.nonesuch'; "
        + "'$.state' has \"count\", \"isTimerRunning\", \"die\"\n",
      "\(result.error)"
    )
  }

  @Test("fuzz refuses logs of two features")
  func mixed() throws {
    let result = try Tool.replay.run(
      "fuzz",
      Project.sample("counter.jsonl"),
      Project.sample("draft.jsonl")
    )
    #expect(result.status == 65)
    #expect(result.error.contains("is a log of 'Counter' and"), "\(result.error)")
  }
}
