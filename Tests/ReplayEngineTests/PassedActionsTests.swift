import ActionLog
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
    passed: (ClosedRange<Int>) -> Void = { _ in }
  ) -> Outcome {
    let events =
      passing
      ? RecordedEvents(shared: LogSource(SampleLog.reader(lines)))
      : RecordedEvents(SampleLog.events(lines))
    let replay = InProcessReplay(ReplaySession(input: events) { _ in CounterEngine(change) })
    let recorded = SampleLog.events(lines)
    return withoutActuallyEscaping(passed) { passed in
      var last = 0
      var comparison = LogComparison(
        recorded: { passing ? try events.next(for: .comparison) : try recorded() },
        replayed: {
          let event = try replay.next()
          last = event?.seq ?? last
          return event
        }
      )
      comparison.isReplay = true
      if passing {
        comparison.alike = {
          let actions = try replay.passAlike()
          if let actions, actions.seq > last { passed(last + 1...actions.seq) }
          return actions
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
    _ = Self.outcome(SampleLog.lines, .none, passing: true) { passed += $0 }
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
    var random = SeededGenerator(seed: seed)
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
    var lines = Array(SampleLog.lines[..<4])
    lines[3] = "no event"
    let events = RecordedEvents(shared: LogSource(SampleLog.reader(lines)))
    for kind in ["header", "checkpoint", "action"] {
      #expect(try events.next(for: .comparison)?.kind == kind)
    }
    #expect(throws: LogReadError.self) { try events.next(for: .comparison) }
    #expect(try events.next()?.kind == "header")
    #expect(try events.peek()?.kind == "checkpoint")
    #expect(try events.next()?.kind == "checkpoint")
    #expect(try events.next()?.kind == "action")
    #expect(throws: LogReadError.self) { try events.next() }
    #expect(throws: LogReadError.self) { try events.next(for: .comparison) }
  }

  @Test func eventsWaitForTheOneThatIsBehind() throws {
    let events = RecordedEvents(shared: LogSource(SampleLog.reader(SampleLog.lines)))
    let all = SampleLog.lines.count
    for _ in 0..<20 { #expect(try events.next() != nil) }
    #expect(events.takeSource() == nil, "the comparison has not taken what was read")
    for _ in 0..<all { #expect(try events.next(for: .comparison) != nil) }
    for _ in 20..<all { #expect(try events.next() != nil) }
    #expect(try events.next() == nil)
    #expect(try events.next(for: .comparison) == nil)
  }

  /// Lines that are not an action and its change as recorders write them, one behind the other, are left where they are.
  @Test(arguments: [
    #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{}}"#,
    #"{"kind": "change","seq":1,"patch":[]}"#, #"{"kind":"change","seq":2,"patch":[]}"#,
    #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/a"}]}"#,
    #"{"kind":"change","seq":1,"patch":[],"effects":[]}"#,
    #"{"kind":"change","seq":1,"patch":[],"us":1.5}"#,
    #"{"kind":"change","seq":1,"patch":[],"us":1,"more":1}"#,
    #"{"kind":"read","seq":1,"key":"uuid","value":1}"#, "",
  ])
  func whatLooksDifferentIsLeft(line: String) throws {
    let action = #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"a":"b"}}"#
    let change = #"{"kind":"change","seq":1,"patch":[],"us":1}"#
    for pair in [[action, line], [action.replacing("b", with: "\t"), change]] {
      var reader = SampleLog.reader([SampleLog.lines[0]] + pair)
      _ = try reader.next()
      let plain = reader.peekPlainLines().flatMap { reader.end(of: $0.lines) }
      #expect(plain?.patch.count == nil)
    }
    var reader = SampleLog.reader([SampleLog.lines[0], action, change, line])
    _ = try reader.next()
    let plain = try #require(reader.peekPlainLines()?.lines)
    #expect(plain.seq == 1)
    #expect(String(decoding: plain.action, as: UTF8.self) == #"{"a":"b"}"#)
    let end = try #require(reader.end(of: plain))
    #expect(String(decoding: end.patch, as: UTF8.self) == "[]")
    #expect(reader.end(of: plain, patch: Array("[1]".utf8))?.patch.count == nil)
    reader.take(try #require(reader.end(of: plain, patch: Array("[]".utf8))))
    let rest = Result { try reader.next()?.line }
    switch rest {
    case .success(let found): #expect(found == (line.isEmpty ? nil : 4))
    case .failure(let error): #expect("\(error)".contains("4"), "\(error)")
    }
  }
}
