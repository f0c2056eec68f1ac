import Foundation
import TestSupport
import Testing

/// Conditions that prevent a search, end it early, or keep its findings from being written, with real processes.
@Suite("Fuzz: endings", .serialized)
struct FuzzEndingTests {
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

  @Test(
    "fuzz refuses a log, host or output folder that it cannot use before it searches",
    arguments: refusals
  )
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

  @Test("fuzz names a log of a folder that cannot be read")
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

  @Test("fuzz refuses an output folder that holds a file of another command")
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

  /// Returns a host that stops answering once it has found an issue, and signals this.
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

  /// Returns the arguments of a search in a working folder.
  ///
  /// It finds no trap before the issue, so the shell's status is irrelevant.
  private static func search(at place: WorkPlace, _ sign: WorkPlace.Sign) throws -> [String] {
    let log = try String(contentsOfFile: FuzzCorpus.log(in: place.work), encoding: .utf8)
    try place.work.write(log, to: "log")
    return ["fuzz", "log", "--host", try host(at: place, sign)]
      + ["--seed", "2", "--jobs", "1", "-o", "out", "--format", "json"]
  }

  @Test("fuzz reports and writes its findings when it is interrupted")
  func interrupted() throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let tool = try place.start(Self.search(at: place, sign))
    try sign.wait()
    #expect(tool.interrupt(by: SIGINT))
    let report = try FuzzResult(tool.output)
    #expect(report.findings.map(\.kind).contains("issue"), "\(tool.output)")
    #expect(report.runs < 500)
    #expect(tool.error == "tca-replay: interrupted by SIGINT: the result is partial\n")
    let log = try #require(report.findings.first?.log)
    #expect(FileManager.default.fileExists(atPath: place.work.path + "/" + log))
  }

  @Test("fuzz reports its findings and fails when the host stops answering")
  func silent() throws {
    let place = try WorkPlace()
    let search = try Self.search(at: place, place.sign())
    let result = try Tool.replay.run(search + ["--timeout", "3"], in: place.work.path)
    #expect(result.status == 69, "\(result.error)")
    let report = try FuzzResult(result.output)
    #expect(report.findings.map(\.kind).contains("issue"), "\(result.output)")
    #expect(
      result.error.contains("the host did not answer for 3 s while it searched"),
      "\(result.error)"
    )
  }

  @Test("fuzz reports its findings when their files can no longer be written")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    // The path is a folder when the search begins, and a file when it ends.
    let host = try folder.script(
      """
      [ "$1" = serve ] && { rm -rf out; echo text > out; }
      exec '\(Tool.replay.path)' "$@"

      """,
      named: "host"
    )
    let result = try Tool.replay.run(
      ["fuzz", Project.sample("todos-trap.jsonl"), "--host", host, "--runs", "1", "-o", "out"]
        + ["--format", "json"],
      in: folder.path
    )
    #expect(result.status == 73, "\(result.error)")
    let findings = try FuzzResult(result.output).findings
    #expect(findings.map(\.text) == ["trapped (SIGILL), action .deleted"])
    #expect(findings.map(\.log) == [nil])
    let name = "trapped-\(findings.first?.fingerprint ?? "").jsonl"
    #expect(result.error == "tca-replay: cannot write out/\(name): Not a directory\n")
    #expect(try folder.read("out") == "text\n")
  }

  @Test("fuzz reports a reducer that does not return, with a log that shows it again")
  func hang() throws {
    let folder = try TemporaryFolder()
    let step = #""origin":"view","action":{"incrementButtonTapped":{}}}"#
    let lines =
      [
        #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"C1","feature":"Counter","stateType":"Counter.State"}"#,
        #"{"kind":"checkpoint","seq":0,"state":{"count":0,"isTimerRunning":false,"die":null},"effects":[]}"#,
      ]
      + (1...3).flatMap {
        [
          #"{"kind":"action","seq":\#($0),"at":\#($0),"# + step,
          #"{"kind":"change","seq":\#($0),"patch":[{"op":"replace","path":"/count","value":\#($0)}]}"#,
        ]
      }
    try folder.write(lines.joined(separator: "\n") + "\n", to: "log.jsonl")
    try folder.write("", to: "sign")
    let host = ["--host", Tool.crashingApp.path, "--timeout", "3"]
    let environment = [
      "TCA_REPLAY_TEST_SIGN": folder.path + "/sign", "TCA_REPLAY_TEST_SERVES": "1",
    ]
    let result = try Tool.replay.run(
      ["fuzz", "log.jsonl", "--runs", "20", "-o", "out", "--format", "json"] + host,
      environment: environment,
      in: folder.path
    )
    #expect(result.status == 1, "\(result.error)")
    let report = try FuzzResult(result.output)
    #expect(report.runs == 20)
    let finding = try #require(report.findings.first)
    #expect(finding.kind == "hangs")
    #expect(finding.text == "does not return within 3 s, action .incrementButtonTapped")
    #expect(!finding.isMinimal)
    #expect(report.findings.count == 1)
    let log = try #require(finding.log)
    let run = try Tool.replay.run(["run", log] + host, environment: environment, in: folder.path)
    #expect(run.status == 69, "\(run.output)")
    #expect(run.output.contains("the host took longer than 3 s"), "\(run.output)")
    let test = try folder.read(log.replacing(".jsonl", with: ".swift"))
    #expect(test.contains("  // The next action does not return.\n"), "\(test)")
  }

  @Test("fuzz leaves out and counts actions that the code cannot read")
  func leftOut() throws {
    let folder = try TemporaryFolder()
    let log = try String(contentsOfFile: Project.sample("counter.jsonl"), encoding: .utf8)
    try folder.write(log.replacing("resetButtonTapped", with: "resetTapped"), to: "log.jsonl")
    let arguments = ["fuzz", "log.jsonl", "--runs", "2"]
    let text = try Tool.replay.run(arguments, in: folder.path)
    #expect(text.status == 0, "\(text.error)")
    let lines = text.output.split(separator: "\n").map(String.init)
    #expect(
      lines.dropFirst().first
        == "1 action of the logs was left out, because the code does not read it: action 11 of log.jsonl; "
        + "the value names the case 'resetTapped', which Counter.Action lacks"
    )
    let json = try Tool.replay.run(arguments + ["--format", "json"], in: folder.path)
    #expect(try FuzzResult(json.output).unreadActions == 1)
  }
}
