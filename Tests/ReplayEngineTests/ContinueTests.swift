import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayCommandLine
@testable import ReplayCommands
@testable import ReplayEngine
@testable import ReplayHosts

/// `run --continue`: all divergences of a log, each from the recorded state.
@MainActor @Suite struct ContinueTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
  }

  /// The actions for which a counter that counts by two is wrong.
  nonisolated static let increments = [1, 11, 14, 15, 16]

  private func sequence(_ json: JSON) -> [Int] {
    let log = json["logs"]?.array?.first
    return [log?["at"]?.int].compactMap { $0 }
      + (log?["further"]?.array ?? []).compactMap { $0["at"]?.int }
  }

  @Test func `run --continue reports every action that diverges once`() async throws {
    terminal.change = .countsByTwo
    let result = try await terminal.run("run", "a.jsonl", "--continue", "--format", "json")
    #expect(result.status == 1)
    let json = try JSON(parsing: result.output)
    #expect(sequence(json) == Self.increments)
    let further = try #require(json["logs"]?.array?.first?["further"]?.array)
    #expect(further.allSatisfy { $0["verdict"] == "diverged" && $0["cause"] == "state" })
    // Each difference is one, because the replay restarts at the recorded state.
    for divergence in further {
      let difference = divergence["differences"]?.array?.first
      let expected = try #require(difference?["expected"]?.int)
      #expect(difference?["actual"]?.int == expected + 1)
      #expect(divergence["line"]?.int != nil)
    }
  }

  @Test func `run --continue prints one divergence after the other`() async throws {
    terminal.change = .renamesEffect
    #expect(
      try await terminal.run("run", "a.jsonl", "--continue")
        == .init(
          status: 1,
          output: """
            a.jsonl: diverged at action 3: effects 3.0/name, and 1 more after it

              action 3  .load
                sent by the view

              − recorded, + replayed
              effects
                effect 3.0: name
                  − "load"
                  + "fetch"

              diverged at action 5: effects 5.0/name

              action 5  .load
                sent by the view

              − recorded, + replayed
              effects
                effect 5.0: name
                  − "load"
                  + "fetch"

              next:
                tca-replay show a.jsonl --range 3     # the action as it was recorded
                tca-replay migrate a.jsonl --suggest  # the code of a migration, as far as the log tells it

            """
        )
    )
  }

  /// The result of a code change, for everything in the log.
  struct Case: Sendable, CustomTestStringConvertible {
    let change: CounterEngine.Change
    let verdicts: [String]
    var testDescription: String { "\(change)" }
  }

  nonisolated static let cases: [Case] = [
    Case(change: .none, verdicts: ["identical"]),
    Case(change: .dropsEffect, verdicts: ["diverged 3", "diverged 5"]),
    Case(change: .addsEffect, verdicts: ["diverged 3", "diverged 5"]),
    Case(change: .changesOperation, verdicts: ["diverged 3", "diverged 5"]),
    Case(change: .changesCancelID, verdicts: ["diverged 3", "diverged 5"]),
    Case(change: .swapsSends, verdicts: ["diverged 6"]),
    Case(change: .changesSentAction, verdicts: ["diverged 7"]),
    Case(change: .readsDate, verdicts: ["diverged 2"]),
    Case(change: .readsNothing, verdicts: ["diverged 2"]),
    Case(
      change: .refuses,
      verdicts: [
        "undecodable 1", "undecodable 11", "undecodable 14", "undecodable 15", "undecodable 16",
      ]
    ),
    Case(
      change: .isOpaque,
      verdicts: [
        "notReplayable 1", "notReplayable 11", "notReplayable 14", "notReplayable 15",
        "notReplayable 16",
      ]
    ),
  ]

  @Test(arguments: cases)
  func `run --continue does not report consequences of an earlier difference`(
    testCase: Case
  ) async throws {
    terminal.change = testCase.change
    let result = try await terminal.run("run", "a.jsonl", "--continue", "--format", "json")
    let log = try #require(try JSON(parsing: result.output)["logs"]?.array?.first)
    let verdicts = [log] + (log["further"]?.array ?? [])
    let names = verdicts.map { verdict in
      let at = verdict["at"]?.int.map { " \($0)" } ?? ""
      return (verdict["verdict"]?.string ?? "") + at
    }
    #expect(names == testCase.verdicts)
  }

  /// Edited logs: each without its end, without one line, or with two lines swapped.
  ///
  /// The changes of the code together break every line, and a thorough run breaks every line for each change.
  private nonisolated static func brokenLogs(of change: CounterEngine.Change) -> [[String]] {
    let lines = SampleLog.lines
    let step = Thoroughness.count(CounterEngine.Change.allCases.count, thorough: 1)
    let number = CounterEngine.Change.allCases.firstIndex(of: change) ?? 0
    return stride(from: 2 + number % step, to: lines.count, by: step).flatMap { index in
      var logs = [Array(lines[..<index])]
      logs.append(lines.enumerated().filter { $0.offset != index }.map(\.element))
      if index + 1 < lines.count {
        var swapped = lines
        swapped.swapAt(index, index + 1)
        logs.append(swapped)
      }
      return logs
    }
  }

  private nonisolated static let options = [
    LogComparison.Options(),
    LogComparison.Options(isStrict: true),
    LogComparison.Options(ignored: [JSON.Pointer(["count"])]),
  ]

  @Test(
    "A check that continues after a divergence has the same first result as a check that does not",
    arguments: CounterEngine.Change.allCases
  )
  func firstFinding(change: CounterEngine.Change) throws {
    for lines in [SampleLog.lines] + Self.brokenLogs(of: change) {
      let path = try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "broken.jsonl")
      let log = try #require(try LogSlice.slices(of: path, name: "broken.jsonl").first)
      for options in Self.options {
        func first(isContinuing: Bool) -> [String] {
          let check = ReplayCheck(log: log, options: options, isContinuing: isContinuing)
          do {
            var result = try check.run { _ in CounterEngine(change) }
            result.further = []
            // The values that are skipped afterwards belong to the following action.
            if !result.verdict.isSame { result.seq = 0 }
            result.notes = []
            let report = LogRunReport(name: "log", outcome: .verdict(result))
            return ["\(report.json)", report.outcome.line(Notation())]
              + report.outcome.details(style: .plain)
          } catch { return ["\(error)"] }
        }
        #expect(first(isContinuing: true) == first(isContinuing: false), "\(lines)")
      }
    }
  }

  @Test func `run --continue --until ends at that action`() async throws {
    terminal.change = .countsByTwo
    let result = try await terminal.run(
      "run",
      "a.jsonl",
      "--continue",
      "--until",
      "14",
      "--format",
      "json"
    )
    #expect(sequence(try JSON(parsing: result.output)) == [1, 11, 14])
  }

  @Test func `run --continue --format github annotates each divergence at its action`() async throws
  {
    terminal.change = .renamesEffect
    let result = try await terminal.run("run", "a.jsonl", "--continue", "--format", "github")
    let commands = result.output.split(separator: "\n").filter { $0.hasPrefix("::error") }
    #expect(commands.count == 2)
    #expect(
      commands.first?.hasPrefix(
        "::error file=a.jsonl,line=8,title=a.jsonl::diverged at action 3: effects 3.0/name, and 1 more after it%0A"
      ) == true
    )
    #expect(
      commands.last?.hasPrefix(
        "::error file=a.jsonl,line=12,title=a.jsonl::diverged at action 5: effects 5.0/name%0A"
      ) == true
    )
  }

  @Test func `run --continue --accept shows all divergences, and writes one replay of the log`()
    async throws
  {
    terminal.change = .countsByTwo
    let result = try await terminal.run("run", "a.jsonl", "--continue", "--accept")
    #expect(result.status == 0)
    #expect(result.output.contains("diverged at action 16: state count"))
    #expect(result.output.hasSuffix("  accepted: this is what is expected from now on\n"))
    #expect(try await terminal.run("run", "a.jsonl").status == 0)
    // The replay does not restart at each recorded state.
    #expect(try terminal.folder.read("a.jsonl").contains(#""path":"/count","value":2}"#))
    #expect(!(try terminal.folder.read("a.jsonl").contains("resynced")))
  }

  /// The two implementations: the comparison reads the events of a replay, or replays itself.
  nonisolated static let checkers: [(@Sendable () -> CommandContext.Checker)?] = [
    nil,
    {
      { check, _ in
        let outcome = Result { try check.run { _ in CounterEngine(.countsByTwo) } }
        return CommandContext.CheckOutcome(outcome: outcome, hostOutput: [])
      }
    },
  ]

  @Test("run --continue reports the divergences before a damaged line", arguments: [0, 1])
  func damagedLine(checker: Int) async throws {
    terminal.change = .countsByTwo
    terminal.makeChecker = Self.checkers[checker]
    var lines = SampleLog.lines
    lines[35] = "{"
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let problem = "line 36 is not JSON: the text ends in the middle of a JSON value, at byte 1"
    let line =
      "diverged at action 1: state count, and 1 more after it; the rest cannot be read: \(problem)"
    #expect(
      try await terminal.run("run", "a.jsonl", "--continue")
        == .init(
          status: 65,
          output: """
            a.jsonl: \(line)

              action 1  .increment
                sent by the view

              − recorded, + replayed
              state
                count
                  − 1
                  + 2

              diverged at action 11: state count

              action 11  .increment
                sent by effect 10.0 of action 10  .chain
                action 10 sent by the view

              − recorded, + replayed
              state
                count
                  − 11
                  + 12

              next:
                tca-replay blame a.jsonl count --at 1  # who set this value last, and why
                tca-replay verify a.jsonl              # what of the log is damaged; --repair FILE keeps the rest

            """
        )
    )
    let json = try await terminal.run("run", "a.jsonl", "--continue", "--format", "json")
    #expect(json.status == 65)
    let log = try #require(try JSON(parsing: json.output)["logs"]?.array?.first)
    #expect(log["verdict"] == "diverged")
    #expect(sequence(try JSON(parsing: json.output)) == [1, 11])
    #expect(log["unreadable"] == .string(problem))
    #expect(log["status"] == 65)
    let junit = try await terminal.run("run", "a.jsonl", "--continue", "--format", "junit")
    #expect(junit.status == 65)
    #expect(junit.output.contains("<failure message=\"\(line)\" type=\"diverged\">\(line)\n"))
    #expect(junit.output.contains("diverged at action 11: state count"))
    let markdown = try await terminal.run("run", "a.jsonl", "--continue", "--format", "markdown")
    #expect(markdown.status == 65)
    #expect(markdown.output.contains("| `a.jsonl` | `\(line)` |"))
    let gitHub = try await terminal.run("run", "a.jsonl", "--continue", "--format", "github")
    #expect(gitHub.status == 65)
    let commands = gitHub.output.split(separator: "\n").filter { $0.hasPrefix("::error") }
    #expect(commands.count == 3)
    #expect(
      commands.first?.hasPrefix("::error file=a.jsonl,line=3,title=a.jsonl::\(line)%0A") == true
    )
    #expect(commands.last == "::error file=a.jsonl,line=36,title=a.jsonl::\(problem)")
  }

  @Test func `run --continue reports only the damaged line if nothing differs before it`()
    async throws
  {
    var lines = SampleLog.lines
    lines[35] = "{"
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let result = Terminal.Result(
      status: 65,
      output: """
        a.jsonl: line 36 is not JSON: the text ends in the middle of a JSON value, at byte 1
          next:
            tca-replay verify a.jsonl  # what of the log is damaged; --repair FILE keeps the rest

        """
    )
    #expect(try await terminal.run("run", "a.jsonl", "--continue") == result)
    #expect(try await terminal.run("run", "a.jsonl") == result)
  }

  @Test func `run without --continue does not read past the first divergence to a damaged line`()
    async throws
  {
    terminal.change = .countsByTwo
    var lines = SampleLog.lines
    lines[35] = "{"
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    try terminal.folder.write(SampleLog.text, to: "b.jsonl")
    let damaged = try await terminal.run("run", "a.jsonl")
    let sound = try await terminal.run("run", "b.jsonl")
    #expect(damaged.status == 1)
    #expect(damaged.output == sound.output.replacing("b.jsonl", with: "a.jsonl"))
  }

  @Test("run --accept does not rewrite a damaged log", arguments: [[], ["--continue"]])
  func damagedLogToAccept(options: [String]) async throws {
    terminal.change = .countsByTwo
    var lines = SampleLog.lines
    lines[35] = "{"
    let text = lines.joined(separator: "\n") + "\n"
    try terminal.folder.write(text, to: "a.jsonl")
    let result = try await terminal.run(["run", "a.jsonl", "--accept"] + options)
    #expect(result.status == (options.isEmpty ? 1 : 65))
    #expect(
      result.output.hasSuffix(
        """
          not accepted: line 36 is not JSON: the text ends in the middle of a JSON value, at byte 1; \
        the new log would end there: write one of all that is sound with 'verify --repair'

        """
      )
    )
    #expect(try terminal.folder.read("a.jsonl") == text)
  }

  @Test func `run --expected fails on an unreadable line that the expected verdict does not name`()
    async throws
  {
    terminal.change = .countsByTwo
    var lines = SampleLog.lines
    lines[35] = "{"
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    try terminal.folder.write(#"{"verdict":"diverged","at":1}"#, to: "a.verdict.json")
    let problem = "line 36 is not JSON: the text ends in the middle of a JSON value, at byte 1"
    let result = try await terminal.run("run", "a.jsonl", "--continue", "--expected")
    #expect(result.status == 65)
    #expect(result.output.contains("\n  unreadable: expected null, found \"\(problem)\"\n"))
    let accepting = ["run", "a.jsonl", "--continue", "--expected", "--accept"]
    #expect(try await terminal.run(accepting).status == 0)
    #expect(try await terminal.run("run", "a.jsonl", "--continue", "--expected").status == 0)
  }

  @Test func `run --continue --fail-fast reports all divergences of the first failed log`()
    async throws
  {
    terminal.change = .renamesEffect
    try terminal.folder.write(SampleLog.text, to: "b.jsonl")
    let result = try await terminal.run("run", "a.jsonl", "b.jsonl", "--continue", "--fail-fast")
    #expect(
      result.output.hasPrefix(
        "a.jsonl: diverged at action 3: effects 3.0/name, and 1 more after it\n\n  action 3  .load\n"
      ),
      "\(result.output)"
    )
    #expect(result.output.contains("\n  diverged at action 5: effects 5.0/name\n"))
    #expect(
      result.output.hasSuffix("\n1 log, 1 failed, 1 not replayed\n"),
      "\(result.output)"
    )
  }

  @Test func `a replay with --continue reports where it resumed from the recorded state`()
    async throws
  {
    var session = ReplaySession(isResyncing: true, events: SampleLog.events(SampleLog.lines)) { _ in
      CounterEngine(.countsByTwo)
    }
    var resynced: [Int] = []
    while let event = try session.next() {
      if case .finding(let finding) = event, finding.code == .resynced {
        resynced.append(finding.seq)
        #expect(
          finding.message
            == "the replay went on from the recorded state after action \(finding.seq)"
        )
      }
    }
    #expect(resynced == Self.increments)
  }

  /// Incomplete logs: without one line, without an action and its results, or without everything after a line.
  private static var incomplete: [[String]] {
    let lines = SampleLog.lines
    let withoutALine = (2..<lines.count).map { Array(lines[..<$0] + lines[($0 + 1)...]) }
    let withoutAnAction = (1...16).map { seq in
      lines.filter { !$0.contains("\"seq\":\(seq),") || $0.contains("checkpoint") }
    }
    let cut = (2..<lines.count).map { Array(lines[..<$0]) + [lines[lines.count - 1]] }
    return withoutALine + withoutAnAction + cut
  }

  @Test func `a replay with --continue ends, even if the log lacks events`()
    throws
  {
    for lines in Self.incomplete {
      var session = ReplaySession(isResyncing: true, events: SampleLog.events(lines)) { _ in
        CounterEngine()
      }
      var count = 0
      while count < 1000, try session.next() != nil { count += 1 }
      #expect(count < 1000, "\(lines.joined(separator: "\n"))")
    }
  }
}
