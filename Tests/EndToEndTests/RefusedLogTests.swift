import Foundation
import TestSupport
import Testing

/// The same damage leads to the same message in every command that reads a log.
@Suite struct RefusedLogTests {
  /// Damage that makes every command refuse a log.
  enum Damage: String, CaseIterable, CustomTestStringConvertible {
    case noJSON = "line 12 is not JSON: the text ends in the middle of a JSON value, at byte 8"
    case noEvent =
      "line 12 is not a log event: event 'read' has -1 as 'seq'; expected a whole number from 0 to 9007199254740991"
    case deepValue = "line 12 is not JSON: found more than 512 levels of nesting, at byte 541"
    case newer =
      "line 1: the log has format version 99, this program reads up to version 1: use a newer tca-replay"
    case noHeader = "line 1 is an event 'checkpoint'; a log begins with an event 'header'"
    case empty = "the log is empty; expected an event 'header' on the first line"

    var testDescription: String { rawValue }

    /// The line that `verify` names; `nil` if it reads no line.
    var line: Int? {
      switch self {
      case .noJSON, .noEvent, .deepValue: 12
      case .newer, .noHeader, .empty: nil
      }
    }

    func log(of sample: [String]) -> String {
      var lines = sample
      switch self {
      case .noJSON: lines.insert(#"{"kind":"#, at: 11)
      case .noEvent: lines.insert(#"{"kind":"read","seq":-1}"#, at: 11)
      case .deepValue:
        let value = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        lines.insert(#"{"kind":"note","seq":2,"text":\#(value)}"#, at: 11)
      case .newer: lines[0] = lines[0].replacing(#""version":1"#, with: #""version":99"#)
      case .noHeader: lines.removeFirst()
      case .empty: return ""
      }
      return lines.map { $0 + "\n" }.joined()
    }
  }

  /// All commands that read a log.
  ///
  /// `LOG` stands for its name.
  static let commands: [[String]] = [
    ["run", "LOG"], ["replay", "LOG"],
    ["record", "--from", "LOG", "--actions", "/dev/null", "-o", "/dev/null"],
    ["show", "LOG"], ["show", "LOG", "--at", "end"], ["view", "LOG", "-o", "/dev/null"],
    ["debug", "LOG", "--batch", "-ex", "goto 3"], ["diff", "LOG", sample],
    ["diff", sample, "LOG"], ["diff", "LOG", "LOG", "--exact"], ["blame", "LOG", "filter"],
    ["stats", "LOG"], ["coverage", "LOG"], ["trace", "LOG", "-o", "/dev/null"], ["verify", "LOG"],
    ["test", "LOG"], ["test", "LOG", "--style", "store"],
    ["bisect", "LOG", "--when", "todos.count > 9"],
    ["minimize", "LOG", "--when", "todos.count > 9", "-o", "/dev/null"],
    ["audit", "LOG", "--runs", "2"], ["explore", "LOG", "--transitions", "50"],
    ["fuzz", "LOG", "--runs", "1"], ["fork", "LOG", "--skip", "1", "-o", "/dev/null"],
    ["migrate", "LOG", "-o", "/dev/null"], ["mask", "LOG", "--path", "filter", "-o", "/dev/null"],
    ["mask", "LOG", "--check"],
  ]

  private static let sample = FileManager.default.currentDirectoryPath + "/SampleLogs/todos.jsonl"

  private static func lines() throws -> [String] {
    try String(contentsOfFile: sample, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func run(_ command: [String], _ log: String) throws -> Tool.Result {
    let folder = try TemporaryFolder()
    try folder.write(log, to: "a.jsonl")
    return try Tool.replay.run(
      command.map { $0 == "LOG" ? "a.jsonl" : $0 },
      in: folder.path
    )
  }

  @Test(.timeLimit(.minutes(30)), arguments: commands)
  func `every command refuses an unreadable log with a message of one sentence`(
    command: [String]
  ) throws {
    let sample = try Self.lines()
    for damage in Damage.allCases {
      let result = try run(command, damage.log(of: sample))
      let said = (result.output + result.error).split(separator: "\n").map(String.init)
      if command[0] == "verify", let line = damage.line {
        #expect(result.status == 1, "\(damage): \(result)")
        #expect(said.first == "a.jsonl:\(line): error: \(damage.rawValue)")
        continue
      }
      #expect(result.status == 65, "\(damage): \(result)")
      let isSaid = said.contains { line in
        line.hasPrefix("a.jsonl: \(damage.rawValue)")
          || line.hasPrefix("tca-replay: a.jsonl: \(damage.rawValue)")
      }
      #expect(isSaid, "\(damage): \(said)")
    }
  }

  /// The treatment of a change that does not fit the state before it.
  enum Treatment { case refuses, says, differs, ignores }

  /// Returns the treatment by a command.
  ///
  /// The listed commands show, cut or replay the state.
  private static func treatment(_ command: [String]) -> Treatment {
    switch command[0] {
    case "show", "record", "blame", "coverage", "bisect", "mask": .refuses
    case "test": command.contains("store") ? .says : .refuses
    case "view", "debug", "stats", "trace": .says
    case "run", "diff", "verify", "minimize", "audit": .differs
    default: .ignores
    }
  }

  static let changes: [(change: String, problem: String)] = [
    (
      #"{"op":"remove","path":"/nothing"}"#,
      #"operation 0, {"op":"remove","path":"/nothing"}, finds no value at '/nothing'"#
    ),
    (
      // A long text needs few copies, so a command does not take long.
      ([#"{"op":"add","path":"/todos/-","value":"\#(String(repeating: "x", count: 20_000))"}"#]
        + Array(repeating: #"{"op":"copy","from":"/todos","path":"/todos/-"}"#, count: 40))
        .joined(separator: ","),
      #", {"op":"copy","from":"/todos","path":"/todos/-"}, would make copies of more than 4 MiB in the state"#
    ),
  ]

  @Test(.timeLimit(.minutes(30)), arguments: commands)
  func `each command refuses, reports or skips a patch that does not fit the state`(
    command: [String]
  ) throws {
    for (change, problem) in Self.changes {
      let log = try Self.lines().map { line in
        line.hasPrefix(#"{"kind":"change","seq":3,"#)
          ? #"{"kind":"change","seq":3,"patch":[\#(change)]}"# : line
      }
      let result = try run(command, log.map { $0 + "\n" }.joined())
      let said = result.output + result.error
      let treatment = Self.treatment(command)
      switch treatment {
      case .refuses:
        #expect(result.status == 65, "\(command): \(result)")
        #expect(
          result.error.hasPrefix(
            "tca-replay: a.jsonl: the patch of action 3 does not fit the state before it: operation"
          ) || command == ["show", "LOG"],
          "\(command): \(result.error)"
        )
      case .says: #expect(result.status == 0, "\(command): \(result)")
      case .differs: #expect(result.status == 1, "\(command): \(result)")
      case .ignores: #expect([0, 1, 65].contains(result.status), "\(command): \(result)")
      }
      if treatment == .refuses || treatment == .says || command[0] == "verify" {
        #expect(said.contains(problem), "\(command): \(said)")
      }
    }
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: commands.filter {
      ["run", "replay", "record", "blame", "minimize", "audit", "explore", "fuzz", "fork"]
        .contains($0[0]) || $0.contains("store") || $0.contains("--at")
    }
  )
  func `a command that needs a state refuses a log without one`(command: [String]) throws {
    let log = try Self.lines().filter { !$0.hasPrefix(#"{"kind":"checkpoint""#) }
    let result = try run(command, log.map { $0 + "\n" }.joined())
    #expect(result.status == 65, "\(command): \(result)")
    let isSaid = [
      "a.jsonl: the log has an event 'action' before its first event 'checkpoint'",
      "a.jsonl: the log has no state: it ends before its first checkpoint",
      "a.jsonl ends before its first state",
    ].contains { (result.output + result.error).contains($0) }
    #expect(isSaid, "\(command): \(result)")
  }

  @Test func `diff reports all actions as missing if one of the logs has no actions`() throws {
    let header = try Self.lines()[0] + "\n"
    let result = try run(["diff", "LOG", Self.sample], header)
    #expect(result.status == 1 && !result.isSignal, "\(result)")
    #expect(result.output.contains("actions 1 to 16 are only in"), "\(result.output)")
    #expect(try run(["diff", Self.sample, "LOG"], header).status == 1)
    #expect(try run(["diff", "LOG", "LOG"], header).status == 0)
  }
}
