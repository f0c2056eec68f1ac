import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayEngine

/// A check reads the log once for the replay and the comparison.
///
/// Its results equal those of two separate readings.
@Suite struct OneReadingTests {
  /// The result of a comparison, or its failure.
  private enum Outcome: Equatable {
    case result(LogComparison.Result)
    case failure(String)
  }

  /// Returns the outcome of a check.
  private static func together(
    _ lines: [String],
    _ change: CounterEngine.Change,
    isContinuing: Bool = false
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    try folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let check = ReplayCheck(
      log: LogSlice(path: "\(folder.path)/a.jsonl", name: "a.jsonl"),
      until: .max,
      options: LogComparison.Options(),
      isContinuing: isContinuing
    )
    var reported: [LogDifference] = []
    do {
      let result = try check.compare { differences, _ in
        reported += differences
      } makeEngine: { _ in
        CounterEngine(change)
      }
      #expect(reported == result.differences)
      return .result(result)
    } catch { return .failure("\(error)") }
  }

  /// Returns the outcome if the recording is read twice and the replay shares none of its objects.
  private static func apart(
    _ lines: [String],
    _ change: CounterEngine.Change,
    isContinuing: Bool = false
  ) -> Outcome {
    var session = ReplaySession(
      isResyncing: isContinuing,
      events: SampleLog.events(lines)
    ) { _ in CounterEngine(change) }
    var comparison = LogComparison(
      recorded: SampleLog.events(lines),
      replayed: {
        do { return try session.next().map { try LogEvent(json: JSON(parsing: $0.line)) } } catch {
          guard session.isStopped else { throw error }
          return nil
        }
      },
      extent: isContinuing ? .resynced : .first
    )
    comparison.isReplay = true
    do { return .result(try comparison.run()) } catch {
      guard isContinuing, !comparison.result.differences.isEmpty else {
        return .failure("\(error)")
      }
      var found = comparison.result
      found.stop = .differs
      return .result(found)
    }
  }

  @Test(arguments: CounterEngine.Change.allCases, [false, true])
  func `a check in a single pass over the log has the result of a replay followed by a comparison`(
    change: CounterEngine.Change,
    isContinuing: Bool
  ) throws {
    let expected = Self.apart(SampleLog.lines, change, isContinuing: isContinuing)
    #expect(
      try Self.together(SampleLog.lines, change, isContinuing: isContinuing) == expected
    )
    guard change == .none, case .result(let result) = expected else { return }
    #expect(result.differences == [])
  }

  /// An effect sends an action that starts another effect.
  ///
  /// The sent action is counted once.
  @Test func `a check in a single pass over the log counts each action of an effect once`() throws {
    let lines =
      SampleLog.lines[..<2] + [
        #"{"kind":"action","seq":1,"at":30,"origin":"view","action":{"load":{}}}"#,
        SampleLog.lines[8].replacing(#""seq":3"#, with: #""seq":1"#).replacing("3.0", with: "1.0"),
        #"{"kind":"action","seq":2,"at":40,"origin":{"effect":"1.0"},"action":{"load":{}}}"#,
        SampleLog.lines[8].replacing(#""seq":3"#, with: #""seq":2"#).replacing("3.0", with: "2.0"),
        #"{"kind":"effect","id":"1.0","event":"cancelled","by":{"action":2},"at":51}"#,
        #"{"kind":"effect","id":"1.0","event":"finished","sent":1,"at":52}"#,
        #"{"kind":"end","seq":2,"reason":"closed"}"#,
      ]
    let expected = Self.apart(Array(lines), .none)
    #expect(try Self.together(Array(lines), .none) == expected)
    guard case .result(let result) = expected else { return #expect(Bool(false), "\(expected)") }
    #expect(result.differences == [])
  }

  @Test(arguments: ["increment", "add"], CounterEngine.Change.allCases)
  func `an action is unfinished if the line of its change is torn`(
    action: String,
    change: CounterEngine.Change
  ) throws {
    let lines =
      SampleLog.lines[..<2] + [
        #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"\#(action)":{}}}"#,
        #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}],"us":2222}"#,
      ]
    for count in [1, 30, 60, 80] {
      var lines = Array(lines)
      // Reserved space for the line that was never filled.
      lines[3] = lines[3].prefix(count) + "\u{0}"
      let expected = Self.apart(lines, change)
      #expect(try Self.together(lines, change) == expected, "\(count)")
      guard change == .none, case .result(let result) = expected else { continue }
      #expect(result.stop == .recordingStops(openAction: 1, isReplayed: true), "\(count)")
    }
  }

  /// Lines before an invalid one are replayed, and a difference in them counts.
  @Test(arguments: [SampleLog.lines.count - 1, 24, 13, 11])
  func `a check reports what it found before a damaged line`(count: Int) throws {
    let lines = SampleLog.lines[..<count] + ["{", SampleLog.lines[count]]
    var session = ReplaySession(events: SampleLog.events(Array(lines))) { _ in CounterEngine() }
    var replayed: [LogEvent] = []
    #expect(throws: LogReadError.self) {
      while let event = try session.next() { replayed.append(event) }
    }
    #expect(try replayed == SampleLog.replay(Array(lines[..<count])))
    let message = "line \(count + 1) is not JSON: "
    // A check that continues must read all lines.
    guard case .failure(let same) = try Self.together(Array(lines), .none, isContinuing: true)
    else { return #expect(Bool(false), "the line was read") }
    #expect(same.hasPrefix(message), "\(same)")
    for isContinuing in [false, true] {
      guard
        case .result(let result) = try Self.together(
          Array(lines),
          .countsByTwo,
          isContinuing: isContinuing
        )
      else { return #expect(Bool(false), "what was found is lost") }
      #expect(result.differences.first?.seq == 1)
      #expect(result.stop == .differs)
    }
  }

  @Test(arguments: Thoroughness.seeds(40, thorough: 1000))
  func `checking a damaged log in one pass has the result of a replay and then a comparison`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var lines = SampleLog.lines
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: 2..<lines.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: lines.swapAt(index, Int.random(in: 2..<lines.count, using: &random))
      case 1: lines.insert(lines[index], at: Int.random(in: 2...lines.count, using: &random))
      case 2: if lines.count > 3 { lines.remove(at: index) }
      default:
        let digits = lines[index].indices.filter { lines[index][$0].isNumber }
        guard let digit = digits.randomElement(using: &random) else { continue }
        let other = String(Int.random(in: 0..<10, using: &random))
        lines[index].replaceSubrange(digit...digit, with: other)
      }
    }
    let change = CounterEngine.Change.allCases.randomElement(using: &random) ?? .none
    for isContinuing in [false, true] {
      #expect(
        try Self.together(lines, change, isContinuing: isContinuing)
          == Self.apart(lines, change, isContinuing: isContinuing),
        "seed \(seed), \(change), \(isContinuing)\n\(lines.joined(separator: "\n"))"
      )
    }
  }
}
