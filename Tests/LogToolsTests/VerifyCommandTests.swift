import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayCommands

/// `verify`: problems of logs, and their repair.
@MainActor @Suite struct VerifyCommandTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  @Test func `verify accepts a sound log, and notes a torn end and unknown events`() async throws {
    try terminal.folder.write(SampleLog.text + "\n{\"kind\":", to: "a.jsonl")
    try terminal.folder.write(
      SampleLog.lines.prefix(5).joined(separator: "\n") + "\n{\"kind\":\"new\"}",
      to: "b.jsonl"
    )
    #expect(
      try await terminal.run("verify", "a.jsonl", "b.jsonl")
        == .init(
          status: 0,
          output: """
            a.jsonl:46: note: the last 8 bytes are not a whole event: the writer was stopped
            a.jsonl: sound, 45 lines, 16 actions
            b.jsonl: note: 1 event of a kind that this version does not know was left out
            b.jsonl: sound, 6 lines, 2 actions, not closed

            """
        )
    )
  }

  @Test func `verify and stats use the singular for one byte, line or event`() async throws {
    let lines = SampleLog.lines.prefix(2).joined(separator: "\n")
    try terminal.folder.write(lines + "\n{", to: "torn.jsonl")
    #expect(
      try await terminal.run("verify", "torn.jsonl").output == """
        torn.jsonl:3: note: the last byte is not a whole event: the writer was stopped
        torn.jsonl: sound, 2 lines, 0 actions, not closed

        """
    )
    try terminal.folder.write(SampleLog.lines[0], to: "one.jsonl")
    #expect(
      try await terminal.run("stats", "one.jsonl").output == """
        one.jsonl: Counter, 0 actions in 0 µs, 1 line, 205 bytes
          events
            header  1  205 bytes
          largest event: header on line 1, 205 bytes

        """
    )
  }

  struct Flaw: Sendable, CustomTestStringConvertible {
    let change: @Sendable (inout [String]) -> Void
    let problems: [String]
    var testDescription: String { problems.first ?? "" }
  }

  nonisolated static let flaws: [Flaw] = [
    Flaw(
      change: { $0.remove(at: 3) },
      problems: [
        "4: error: action 1 has no change; expected it before this event"
      ]
    ),
    Flaw(
      change: { $0.removeSubrange(4...6) },
      problems: [
        "5: error: action 3; expected action 2"
      ]
    ),
    Flaw(
      change: { $0.swapAt(4, 5) },
      problems: [
        "5: error: a read of action 2; expected an action before it"
      ]
    ),
    Flaw(
      change: { $0.insert($0[3], at: 4) },
      problems: [
        "5: error: a change of action 1; expected an action before it"
      ]
    ),
    Flaw(
      change: { $0[3] = $0[3].replacing("/count", with: "/none") },
      problems: [
        #"4: error: the patch does not fit the state: operation 0, {"op":"replace","path":"/none","value":1}, finds no value at '/none'"#
      ]
    ),
    Flaw(
      change: { $0[22] = $0[22].replacing("10", with: "11") },
      problems: [
        "24: error: the checkpoint has 10 at 'count'; expected 11, to which the patches lead"
      ]
    ),
    Flaw(
      change: { $0[9] = $0[9].replacing("3.0", with: "2.0") },
      problems: [
        "10: error: effect 2.0, which no action before has started"
      ]
    ),
    Flaw(
      change: { $0[13] = $0[13].replacing(#"{"action":5}"#, with: #"{"action":6}"#) },
      problems: [
        "14: error: effect 3.0, canceled by action 6, which is not before it; expected one of the actions through 5"
      ]
    ),
    Flaw(
      change: { $0[13] = $0[13].replacing(#"{"action":5}"#, with: #"{"action":-1}"#) },
      problems: [
        "14: error: effect 3.0, canceled by action -1, which is not before it; expected one of the actions through 5"
      ]
    ),
    Flaw(
      change: { $0[13] = $0[13].replacing(#"{"action":5}"#, with: #"{"effect":"4.0"}"#) },
      problems: [
        "14: error: effect 4.0, which no action before has started"
      ]
    ),
    Flaw(
      change: { $0.insert($0[14], at: 15) },
      problems: [
        "16: error: effect 3.0, which has ended before"
      ]
    ),
    Flaw(
      change: { $0.insert($0[13], at: 14) },
      problems: [
        "15: error: effect 3.0, which was canceled before"
      ]
    ),
    Flaw(
      change: { $0[14] = $0[14].replacing(#""sent":1"#, with: #""sent":0"#) },
      problems: [
        "15: error: effect 3.0 finished after 0 actions; expected 1 or more, as many as it has sent"
      ]
    ),
    Flaw(
      change: { $0.append($0[2]) },
      problems: [
        "46: error: an event 'action' after the end; expected a header or nothing",
        "46: error: action 1; expected action 17",
      ]
    ),
    Flaw(
      change: { $0[44] = $0[44].replacing("16", with: "15") },
      problems: [
        "45: error: the end after action 15; expected action 16"
      ]
    ),
    Flaw(
      change: { $0.remove(at: 1) },
      problems: [
        "2: error: an action before the first checkpoint; expected the state it starts from"
      ]
    ),
    Flaw(
      change: { $0[5] = "rubbish" },
      problems: [
        "6: error: line 6 is not JSON: found 'r' where a value was expected, at byte 0"
      ]
    ),
  ]

  @Test(arguments: flaws)
  func `verify reports each flaw of a log with its line`(flaw: Flaw) async throws {
    var lines = SampleLog.lines
    flaw.change(&lines)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let result = try await terminal.run("verify", "a.jsonl")
    let expected = flaw.problems.map { "a.jsonl:\($0)" }
    #expect(
      result.output.split(separator: "\n").prefix(expected.count).map(String.init) == expected
    )
    #expect(result.status == 1)
  }

  /// A problem of an effect, with events before and after a checkpoint.
  struct EffectProblem: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The events of the effect, in order.
    let events: [String]
    /// The problem without its line, or `nil` if the events are sound.
    var problem: String?
  }

  private nonisolated static let cancelled =
    #"{"kind":"effect","id":"1.0","event":"cancelled","by":"task","at":1}"#
  private nonisolated static let dropping =
    #"{"kind":"effect","id":"1.0","event":"cancelled","by":"task","drops":1,"at":1}"#
  private nonisolated static func finished(_ sent: Int) -> String {
    #"{"kind":"effect","id":"1.0","event":"finished","sent":\#(sent),"at":1}"#
  }

  nonisolated static let effectProblems: [EffectProblem] = [
    EffectProblem(testDescription: "sound", events: ["send", "send", finished(2)]),
    EffectProblem(testDescription: "omitted actions", events: ["send", finished(3)]),
    EffectProblem(
      testDescription: "dropped later",
      events: ["send", cancelled, dropping, finished(1)]
    ),
    EffectProblem(
      testDescription: "fewer actions",
      events: ["send", "send", finished(1)],
      problem: "effect 1.0 finished after 1 action; expected 2 or more, as many as it has sent"
    ),
    EffectProblem(
      testDescription: "an action after the cancellation",
      events: [cancelled, "send", finished(1)],
      problem: "an action of effect 1.0, which was canceled before"
    ),
    EffectProblem(
      testDescription: "a second cancellation",
      events: [cancelled, cancelled, finished(0)],
      problem: "effect 1.0, which was canceled before"
    ),
    EffectProblem(
      testDescription: "a second end",
      events: [finished(0), finished(0)],
      problem: "effect 1.0, which has ended before"
    ),
  ]

  @Test(arguments: effectProblems)
  func `verify finds the problems of effects across the checkpoints at which it cuts a log`(
    testCase: EffectProblem
  ) async throws {
    terminal.leastStretch = 1
    // The effect's description in a checkpoint before each of its events, and after the last one.
    for cut in 0...testCase.events.count {
      var lines = Array(SampleLog.lines.prefix(1))
      var seq = 1
      func checkpoint(isAlive: Bool, isCancelled: Bool) {
        let effect = #"{"id":"1.0","op":"run"\#(isCancelled ? #","cancelled":true"# : "")}"#
        lines.append(
          #"{"kind":"checkpoint","seq":\#(seq),"state":{"count":0},"effects":[\#(isAlive ? effect : "")]}"#
        )
      }
      func action(_ origin: String, _ effects: String) {
        lines.append(
          #"{"kind":"action","seq":\#(seq),"at":\#(seq),"origin":\#(origin),"action":{"tick":{}}}"#
        )
        lines.append(#"{"kind":"change","seq":\#(seq),"patch":[]\#(effects)}"#)
      }
      lines.append(#"{"kind":"checkpoint","seq":0,"state":{"count":0},"effects":[]}"#)
      action(#""view""#, #","effects":[{"id":"1.0","op":"run"}]"#)
      var (isAlive, isCancelled) = (true, false)
      for (index, event) in testCase.events.enumerated() {
        if index == cut { checkpoint(isAlive: isAlive, isCancelled: isCancelled) }
        if event == "send" {
          seq += 1
          action(#"{"effect":"1.0"}"#, "")
        } else {
          lines.append(event)
          isAlive = isAlive && !event.contains("finished")
          isCancelled = isCancelled || event.contains("cancelled")
        }
      }
      if cut == testCase.events.count { checkpoint(isAlive: isAlive, isCancelled: isCancelled) }
      lines.append(#"{"kind":"end","seq":\#(seq),"reason":"closed"}"#)
      try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
      let serial = try await terminal.run("verify", "a.jsonl", "--serial")
      #expect(try await terminal.run("verify", "a.jsonl") == serial, "cut \(cut)")
      #expect(serial.status == (testCase.problem == nil ? 0 : 1), "cut \(cut): \(serial.output)")
      if let problem = testCase.problem {
        #expect(serial.output.contains("error: \(problem)\n"), "cut \(cut): \(serial.output)")
      }
    }
  }

  @Test(
    arguments: [
      (["7", nil, "5"], true), (["7", nil, "7"], false), ([nil, "5", nil, nil, "4"], true),
      (["7", nil, "gap", "5"], false), (["7", "gap", nil, "5", nil, "4"], true),
      (["7", nil, "gap", nil, "5"], false),
    ] as [([String?], Bool)]
  )
  func `verify compares the ids for stack elements across checkpoints without one`(
    ids: [String?],
    isFlawed: Bool
  ) async throws {
    terminal.leastStretch = 1
    var lines = Array(SampleLog.lines.prefix(1))
    for id in ids {
      if id == "gap" {
        lines.append(#"{"kind":"gap","seq":0,"at":0,"dropped":1,"reason":"full"}"#)
        continue
      }
      let next = id.map { #","nextStackElement":\#($0)"# } ?? ""
      lines.append(#"{"kind":"checkpoint","seq":0,"state":{"count":0},"effects":[]\#(next)}"#)
      // The notes make each checkpoint the start of a range.
      lines.append(
        #"{"kind":"note","seq":0,"at":0,"text":"\#(String(repeating: "n", count: 99))"}"#
      )
    }
    lines.append(#"{"kind":"end","seq":0,"reason":"closed"}"#)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let serial = try await terminal.run("verify", "a.jsonl", "--serial")
    #expect(serial.status == (isFlawed ? 1 : 0), "\(serial.output)")
    #expect(try await terminal.run("verify", "a.jsonl") == serial)
  }

  @Test(
    "test --name names a test, with backticks where Swift needs them",
    arguments: [
      ("basketIsEmpty", "basketIsEmpty"), ("_test1", "_test1"), ("class", "`class`"),
      ("Self", "`Self`"), ("1 x", "`1 x`"), ("the basket is empty", "`the basket is empty`"),
    ]
  )
  func namesOfTests(name: String, written: String) async throws {
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    let result = try await terminal.run("test", "a.jsonl", "--name", name)
    #expect(result.output.contains("\n@Test @MainActor func \(written)() async throws {\n"))
  }

  @Test func `verify --repair removes only a note that is unreadable`() async throws {
    var bytes = Array(SampleLog.lines[..<10].joined(separator: "\n").utf8)
    bytes += Array("\n{\"kind\":\"note\",\"seq\":3,\"at\":1,\"text\":\"".utf8) + [0xFF, 0xFE]
    bytes += Array("\"}\n".utf8) + Array(SampleLog.lines[10...].joined(separator: "\n").utf8)
    let path = terminal.folder.path + "/a.jsonl"
    try Data(bytes + [0x0A]).write(to: URL(fileURLWithPath: path))
    let output = terminal.folder.path + "/out.jsonl"
    let result = try await terminal.run("verify", path, "--repair", output)
    #expect(result.status == 1)
    #expect(result.output.hasSuffix("a.jsonl: 1 problem\n"))
    #expect(result.error == "out.jsonl: 16 of 16 actions kept\n")
    let kept = try terminal.folder.read("out.jsonl").split(separator: "\n").map(String.init)
    #expect(Array(kept.dropFirst()) == Array(SampleLog.lines.dropFirst()))
    #expect(kept.first?.contains(#""writtenBy":"verify""#) == true)
  }

  @Test
  func `verify --repair - writes the log to standard output and its report to standard error`()
    async throws
  {
    var lines = SampleLog.lines
    lines[10] = "rubbish"
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let file = terminal.folder.path + "/out.jsonl"
    _ = try await terminal.run("verify", "a.jsonl", "--repair", file)
    let result = try await terminal.run("verify", "a.jsonl", "--repair", "-")
    #expect(result.status == 1)
    // The header of a file names the command that wrote it.
    func events(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { !$0.hasPrefix(#"{"kind":"header""#) }
    }
    #expect(try events(result.output) == events(terminal.folder.read("out.jsonl")))
    #expect(result.error.hasPrefix("a.jsonl:11: "), "\(result.error)")
    #expect(result.error.hasSuffix("\nstandard output: 11 of 16 actions kept\n"), "\(result.error)")
    #expect(
      try await terminal.run("verify", "a.jsonl", "--repair", "-", "--format", "json").status == 64
    )
  }

  @Test func `verify --repair keeps the events before a damaged line`() async throws {
    var lines = SampleLog.lines
    lines[10] = "rubbish"
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let output = terminal.folder.path + "/out.jsonl"
    let result = try await terminal.run("verify", "a.jsonl", "--repair", output)
    #expect(result.status == 1)
    #expect(result.error == "out.jsonl: 11 of 16 actions kept\n")
    #expect(
      try await terminal.run("verify", "out.jsonl")
        == .init(
          status: 0,
          output: """
            out.jsonl#1: sound, 10 lines, 4 actions, not closed
            out.jsonl#2: sound, 23 lines, 7 actions

            """
        )
    )
    #expect(try await terminal.run("run", "out.jsonl").status == 0)
    #expect(
      try await terminal.run("verify", "a.jsonl", "a.jsonl", "--repair", "x")
        == .init(
          status: 64,
          output: "",
          error:
            "tca-replay: '--repair' takes one log; found 2\nsee 'tca-replay verify --help'\n"
        )
    )
  }

  @Test(
    arguments: [("", 65), ("rubbish\n", 65), ("{\"kind\":\"end\",\"seq\":0}\n", 65)]
      as [(String, Int32)]
  )
  func `verify refuses a file that is not a log`(text: String, status: Int32) async throws {
    try terminal.folder.write(text, to: "a.jsonl")
    #expect(try await terminal.run("verify", "a.jsonl").status == status)
  }
}

/// The memory of a verification does not grow with the log.
@Suite struct LogVerifierTests {
  private func verify(_ lines: [String], mostListed: Int) throws -> LogVerifier {
    var reader = LogReader(bytes: Array(lines.joined(separator: "\n").utf8 + [0x0A]))
    var verifier = LogVerifier(mostListed: mostListed)
    while let entry = try reader.next() { verifier.add(entry) }
    return verifier
  }

  @Test func `verify lists the first problems in full, and counts the others`() throws {
    let wrong = (1...50).map {
      #"{"kind":"read","seq":\#($0),"key":"uuid","value":"A"}"#
    }
    let verifier = try verify(Array(SampleLog.lines.prefix(2)) + wrong, mostListed: 10)
    #expect(verifier.problemCount == 50)
    #expect(verifier.problems.map(\.line) == Array(3...12))
    let log = LogVerificationResult(verifier, tornTail: nil)
    let text = log.text("a", file: "a").split(separator: "\n")
    #expect(text.count == 12)
    #expect(text[10] == "a: note: 40 problems more after these; repair these first")
    #expect(text[11] == "a: 50 problems")
    #expect(log.json("a")["unlisted"]?.int == 40)
    #expect(!log.isSound)
  }

  @Test func `EffectIDBitSet stores each effect id once, with one bit per effect`() {
    var set = EffectIDBitSet()
    for seq in 1...1_000 {
      #expect(!set.contains(EffectID(seq: seq, index: 0)))
      let inserted = [
        set.insert(EffectID(seq: seq, index: 0)), set.insert(EffectID(seq: seq, index: 0)),
      ]
      #expect(inserted == [true, false])
    }
    #expect(set.contains(EffectID(seq: 1_000, index: 0)))
    #expect(!set.contains(EffectID(seq: 1_000, index: 1)))
    #expect(!set.contains(EffectID(seq: 1_001, index: 0)))
    #expect(set.blockCount == 1_000 / 64 + 1)
  }
}
