import ActionLog
import TestSupport
import Testing

@testable import ReplayEngine

/// Actions that come out as recorded are passed without their events, and nobody can tell.
@Suite struct PassedActionsTests {
  /// What a comparison gives, or how it fails.
  private enum Outcome: Equatable {
    case result(LogComparison.Result)
    case failure(String)
  }

  private static func outcome(
    _ lines: [String],
    _ change: CounterEngine.Change,
    passing: Bool,
    passed: (Int) -> Void = { _ in }
  ) -> Outcome {
    let events = RecordedEvents(isShared: passing, SampleLog.events(lines))
    let replay = InProcessReplay(ReplaySession(input: events) { _ in CounterEngine(change) })
    let recorded = SampleLog.events(lines)
    return withoutActuallyEscaping(passed) { passed in
      var comparison = LogComparison(
        recorded: { passing ? try events.next(for: .comparison) : try recorded() },
        replayed: { try replay.next() }
      )
      comparison.isReplay = true
      if passing {
        comparison.alike = { pass in
          try replay.passAlike { seq, patch in
            passed(seq)
            return pass(seq, patch)
          }
        }
      }
      do { return .result(try comparison.run()) } catch { return .failure("\(error)") }
    }
  }

  @Test(arguments: CounterEngine.Change.allCases)
  func theResultIsThatOfAllEvents(change: CounterEngine.Change) {
    let expected = Self.outcome(SampleLog.lines, change, passing: false)
    #expect(Self.outcome(SampleLog.lines, change, passing: true) == expected)
  }

  @Test func actionsOfWhichOnlyAPatchCameArePassed() throws {
    var passed: [Int] = []
    _ = Self.outcome(SampleLog.lines, .none, passing: true) { passed.append($0) }
    var plain: [Int] = []
    var last: LogEvent?
    let next = SampleLog.events(SampleLog.lines)
    while let event = try next() {
      if case .change(let change) = event, change.effects.isEmpty, case .action(let action) = last,
        action.origin == .view
      {
        plain.append(change.seq)
      }
      last = event
    }
    #expect(!plain.isEmpty)
    #expect(Set(passed).isSuperset(of: plain), "passed \(passed), plain \(plain)")
  }

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func theResultOfADamagedLogIsThatOfAllEvents(seed: UInt64) {
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
    #expect(
      Self.outcome(lines, change, passing: true) == Self.outcome(lines, change, passing: false),
      "seed \(seed), \(change)\n\(lines.joined(separator: "\n"))"
    )
  }

  @Test func anErrorIsMetByBothWhereItStands() throws {
    struct Broken: Error {}
    var count = 0
    let events = RecordedEvents(isShared: true) {
      count += 1
      if count == 3 { throw Broken() }
      return .note(LogEvent.Note(seq: count, at: 0, text: "\(count)"))
    }
    #expect(try events.next(for: .comparison)?.seq == 1)
    #expect(try events.next(for: .comparison)?.seq == 2)
    #expect(throws: Broken.self) { try events.next(for: .comparison) }
    #expect(try events.next()?.seq == 1)
    #expect(try events.peek()?.seq == 2)
    #expect(try events.next()?.seq == 2)
    #expect(throws: Broken.self) { try events.next() }
    #expect(throws: Broken.self) { try events.next(for: .comparison) }
    #expect(count == 3)
  }

  @Test func fewEventsWaitForAReplayThatIsAhead() throws {
    var count = 0
    let events = RecordedEvents(isShared: true) {
      count += 1
      return count > 1_000 ? nil : .note(LogEvent.Note(seq: count, at: 0, text: ""))
    }
    for seq in 1...500 { #expect(try events.next()?.seq == seq) }
    for seq in 1...1_000 { #expect(try events.next(for: .comparison)?.seq == seq) }
    for seq in 501...1_000 { #expect(try events.next()?.seq == seq) }
    #expect(try events.next() == nil)
    #expect(try events.next(for: .comparison) == nil)
  }
}
