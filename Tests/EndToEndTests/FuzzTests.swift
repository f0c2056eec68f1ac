import Foundation
import TestSupport
import Testing

/// Searches for the faults of a sample feature, with real processes: no log of the corpus shows any of them.
@Suite("Fuzz", .serialized)
struct FuzzTests {
  /// What a user does, and what effects answer: no fault shows.
  private static let recorded = [
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"P1","feature":"Playlist","stateType":"Playlist.State","startedAt":"2026-01-01T00:00:00Z","recorder":"0.2.0","environment":{},"segment":1}"#,
    #"{"kind":"checkpoint","seq":0,"state":{"songs":[],"playing":null,"volume":50,"bars":5,"average":0,"removed":[],"lyrics":null},"effects":[]}"#,
    action(1, #""view""#, #"{"added":{"_0":1}}"#),
    action(2, #""view""#, #"{"added":{"_0":2}}"#),
    action(3, #""view""#, #"{"added":{"_0":3}}"#),
    action(4, #""view""#, #"{"starred":{"_0":2}}"#),
    action(5, #""view""#, #"{"averageButtonTapped":{}}"#),
    action(6, #""view""#, #"{"played":{"_0":1}}"#),
    action(7, #""view""#, #"{"nextButtonTapped":{}}"#),
    action(8, #""view""#, #"{"volumeChanged":{"by":-10}}"#),
    action(9, #""view""#, #"{"volumeChanged":{"by":20}}"#),
    action(10, #""view""#, #"{"downloadButtonTapped":{"_0":3}}"#),
    action(11, #"{"effect":"10.0"}"#, #"{"downloaded":{"_0":3}}"#),
    #"{"kind":"effect","id":"10.0","event":"finished","sent":1,"at":11}"#,
    action(12, #""view""#, #"{"lyricsButtonTapped":{"_0":2}}"#),
    action(
      13,
      #"{"effect":"12.0"}"#,
      #"{"lyrics":{"_0":{"presented":{"_0":{"loaded":{"_0":"la la"}}}}}}"#
    ),
    #"{"kind":"effect","id":"12.0","event":"finished","sent":1,"at":13}"#,
    action(14, #""view""#, #"{"closeButtonTapped":{}}"#),
    action(15, #""view""#, #"{"removed":{"_0":3}}"#),
    action(16, #""view""#, #"{"undoButtonTapped":{}}"#),
    action(17, #""view""#, #"{"removed":{"_0":3}}"#),
    #"{"kind":"end","seq":17,"reason":"closed"}"#,
  ]

  /// Another day, with one song.
  private static let second: [String] =
    recorded.prefix(2) + [
      action(1, #""view""#, #"{"added":{"_0":7}}"#),
      action(2, #""view""#, #"{"downloadButtonTapped":{"_0":7}}"#),
      action(3, #"{"effect":"2.0"}"#, #"{"downloaded":{"_0":7}}"#),
      #"{"kind":"effect","id":"2.0","event":"finished","sent":1,"at":3}"#,
      action(4, #""view""#, #"{"starred":{"_0":7}}"#),
      #"{"kind":"end","seq":4,"reason":"closed"}"#,
    ]

  private static func action(_ seq: Int, _ origin: String, _ action: String) -> String {
    #"{"kind":"action","seq":\#(seq),"at":\#(seq),"origin":\#(origin),"action":\#(action)}"#
      + "\n" + #"{"kind":"change","seq":\#(seq),"patch":[]}"#
  }

  /// The log, as a replay writes it.
  private static func log(in folder: TemporaryFolder) throws -> String {
    try log(of: recorded, "playlist", through: 17, in: folder)
  }

  private static func log(
    of lines: [String],
    _ name: String,
    through last: Int,
    in folder: TemporaryFolder
  ) throws -> String {
    try folder.write(lines.joined(separator: "\n") + "\n", to: "inputs")
    let replayed = try Tool.replay.run("replay", folder.path + "/inputs")
    try folder.write(replayed.output, to: "\(name).jsonl")
    let path = folder.path + "/\(name).jsonl"
    let run = try Tool.replay.run("run", path)
    #expect(run.output == "\(path): identical, through action \(last)\n")
    return path
  }

  private struct Report: Decodable, Equatable {
    var runs: Int
    var findings: [Finding]

    struct Finding: Decodable, Equatable {
      var kind: String
      var fingerprint: String
      var text: String
      var actions: Int
      var log: String?
    }
  }

  private static func report(_ result: Tool.Result) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
  }

  @Test("every planted fault is found without a condition, and each finding replays")
  func faults() throws {
    let folder = try TemporaryFolder()
    let logs = [
      try Self.log(in: folder),
      try Self.log(of: Self.second, "second", through: 4, in: folder),
    ]
    let result = try Tool.replay.run(
      ["fuzz"] + logs + ["--runs", "4000", "--seed", "2", "-o", "out", "--format", "json"],
      in: folder.path
    )
    #expect(result.status == 1, "\(result.error)")
    let report = try Self.report(result)
    let expected = [
      "trapped (SIGILL), action .nextButtonTapped", "trapped (SIGILL), action .volumeChanged",
      "trapped (SIGILL), action .averageButtonTapped", "trapped (SIGILL), action .downloaded",
      "reports an issue at SampleFeatures/Playlist.swift:91",
      "reports an issue at SampleFeatures/Playlist.swift:136",
    ]
    #expect(Set(report.findings.map(\.text)).isSuperset(of: expected), "\(result.output)")
    for finding in report.findings {
      let path = try #require(finding.log)
      let run = try Tool.replay.run("run", path, in: folder.path)
      let isTrap = finding.kind == "trapped"
      #expect(run.status == 0, "\(run.output)")
      #expect(run.output.contains(isTrap ? "trap reproduced" : "identical"), "\(run.output)")
      let test = path.replacingOccurrences(of: ".jsonl", with: ".swift")
      let code = try String(contentsOfFile: folder.path + "/" + test, encoding: .utf8)
      #expect(code.contains("TestStore"))
    }
  }

  @Test("the same seed has the same findings, however many hosts there are")
  func repeats() throws {
    let folder = try TemporaryFolder()
    let log = try Self.log(in: folder)
    let reports = try ["1", "3"].map { jobs in
      try Self.report(
        Tool.replay.run(
          ["fuzz", log, "--runs", "2000", "--seed", "7", "--jobs", jobs, "--format", "json"],
          in: folder.path
        )
      )
    }
    #expect(reports[0] == reports[1])
    #expect(reports[0].runs == 2000)
  }

  @Test("explore finds what only the order of answers shows, without a condition")
  func races() throws {
    let folder = try TemporaryFolder()
    let log = try Self.log(in: folder)
    var texts: Set<String> = []
    for seed in 0..<6 {
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

  /// What only a state says needs a rule that says what is wrong with it.
  static let rules = [
    ("draft", "a saved revision stays saved: $.state.savedRevision >= $.before.savedRevision"),
    (
      "exchange",
      "the rate is that of the currency: $.state.isLoading == true || $.state.currency != 'GBP' || $.state.rate == 0.75"
    ),
  ]

  @Test(
    "the races of the other faulty features are found by a file of invariants",
    arguments: rules
  )
  func invariants(sample: String, rule: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(rule + "\n", to: "rules")
    let log = Project.sample("\(sample).jsonl")
    for arguments in [["explore", log], ["fuzz", log, "--runs", "2000"]] {
      let result = try Tool.replay.run(arguments + ["--invariants", "rules"], in: folder.path)
      #expect(result.status == 1, "\(result.output)\(result.error)")
      let name = rule.split(separator: ":")[0]
      #expect(result.output.contains("'\(name)'"), "\(result.output)")
    }
  }

  @Test("a log that ends with a trap is part of the corpus, and the trap a finding")
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

  @Test("a log whose actions the code does not read proves nothing")
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

  struct Refusal: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let status: Int32
    let error: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let refusals = [
    Refusal(
      arguments: ["log.jsonl", "-o", "-"],
      status: 64,
      error: """
        tca-replay: invalid value '-' for '--output'; expected a folder; logs and tests are several files
        see 'tca-replay fuzz --help'

        """
    ),
    Refusal(
      arguments: ["log.jsonl", "-o", "file"],
      status: 73,
      error: "tca-replay: cannot write file: Not a directory\n"
    ),
    Refusal(
      arguments: ["log.jsonl", "-o", "file/folder"],
      status: 73,
      error: "tca-replay: cannot write file/folder: Not a directory\n"
    ),
    Refusal(
      arguments: ["log.jsonl", "-o", "/proc/xx/y"],
      status: 73,
      error: "tca-replay: cannot write /proc/xx/y: No such file or directory\n"
    ),
    Refusal(
      arguments: ["header.jsonl"],
      status: 65,
      error: "tca-replay: header.jsonl ends before its first state\n"
    ),
    Refusal(
      arguments: ["log.jsonl", "--host", "/bin/cat"],
      status: 69,
      error: """
        tca-replay: the host answers with a header that lacks the token of this replay, so it did not replay the log; \
        expected an executable that was built from a ReplayHost

        """
    ),
    Refusal(
      arguments: ["log.jsonl", "--host", "./hang", "--timeout", "1"],
      status: 69,
      error: """
        tca-replay: the host took longer than 1 s and was killed before the first action; --timeout SECONDS gives it more time

        """
    ),
  ]

  @Test("what cannot be searched or written is told before the search", arguments: refusals)
  func refusal(_ refusal: Refusal) throws {
    let folder = try TemporaryFolder()
    let log = try String(contentsOfFile: Project.sample("counter.jsonl"), encoding: .utf8)
    try folder.write(log, to: "log.jsonl")
    try folder.write(String(log.prefix { $0 != "\n" }) + "\n", to: "header.jsonl")
    try folder.write("text\n", to: "file")
    _ = try folder.script("sleep 100\n", named: "hang")
    let result = try Tool.replay.run(["fuzz"] + refusal.arguments, in: folder.path)
    #expect(result.status == refusal.status)
    #expect(result.output == "")
    #expect(result.error == refusal.error)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/-"))
  }

  @Test("a log of a folder that cannot be read is named")
  func broken() throws {
    let folder = try TemporaryFolder()
    try folder.write("{nonsense\n", to: "logs/a.jsonl")
    let result = try Tool.replay.run("fuzz", "logs", in: folder.path)
    #expect(result.status == 65)
    #expect(
      result.error.hasPrefix("tca-replay: logs/a.jsonl: line 1 is not JSON"),
      "\(result.error)"
    )
  }

  @Test("a folder with a file of another command stays as it is")
  func overwriting() throws {
    let folder = try TemporaryFolder()
    let log = try String(contentsOfFile: Project.sample("counter.jsonl"), encoding: .utf8)
    try folder.write(log, to: "out/trapped-0123456789abcdef.jsonl")
    let result = try Tool.replay.run(
      "fuzz",
      Project.sample("counter.jsonl"),
      "--runs",
      "1",
      "-o",
      "out",
      in: folder.path
    )
    #expect(result.status == 73)
    #expect(result.output == "")
    #expect(result.error.contains("out/trapped-0123456789abcdef.jsonl"), "\(result.error)")
  }

  @Test("an invariant that looks at nothing is doubted once")
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

  /// A host that stops to answer once it has found an issue, and says so.
  private static func host(at place: WorkPlace, _ sign: WorkPlace.Sign) throws -> String {
    try place.work.script(
      """
      [ "$1" = serve ] || exec '\(Tool.replay.path)' "$@"
      '\(Tool.replay.path)' "$@" | while IFS= read -r line; do
        printf '%s\\n' "$line"
        case "$line" in *'"fault":{'*)
          echo x > '\(sign.path)'
          sleep 1000
        esac
      done

      """,
      named: "host"
    )
  }

  /// What finds no trap before the issue, so that the shell's status does not matter.
  private static let issue = ["--seed", "0", "--jobs", "1", "-o", "out", "--format", "json"]

  @Test("an interrupted search tells and writes what it has found")
  func interrupted() throws {
    let place = try WorkPlace()
    let sign = place.sign()
    try place.work.write(
      String(contentsOfFile: Self.log(in: place.work), encoding: .utf8),
      to: "log"
    )
    let host = try Self.host(at: place, sign)
    let tool = try place.start(["fuzz", "log", "--host", host] + Self.issue)
    try sign.wait()
    #expect(tool.interrupt(by: SIGINT))
    let report = try JSONDecoder().decode(Report.self, from: Data(tool.output.utf8))
    #expect(report.findings.map(\.kind).contains("issue"), "\(tool.output)")
    #expect(report.runs < 500)
    #expect(tool.error == "tca-replay: interrupted by SIGINT: the result is partial\n")
    let log = try #require(report.findings.first?.log)
    #expect(FileManager.default.fileExists(atPath: place.work.path + "/" + log))
  }

  @Test("a search whose host does not answer any more tells what it has found, and fails")
  func silent() throws {
    let place = try WorkPlace()
    let sign = place.sign()
    try place.work.write(
      String(contentsOfFile: Self.log(in: place.work), encoding: .utf8),
      to: "log"
    )
    let host = try Self.host(at: place, sign)
    let result = try Tool.replay.run(
      ["fuzz", "log", "--host", host, "--timeout", "3"] + Self.issue,
      in: place.work.path
    )
    #expect(result.status == 69, "\(result.error)")
    let report = try Self.report(result)
    #expect(report.findings.map(\.kind).contains("issue"), "\(result.output)")
    #expect(
      result.error.contains("the host did not answer for 3 s while it searched"),
      "\(result.error)"
    )
  }

  @Test("logs of two features make no corpus")
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
