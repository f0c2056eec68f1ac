import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayEngine

/// The positions at which a log is divided.
@Suite struct LogCutterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A log of single steps, with a checkpoint after every fourth.
  private static let lines: [String] = {
    var lines = Array(SampleLog.lines.prefix(2))
    lines[0] = lines[0].replacing(#""recorder":"0.1.0""#, with: #""recorder":"0.2.0""#)
    for seq in 1...40 {
      lines.append(
        #"{"kind":"action","seq":\#(seq),"at":\#(seq),"origin":"view","action":{"increment":{}}}"#
      )
      lines.append(
        #"{"kind":"change","seq":\#(seq),"patch":[{"op":"replace","path":"/count","value":\#(seq)}]}"#
      )
      if seq % 4 == 0 {
        lines.append(
          #"{"kind":"checkpoint","seq":\#(seq),"state":{"count":\#(seq),"id":""},"effects":[]}"#
        )
      }
    }
    return lines + [#"{"kind":"end","seq":40,"reason":"closed"}"#]
  }()

  private func stretches(
    _ lines: [String],
    parts: Int = 4,
    least: Int = 1,
    for purpose: LogPartitioner.Purpose = .replay
  ) throws -> [LogSlice]? {
    try folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let log = LogSlice(path: folder.path + "/a.jsonl", name: "a")
    return LogPartitioner.stretches(of: log, parts: parts, least: least, for: purpose)
  }

  /// Returns the proof for each range.
  private func proofs(
    _ stretches: [LogSlice],
    _ change: CounterEngine.Change = .none
  ) throws -> [StretchProof?] {
    try stretches.map { stretch in
      try ReplayCheck(log: stretch).prove { _ in CounterEngine(change) }
    }
  }

  @Test
  func `LogPartitioner cuts a log at checkpoints, and a replay confirms each stretch separately`()
    throws
  {
    let stretches = try #require(try stretches(Self.lines))
    #expect(stretches.count == 4)
    let bytes = Array(try folder.read("a.jsonl").utf8)
    for (one, next) in zip(stretches, stretches.dropFirst()) {
      let cut = try #require(one.stretch?.end)
      #expect(next.stretch?.start == cut)
      #expect(bytes[cut...].starts(with: #"{"kind":"checkpoint""#.utf8))
      #expect(bytes[cut - 1] == UInt8(ascii: "\n"))
    }
    #expect(stretches.first?.stretch?.start == nil)
    #expect(stretches.last?.stretch?.end == nil)
    let proofs = try proofs(stretches)
    #expect(proofs.allSatisfy { $0 != nil })
    #expect(proofs.last??.seq == 40)
  }

  @Test func `LogPartitioner makes no stretch that is shorter than the minimum`() throws {
    let count = Self.lines.joined(separator: "\n").utf8.count + 1
    #expect(try stretches(Self.lines, parts: 8, least: count / 3)?.count == 3)
    #expect(try stretches(Self.lines, parts: 8, least: count / 2 + 1) == nil)
    #expect(try stretches(Self.lines, parts: 1) == nil)
    #expect(
      LogPartitioner.stretches(of: LogSlice(path: "/none", name: "n"), parts: 4, for: .replay)
        == nil
    )
  }

  /// A reason not to divide a log, constructed to hold at every possible boundary.
  struct Reason: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The replacement of each line.
    let change: @Sendable (String) -> [String]
    /// Whether `verify` and `stats` may not divide the log there.
    var forbidsStatistics = false
  }

  private static func checkpoints(
    _ change: @escaping @Sendable (String) -> String
  ) -> @Sendable (String) -> [String] {
    { [$0.contains(#""kind":"checkpoint""#) ? change($0) : $0] }
  }

  private static func header(_ member: String) -> @Sendable (String) -> [String] {
    { [$0.replacing(#""segment":1"#, with: #""segment":1,\#(member)"#)] }
  }

  private static func before(_ kind: String, _ line: String) -> @Sendable (String) -> [String] {
    { $0.contains(#"{"kind":"\#(kind)","seq":"#) ? [line, $0] : [$0] }
  }

  static let reasons = [
    Reason(
      testDescription: "effects are alive",
      change: checkpoints {
        $0.replacing(#""effects":[]"#, with: #""effects":[{"id":"1.0","op":"run"}]"#)
      },
      forbidsStatistics: true
    ),
    Reason(
      testDescription: "sent actions wait",
      change: checkpoints {
        $0.replacing(
          #""effects":[]"#,
          with: #""effects":[{"id":"1.0","op":"send","action":{"first":{}}}]"#
        )
      },
      forbidsStatistics: true
    ),
    Reason(
      testDescription: "effects as a member of the state",
      change: checkpoints {
        $0.replacing(
          #""id":""},"effects":[]"#,
          with: #""id":{"effects":[]}},"effects":[{"id":"1.0","op":"run"}]"#
        )
      },
      forbidsStatistics: true
    ),
    Reason(
      testDescription: "an opaque value",
      change: checkpoints { $0.replacing(#""id":"""#, with: #""id":{"$opaque":"Socket"}"#) }
    ),
    Reason(
      testDescription: "an error that does not read back",
      change: checkpoints {
        $0.replacing(#""id":"""#, with: #""id":{"$error":{"type":"E","description":"E()"}}"#)
      }
    ),
    Reason(
      testDescription: "a masked value",
      change: checkpoints { $0.replacing(#""id":"""#, with: #""id":{"$masked":"masked5d"}"#) }
    ),
    Reason(testDescription: "masks", change: header(#""masked":{"state":["/id"]}"#)),
    Reason(
      testDescription: "an earlier recorder",
      change: { [$0.replacing(#""recorder":"0.2.0""#, with: #""recorder":"0.1.9""#)] }
    ),
    Reason(
      testDescription: "shared values",
      change: checkpoints {
        $0.replacing(
          #""effects":[]"#,
          with: #""effects":[],"shared":[{"root":0,"at":"/count"},{"root":0,"at":"/id"}]"#
        )
      }
    ),
    Reason(
      testDescription: "a member of a later version",
      change: checkpoints { $0.replacing(#""effects":[]"#, with: #""effects":[],"new":1"#) }
    ),
    Reason(
      testDescription: "changes from outside",
      change: before("checkpoint", #"{"kind":"external","seq":1,"at":1,"patch":[]}"#)
    ),
    Reason(
      testDescription: "changes from outside after the checkpoint",
      change: {
        $0.contains(#""kind":"checkpoint""#)
          ? [$0, #"{"kind":"external","seq":1,"at":1,"patch":[]}"#] : [$0]
      }
    ),
    Reason(
      testDescription: "actions that a filter leaves out",
      change: before(
        "checkpoint",
        #"{"kind":"excluded","seq":1,"at":1,"origin":"view","patch":[]}"#
      )
    ),
    Reason(
      testDescription: "gaps",
      change: before("checkpoint", #"{"kind":"gap","seq":1,"dropped":1,"reason":"full"}"#)
    ),
    Reason(
      testDescription: "no end",
      change: { $0.contains(#""kind":"end""#) ? [] : [$0] }
    ),
    Reason(
      testDescription: "something after the end",
      change: {
        $0.contains(#""kind":"end""#) ? [$0, #"{"kind":"note","seq":1,"at":1,"text":""}"#] : [$0]
      }
    ),
    Reason(
      testDescription: "no checkpoints",
      change: { $0.contains(#""kind":"checkpoint""#) && !$0.contains(#""seq":0"#) ? [] : [$0] },
      forbidsStatistics: true
    ),
    Reason(
      testDescription: "no header",
      change: { [$0.replacing(#""kind":"header""#, with: #""kind":"note""#)] },
      forbidsStatistics: true
    ),
  ]

  @Test(arguments: reasons)
  func `LogPartitioner does not cut a log whose stretches cannot be replayed separately`(
    reason: Reason
  ) throws {
    let lines = Self.lines.flatMap(reason.change)
    #expect(try stretches(lines) == nil)
    #expect(try (stretches(lines, for: .statistics) == nil) == reason.forbidsStatistics)
  }

  @Test func `LogPartitioner cuts a log that has an external change far from the cuts`() throws {
    var lines = Self.lines
    lines.insert(#"{"kind":"external","seq":0,"at":1,"patch":[]}"#, at: 2)
    let stretches = try #require(try stretches(lines))
    #expect(try proofs(stretches).allSatisfy { $0 != nil })
  }

  @Test func `LogPartitioner does not cut a log at checkpoints that list running effects`() throws {
    // Those at which the log may not be cut are passed over.
    var lines = Self.lines
    for index in lines.indices where lines[index].contains(#""kind":"checkpoint","seq":2"#) {
      lines[index].replace(#""effects":[]"#, with: #""effects":[{"id":"1.0","op":"run"}]"#)
    }
    let stretches = try #require(try stretches(lines, parts: 10))
    let bytes = Array(try folder.read("a.jsonl").utf8)
    for stretch in stretches.dropLast() {
      let end = try #require(stretch.stretch?.end)
      #expect(!bytes[end...].starts(with: #"{"kind":"checkpoint","seq":2"#.utf8))
    }
  }

  /// A log that says less than there is: the replay knows of effects and states of which the checkpoints tell nothing.
  struct Lie: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var code = CounterEngine.Change.none
    let change: @Sendable (String) -> [String]
  }

  private static func after(_ seq: Int, _ lines: String...) -> @Sendable (String) -> [String] {
    { $0.contains(#""kind":"change","seq":\#(seq),"#) ? [$0] + lines : [$0] }
  }

  private static func starts(_ action: String, _ effects: String) -> @Sendable (String) -> [String]
  {
    { line in
      if line.contains(#""kind":"action","seq":1,"#) {
        return [line.replacing("increment", with: action)]
      }
      guard line.contains(#""kind":"change","seq":1,"#) else {
        return [
          line.replacing(/"(count|value)":(\d+)/) {
            "\"\($0.output.1)\":\(max(0, (Int($0.output.2) ?? 0) - 1))"
          }
        ]
      }
      return [#"{"kind":"change","seq":1,"patch":[],"effects":[\#(effects)]}"#]
    }
  }

  static let lies = [
    Lie(
      testDescription: "an effect is alive",
      change: starts(
        "load",
        #"{"id":"1.0","op":"run","name":"load","cancelID":{"type":"CancelID","value":"load"},"cancelInFlight":true,"input":1,"priority":"high"}"#
      )
    ),
    Lie(
      testDescription: "an effect waits for another one",
      change: starts(
        "chain",
        #"{"op":"concatenate","effects":[{"id":"1.0","op":"run"},{"id":"1.1","op":"send","action":{"done":{}}},{"id":"1.2","op":"run"}]}"#
      )
    ),
    Lie(testDescription: "drift", code: .addsMember, change: { [$0] }),
    Lie(testDescription: "another state", code: .countsByTwo, change: { [$0] }),
    Lie(
      testDescription: "an event of a later version",
      change: after(2, #"{"kind":"new","seq":2}"#)
    ),
    Lie(
      testDescription: "a read that the code does not ask for",
      change: {
        $0.contains(#""kind":"change","seq":1,"#)
          ? [#"{"kind":"read","seq":1,"key":"uuid","value":"A"}"#, $0] : [$0]
      }
    ),
    Lie(
      testDescription: "an end before the end",
      change: after(2, #"{"kind":"end","seq":2,"reason":"closed"}"#)
    ),
    Lie(testDescription: "a line that is no event", change: after(2, "[]")),
  ]

  @Test(arguments: lies)
  func `a replay does not confirm a stretch with an altered line or changed code`(lie: Lie) throws {
    let stretches = try #require(try stretches(Self.lines.flatMap(lie.change)))
    let first = try? ReplayCheck(log: stretches[0]).prove { _ in CounterEngine(lie.code) }
    #expect(first == nil)
  }

  @Test func `LogEventIterator knows in which stretch of a log a shared key is read`() throws {
    let key = #"{"kind":"read","seq":%,"key":"shared.appStorage(accent)","value":1}"#
    for seq in [1, 39] {
      let read = key.replacing("%", with: "\(seq)")
      let lines = Self.lines.flatMap { line in
        line.contains(#""kind":"change","seq":\#(seq),"#) ? [read, line] : [line]
      }
      let stretches = try #require(try stretches(lines))
      for stretch in stretches {
        var source = try LogEventIterator(stretch)
        while try source.next() != nil {}
        #expect(source.hasShared == ((stretch == (seq == 1 ? stretches.first : stretches.last))))
        #expect(source.hasReachedEnd == (stretch != stretches.last))
      }
    }
  }

  @Test func `a replay does not confirm a stretch that begins or ends in the middle of a line`()
    throws
  {
    let stretches = try #require(try stretches(Self.lines))
    var log = stretches[0]
    let end = try #require(log.stretch?.end)
    log.stretch = LogSlice.Stretch(from: nil, through: end - 1)
    #expect(try proofs([log]) == [nil])
    log.stretch = LogSlice.Stretch(from: nil, through: Int.max)
    #expect(try proofs([log]) == [nil])
    log.stretch = LogSlice.Stretch(from: end + 1, through: nil)
    #expect(throws: LogReadError.self) { _ = try proofs([log]) }
    log.stretch = nil
    #expect(try proofs([log]) == [nil])
  }
}
