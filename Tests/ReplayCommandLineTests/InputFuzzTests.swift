import ActionLog
import Foundation
import LogTools
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayCommandLine
@testable import ReplayCommands
@testable import ReplayEngine

/// Damaged files other than logs, and damaged arguments: each is read, or refused with a message.
@Suite struct InputFuzzTests {
  private static let marks = "{}[]:,\"\\$~/*0-9.eE \n\u{0}é\u{301}"

  // MARK: - Files of actions

  private static let actions = [
    #"{"addButtonTapped":{}}"#, #"{"$wait":0.5}"#, "", #"{"$finish":true}"#,
    #"{"edit":{"id":1,"text":"a\nb"}}"#, #""tap""#,
  ]

  /// Returns the steps of lines, parsed one at a time, or the error of the first invalid one.
  private func steps(_ lines: [String]) throws(CommandError) -> [RecordRequest.Step] {
    var steps: [RecordRequest.Step] = []
    for (index, line) in lines.enumerated() {
      do throws(CommandError) {
        steps += try RecordRequest.Step.all(in: line)
      } catch {
        guard case .badActionLine(let file, 1, let problem) = error else { throw error }
        throw .badActionLine(file: file, line: index + 1, problem: problem)
      }
    }
    return steps
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `reading a damaged script of actions fails with the number of the wrong line`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let text = Self.actions.joined(separator: "\n").damaged(with: Self.marks, using: &random)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let whole = Result { () throws(CommandError) in try RecordRequest.Step.all(in: text) }
    #expect(
      whole == Result { () throws(CommandError) in try steps(lines) },
      "seed \(seed): \(text)"
    )
    switch whole {
    case .success(let steps):
      for case .wait(let seconds) in steps { #expect((0..<1e9).contains(seconds)) }
    case .failure(let error):
      #expect("\(error)".hasPrefix("f:"), "seed \(seed): \(text)")
      #expect(error.status == .unreadable)
    }
  }

  static let waits = ["1e9", "1e400", "1e300", "-0.5", "null", "[1]", "\"1\"", "-1e-400"]

  @Test(arguments: waits)
  func `record refuses a wait that is negative, too long or no number`(wait: String) {
    let text = #"{"$wait":\#(wait)}"#
    let value = (try? JSON(parsing: wait)) ?? 0
    guard value.number?.double != 0 else {
      #expect((try? RecordRequest.Step.all(in: text)) == [.wait(0)])
      return
    }
    #expect(
      throws: CommandError.badActionLine(
        file: "f",
        line: 1,
        problem:
          "'$wait' has the value \(Notation().value(value)); expected a number of seconds, 0 or more,"
          + " and less than ten years"
      )
    ) { try RecordRequest.Step.all(in: text) }
  }

  // MARK: - Verdicts

  static let verdicts: [JSON] = [
    ["verdict": "identical"], ["verdict": "cut", "at": 3],
    ["verdict": "trapReproduced", "at": 4, "signal": "SIGILL"],
    ["verdict": "undecodable", "at": 1, "path": "/a", "message": "m"],
    [
      "verdict": "diverged", "at": 3, "cause": "state", "paths": ["/count"],
      "differences": [
        [
          "seq": 3, "cause": "state", "subject": "/count", "expected": 1, "actual": 2,
        ]
      ],
      "causes": [["seq": 3, "origin": "view", "action": ["a": [:]]]],
      "reads": [["key": "uuid", "value": "A"]],
    ],
  ]

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `a damaged verdict that can be read is written and read as the same value`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for json in Self.verdicts {
      let json = json.damaged(using: &random)
      if let verdict = Verdict(json: json) {
        #expect(Verdict(json: verdict.json) == verdict, "seed \(seed): \(json)")
      }
      let answer: JSON = ["outcome": "bad", "verdict": json]
      for json in [answer, answer.damaged(using: &random)] {
        guard let outcome = CommitTest.CommitVerdict(json: json) else { continue }
        #expect(CommitTest.CommitVerdict(json: outcome.json) == outcome, "seed \(seed): \(json)")
      }
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `a damaged expected verdict is compared member by member, or reported as invalid`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let raw = Notation(isRaw: true)
    for json in Self.verdicts {
      let text = json.description.damaged(with: Self.marks, using: &random)
      let path = try folder.write(text, to: "a.verdict.json")
      let expectation = ExpectedVerdict(for: "\(folder.path)/a.jsonl")
      let mismatches = expectation.mismatches(json)
      _ = expectation.trap(cutAt: .cut(at: 1))
      let problem: String
      switch Result(catching: { try JSON(parsing: text) }) {
      case .success(.object(let object)):
        let expected = object.compactMap { name, value in
          json[name] == value
            ? nil
            : "\(name): expected \(raw.value(value)), found \(json[name].map(raw.value) ?? "nothing")"
        }
        #expect(mismatches == expected, "seed \(seed): \(text)")
        continue
      case .success(let other): problem = "found \(other.kind)"
      case .failure(let error): problem = "\(error)"
      }
      let message =
        "\(path) holds no verdict: \(problem); expected a JSON object such as {\"verdict\":\"identical\"}"
      #expect(mismatches == [message], "seed \(seed): \(text)")
    }
  }

  // MARK: - Arguments

  private static let words = [
    "-", "--", "a.jsonl", "/count", "--at", "--range", "3..9", "..", "9..3",
    "-9223372036854775808..",
    "9223372036854775807", "99999999999999999999", "--jobs", "-j", "0", "-1", "1", "--shard", "2/8",
    "1/9223372036854775807", "/", "0/0", "--timeout", "inf", "nan", "1e400", "--budget=1e300",
    "--seed=-1", "--when", "$.seq > ", "$.seq == 1", "--path", "a~", "--format", "xml", "json",
    "--format=json", "--=", "--help=1", "-h", "--runs", "--ignore", "-o", "--until", "é", "",
  ]

  /// Every argument on the command line is parsed, or is a usage error with a message.
  ///
  /// No value ends the process.
  @Test(arguments: Thoroughness.seeds(100, thorough: 300)) @MainActor
  func `random arguments are parsed, or refused with an error of usage`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for command in CommandLineTool.commands {
      let words = ["a.jsonl"].damaged(1...6, with: Self.words, using: &random)
      do {
        let arguments = try ParsedArguments(words, syntax: command.syntax)
        for option in command.syntax.options.map(\.name) { try read(option, of: arguments) }
      } catch {
        #expect(error is UsageError, "seed \(seed): \(words)")
        #expect((error as? UsageError)?.command == command.syntax.name, "seed \(seed): \(words)")
        #expect(!"\(error)".isEmpty && ExitStatus(error) == .usage, "seed \(seed): \(words)")
      }
    }
  }

  /// Reads an option in all ways in which options are read.
  private func read(_ option: String, of arguments: ParsedArguments) throws {
    let readers: [() throws -> Void] = [
      { _ = try arguments.position(option) }, { _ = try arguments.positiveCount(option) },
      { _ = try arguments.seconds(option) }, { _ = try arguments.deadline(option) },
      { _ = try arguments.seed(option) }, { _ = try arguments.condition(option) },
      { _ = try arguments.patterns(option) },
      { _ = try arguments.range(option) },
      {
        guard let shard = try arguments.shard(option) else { return }
        let logs = OperandLogs(["a", "b", "c"])
        #expect(logs.part(shard.index, of: shard.count).count <= 3)
      },
    ]
    var first: (any Error)?
    for read in readers { do { try read() } catch { first = first ?? error } }
    if let first { throw first }
  }
}
