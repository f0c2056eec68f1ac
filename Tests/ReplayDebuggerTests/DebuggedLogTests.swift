import ActionLog
import Foundation
import LogTools
import ReplayEngine
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugger

/// Steps of a log in any order, compared with a walk from the start.
@Suite struct DebuggedLogTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Ranges so short that a small log has many.
  nonisolated static let limits: [LogStretch.Limits] = [
    LogStretch.Limits(), LogStretch.Limits(steps: 3), LogStretch.Limits(steps: 1),
    LogStretch.Limits(steps: 1000, bytes: 300),
  ]

  func open(
    _ text: String,
    _ limits: LogStretch.Limits = LogStretch.Limits(),
    hasIndex: Bool = false
  ) throws -> DebuggedLog {
    let path = try folder.write(text, to: "a.jsonl")
    let slice = try #require(try LogSlice.slices(of: path, name: "a.jsonl").first)
    return try DebuggedLog(slice, cache: nil, limits: limits, smallestFile: hasIndex ? 0 : .max)
  }

  @Test(arguments: limits, [false, true])
  func `DebuggedLog has the same steps forward and backward`(
    limits: LogStretch.Limits,
    hasIndex: Bool
  ) throws {
    let log = try open(SampleLog.text, limits, hasIndex: hasIndex)
    var forth: [StepID] = []
    var step = try log.first()
    while let current = step {
      forth.append(current.id)
      step = try log.step(after: current.id)
    }
    #expect(forth == (0...16).map { StepID(seq: $0) })
    var back: [StepID] = []
    step = try log.last()
    while let current = step {
      back.append(current.id)
      step = try log.step(before: current.id)
    }
    #expect(back == forth.reversed())
  }
}

// MARK: - States

extension DebuggedLogTests {
  nonisolated static let samples = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("SampleLogs")

  @Test(arguments: [
    "account", "board", "counter", "draft", "inspections", "memos", "search", "signup", "todos",
    "todos-cut", "todos-trap",
  ])
  func `any sequence of steps through a sample log ends in the state that show prints`(
    name: String
  ) throws {
    let path = Self.samples.appendingPathComponent("\(name).jsonl").path
    for (number, limits) in Self.limits.enumerated() {
      let slice = LogSlice(path: path, name: name)
      let log = try DebuggedLog(slice, cache: nil, limits: limits, smallestFile: 0)
      try walk(try DebugSession(log), steps: 10, seed: UInt64(number + 1), path)
    }
  }

  @Test(arguments: Thoroughness.seeds(4, thorough: 12))
  func `any sequence of steps through a random log ends in the state that show prints`(
    seed: UInt64
  ) throws {
    let random = RandomLog(seed: seed, actions: 80)
    let log = try open(
      random.lines.joined(separator: "\n") + "\n",
      Self.limits[Int(seed) % Self.limits.count],
      hasIndex: seed % 2 == 0
    )
    try walk(DebugSession(log), steps: 60, seed: seed, log.slice.path)
  }

  @Test(arguments: ["account", "board", "draft", "inspections", "memos", "signup", "todos"])
  func `in the debugger, next after reverse-next returns to the same action`(name: String) throws {
    let path = Self.samples.appendingPathComponent("\(name).jsonl").path
    let session = try DebugSession(DebuggedLog(LogSlice(path: path, name: name), cache: nil))
    while let step = try session.log.step(after: session.current.id) {
      try session.go(to: step.id)
      let causes = try session.senders(of: step, most: .max).map(\.id)
      try session.reverseNext()
      let origin = session.current.id
      // An action that caused this one cannot be stepped over.
      if !causes.contains(origin) {
        try session.next()
        #expect(session.current.id == step.id, "\(origin)")
      }
      try session.go(to: step.id)
    }
  }

  /// Walks randomly, and compares the positions with a search from the start.
  private func walk(_ session: DebugSession, steps: Int, seed: UInt64, _ path: String) throws {
    var random = SplitMix64(seed: seed)
    let last = try #require(try session.log.last()).seq
    let first = session.current.seq
    session.addBreakpoint(.number((first + last) / 2), text: "")
    for number in 0..<steps {
      let way = Int.random(in: 0..<10, using: &random)
      switch way {
      case 0: try session.step(Int.random(in: 1...7, using: &random))
      case 1: try session.reverseStep(Int.random(in: 1...7, using: &random))
      case 2: try session.next()
      case 3: try session.reverseNext()
      case 4: try session.finish()
      case 5: try session.reverseFinish()
      case 6: try session.resume()
      case 7: try session.reverseResume()
      default: try session.go(to: StepID(seq: Int.random(in: first...last, using: &random)))
      }
      let comment: Comment = "seed \(seed), step \(number), way \(way), at \(session.current.id)"
      guard session.current.id.part == 0 else { continue }
      var seek = StateSeek(try LogReader(path: path))
      let expected = try? seek.state(after: session.current.seq)
      #expect(session.current.after == expected, comment)
    }
  }

  /// The effects that are alive after each step, according to the checkpoint that a recorder would write there.
  @Test(arguments: limits)
  func `a debugger step lists the same running effects after goto as after single steps`(
    limits: LogStretch.Limits
  ) throws {
    let log = try open(SampleLog.text, limits, hasIndex: true)
    let alive = try (0...16).reversed().map { seq in
      try #require(try log.step(at: seq)).alive.map { "\($0.id)\($0.isWaiting ? " waits" : "")" }
    }
    #expect(
      alive.reversed() == [
        [], [], [], ["3.0"], ["3.0"], ["5.0"], ["5.0"], ["5.0"], ["5.0"], ["5.0"],
        ["5.0", "10.0", "10.2 waits"], ["5.0", "10.2"], ["5.0", "10.2"], ["10.2"], ["10.2"], [],
        [],
      ]
    )
  }
}

// MARK: - What is read

extension DebuggedLogTests {
  private static let counts = [0, 1, 1, 1, 7, 7, 7, 8, 9, 10, 10, 11, 12, 12, 13, 14, 15]

  private func count(at seq: Int, in log: DebuggedLog) throws -> Int? {
    try log.step(at: seq)?.after?["count"]?.int
  }

  @Test func `goto in the debugger reads the log from the checkpoint before its target`() throws {
    var lines = SampleLog.lines
    lines[5] = "rubbish"
    let log = try open(lines.joined(separator: "\n") + "\n", hasIndex: true)
    for seq in [12, 16, 10] { #expect(try count(at: seq, in: log) == Self.counts[seq]) }
    #expect(try log.step(before: StepID(seq: 12))?.seq == 11)
    #expect(try log.step(at: 8) == nil)
  }

  /// Without checkpoints, a step back starts at states that were stored on the way forward.
  @Test func `a step back does not read the log from its start`() throws {
    let lines = SampleLog.lines.filter { !$0.hasPrefix(#"{"kind":"checkpoint","seq":9"#) }
    let log = try open(lines.joined(separator: "\n") + "\n", LogStretch.Limits(steps: 2))
    #expect(try log.last()?.seq == 16)
    var text = lines
    text[6] = String(repeating: "x", count: lines[6].utf8.count)
    try folder.write(text.joined(separator: "\n") + "\n", to: "a.jsonl")
    var step = try log.last()
    var found: [Int?] = []
    while let current = step, current.seq > 4 {
      found.append(current.after?["count"]?.int)
      step = try log.step(before: current.id)
    }
    #expect(found == Self.counts[5...].reversed())
  }

  /// If there are more positions than the limit, every second one is dropped and found again later.
  @Test func `DebuggedLog keeps a limited number of positions, and still returns correct states`()
    throws
  {
    let random = RandomLog(seed: 3, actions: 400)
    let lines = random.lines.filter {
      !$0.hasPrefix(#"{"kind":"checkpoint""#) || $0.hasPrefix(#"{"kind":"checkpoint","seq":0"#)
    }
    let log = try open(lines.joined(separator: "\n") + "\n", LogStretch.Limits(steps: 1))
    let last = try #require(try log.last())
    #expect(last.seq == 400)
    var seek = StateSeek(try LogReader(path: log.slice.path))
    #expect(try last.after == seek.state(after: 400))
    var ids: [Int] = []
    var step: LogStep? = last
    while let current = step {
      ids.append(current.seq)
      step = try log.step(before: current.id)
    }
    #expect(ids == (0...400).reversed())
    for seq in [399, 7, 250, 131] {
      var seek = StateSeek(try LogReader(path: log.slice.path))
      #expect(try log.step(at: seq)?.after == seek.state(after: seq))
    }
  }
}

// MARK: - Odd logs

extension DebuggedLogTests {
  /// Returns a log with lines after the first two of the sample.
  private func log(
    _ lines: String...,
    limits: LogStretch.Limits = LogStretch.Limits()
  ) throws
    -> DebuggedLog
  {
    try open((SampleLog.lines.prefix(4) + lines).joined(separator: "\n") + "\n", limits)
  }

  private func steps(_ log: DebuggedLog) throws -> [String] {
    var found: [String] = []
    var step = try log.first()
    while let current = step {
      let count = current.after?["count"].map { "\($0)" } ?? "?"
      found.append("\(current.id) \(current.kind) \(count) lines \(current.lines)")
      step = try log.step(after: current.id)
    }
    return found
  }

  nonisolated static let bounds: [LogStretch.Limits] = [
    LogStretch.Limits(), LogStretch.Limits(steps: 1),
  ]

  @Test(arguments: bounds)
  func `external and excluded changes appear as steps in DebuggedLog`(
    limits: LogStretch.Limits
  ) throws {
    let log = try log(
      #"{"kind":"external","seq":1,"at":11,"patch":[{"op":"replace","path":"/count","value":5}]}"#,
      #"{"kind":"checkpoint","seq":1,"state":{"count":5,"id":""},"effects":[]}"#,
      #"{"kind":"external","seq":1,"at":12,"patch":[{"op":"replace","path":"/count","value":6}]}"#,
      #"{"kind":"note","seq":1,"at":13,"text":"x"}"#,
      #"{"kind":"excluded","seq":2,"at":14,"origin":"view","patch":[{"op":"replace","path":"/count","value":7}]}"#,
      limits: limits
    )
    #expect(
      try steps(log) == [
        "0 start 0 lines 1...2", "1 action 1 lines 3...4", "1+1 external 5 lines 5...6",
        "1+2 external 6 lines 7...8", "2 excluded 7 lines 9...9",
      ]
    )
  }

  @Test(arguments: bounds)
  func `after a gap, DebuggedLog continues with the next checkpoint`(
    limits: LogStretch.Limits
  ) throws {
    let log = try log(
      #"{"kind":"action","seq":2,"at":20,"origin":"view","action":{"increment":{}}}"#,
      #"{"kind":"gap","seq":2,"at":21,"dropped":9,"reason":"disk full"}"#,
      #"{"kind":"checkpoint","seq":6,"state":{"count":6,"id":""},"effects":[]}"#,
      #"{"kind":"action","seq":7,"at":30,"origin":"view","action":{"increment":{}}}"#,
      #"{"kind":"change","seq":7,"patch":[{"op":"replace","path":"/count","value":7}]}"#,
      #"{"kind":"action","seq":8,"at":31,"origin":"view","action":{"increment":{}}}"#,
      limits: limits
    )
    #expect(
      try steps(log) == [
        "0 start 0 lines 1...2", "1 action 1 lines 3...4", "2 action ? lines 5...6",
        "6 resumed 6 lines 7...7", "7 action 7 lines 8...9", "8 action ? lines 10...10",
      ]
    )
  }

  @Test(arguments: bounds)
  func `DebuggedLog has no state after a patch that cannot be applied`(
    limits: LogStretch.Limits
  ) throws {
    let log = try log(
      #"{"kind":"action","seq":2,"at":20,"origin":"view","action":{"increment":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/none","value":7}]}"#,
      #"{"kind":"action","seq":2,"at":30,"origin":"view","action":{"increment":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[]}"#,
      #"{"kind":"checkpoint","seq":2,"state":{"count":8,"id":""},"effects":[]}"#,
      #"{"kind":"action","seq":3,"at":31,"origin":"view","action":{"increment":{}}}"#,
      #"{"kind":"change","seq":3,"patch":[]}"#,
      limits: limits
    )
    #expect(
      try steps(log) == [
        "0 start 0 lines 1...2", "1 action 1 lines 3...4", "2 action ? lines 5...6",
        "2+1 action 8 lines 7...9", "3 action 8 lines 10...11",
      ]
    )
    #expect(try log.step(at: 2)?.end.brokenPatch?.seq == 2)
  }

  @Test func `DebuggedLog ends before a line that is not an event`() throws {
    let log = try log("rubbish", SampleLog.lines[4])
    #expect(try steps(log) == ["0 start 0 lines 1...2", "1 action 1 lines 3...4"])
    #expect(try log.ending().problem?.line == 5)
  }

  @Test func `DebuggedLog reads each of several logs in a file`() throws {
    let path = try folder.write(SampleLog.text + "\n" + SampleLog.text + "\n", to: "b.jsonl")
    let slices = try LogSlice.slices(of: path, name: "b.jsonl")
    for (slice, smallest) in [(0, 0), (1, 0), (0, Int.max), (1, Int.max)] {
      let log = try DebuggedLog(
        slices[slice],
        cache: nil,
        limits: LogStretch.Limits(steps: 2),
        smallestFile: smallest
      )
      let last = try #require(try log.last())
      #expect(last.seq == 16)
      #expect(last.lines == slice * 45 + 43...slice * 45 + 45)
      #expect(try log.step(at: 10)?.after?["count"]?.int == 10)
      #expect(try log.step(atTime: 65)?.seq == 9)
      #expect(try log.step(atTime: 0)?.seq == 0)
      #expect(try log.step(atTime: .max)?.seq == 16)
    }
  }
}
