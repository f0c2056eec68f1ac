import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayEngine
@testable import ReplayHosts

/// Actions that come out as recorded are passed without their events, and nobody can tell.
@Suite struct PassedActionsTests {
  /// What a comparison gives, or how it fails.
  private enum Outcome: Equatable {
    case result(LogComparison.Result)
    case failure(String)
  }

  /// Who passes actions.
  enum Passing: CaseIterable, Sendable { case nobody, replay, host }

  /// The actions that were passed.
  private final class Passes {
    private(set) var seqs: [Int] = []
    /// Whether a host has passed what the comparison could not take.
    var areMisfit = false
    private var last = 0

    func note(_ event: LogEvent?) -> LogEvent? {
      last = event?.seq ?? last
      return event
    }

    func note(_ passed: LogComparison.PassedActions?) -> LogComparison.PassedActions? {
      if let passed, passed.seq > last { seqs += last + 1...passed.seq }
      return passed
    }
  }

  private static func outcome(
    _ lines: [String],
    _ change: CounterEngine.Change,
    _ passing: Passing,
    _ passes: Passes = Passes()
  ) -> Outcome {
    var comparison: LogComparison
    switch passing {
    case .nobody:
      let replay = SampleLog.session(lines, change)
      comparison = LogComparison(recorded: SampleLog.events(lines), replayed: replay)
    case .replay:
      let events = RecordedEvents(LogSource(all: SampleLog.reader(lines)), comparison: .here)
      let replay = InProcessReplay(ReplaySession(input: events) { _ in CounterEngine(change) })
      comparison = LogComparison(
        recorded: { try events.next(for: .comparison) },
        replayed: { passes.note(try replay.next()) }
      )
      comparison.alike = { passes.note(try replay.passAlike()) }
    case .host:
      let host = PassingHost(lines, change)
      comparison = LogComparison(
        recorded: { try host.events.recording.next() },
        replayed: { passes.note(try host.next()) }
      )
      comparison.alike = { passes.note(try host.passed()) }
    }
    comparison.isReplay = true
    do { return .result(try comparison.run()) } catch is HostPasses.Misfit {
      // Every event is asked for then.
      passes.areMisfit = true
      return outcome(lines, change, .nobody)
    } catch { return .failure("\(error)") }
  }

  /// What a tool sees of a host that passes actions, without a process between them.
  private final class PassingHost {
    var events: PassingEvents
    private var session: ReplaySession

    init(_ lines: [String], _ change: CounterEngine.Change) {
      events = PassingEvents(
        RecordedEvents(LogSource(all: SampleLog.reader(lines)), comparison: .nowhere)
      )
      session = ReplaySession(
        input: RecordedEvents(LogSource(all: SampleLog.reader(lines)), comparison: .elsewhere)
      ) { _ in CounterEngine(change) }
    }

    func next() throws -> LogEvent? { try events.next(read) }
    func passed() throws -> LogComparison.PassedActions? { try events.passed(read) }

    /// An event on its way through a line of text.
    private func read() throws -> LogEvent? {
      guard let event = try session.nextPassing() else { return nil }
      return try LogEvent(json: JSON(parsing: event.line))
    }
  }

  @Test(arguments: CounterEngine.Change.allCases)
  func theResultIsThatOfAllEvents(change: CounterEngine.Change) {
    let expected = Self.outcome(SampleLog.lines, change, .nobody)
    for passing in [Passing.replay, .host] {
      #expect(Self.outcome(SampleLog.lines, change, passing) == expected, "\(passing)")
    }
  }

  @Test(arguments: [Passing.replay, .host])
  func actionsOfWhichOnlyAPatchCameArePassed(passing: Passing) throws {
    let passes = Passes()
    _ = Self.outcome(SampleLog.lines, .none, passing, passes)
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
    #expect(Set(passes.seqs).isSuperset(of: plain), "passed \(passes.seqs), plain \(plain)")
  }

  /// A log in which every other action reads something.
  private static let mixed: [String] =
    SampleLog.lines[..<2]
    + (1...40).flatMap { seq in
      let action = seq.isMultiple(of: 2) ? "add" : "increment"
      var lines = [
        #"{"kind":"action","seq":\#(seq),"at":1,"origin":"view","action":{"\#(action)":{}}}"#
      ]
      if action == "add" {
        lines += [
          #"{"kind":"read","seq":\#(seq),"key":"uuid","value":"A-\#(seq)"}"#,
          #"{"kind":"change","seq":\#(seq),"patch":[{"op":"replace","path":"/id","value":"A-\#(seq)"}],"us":2}"#,
        ]
      } else {
        lines.append(
          #"{"kind":"change","seq":\#(seq),"patch":[{"op":"replace","path":"/count","value":\#(seq / 2 + 1)}]}"#
        )
      }
      return lines
    } + [#"{"kind":"end","seq":40,"reason":"closed"}"#]

  @Test(arguments: [Passing.replay, .host])
  func actionsArePassedAgainBehindOneThatIsNot(passing: Passing) throws {
    let passes = Passes()
    let outcome = Self.outcome(Self.mixed, .none, passing, passes)
    #expect(outcome == Self.outcome(Self.mixed, .none, .nobody))
    #expect(passes.seqs == Array(stride(from: 1, to: 40, by: 2)))
  }

  /// An effect sends an action that starts another one: what the first has sent is counted once.
  @Test(arguments: [Passing.replay, .host])
  func whatAnEffectSendsIsCountedOnce(passing: Passing) {
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
    let expected = Self.outcome(Array(lines), .none, .nobody)
    #expect(Self.outcome(Array(lines), .none, passing) == expected)
    guard case .result(let result) = expected else { return #expect(Bool(false), "\(expected)") }
    #expect(result.differences == [])
  }

  @Test(arguments: [Passing.replay, .host])
  func whatIsNotComparedKeepsNobodyFromPassing(passing: Passing) {
    var lines = Self.mixed
    for index in [18, 9, 4] {
      lines.insert(#"{"kind":"note","seq":\#(index),"at":1,"text":"here"}"#, at: index)
      lines.insert(#"{"kind":"weather","seq":\#(index),"sun":true}"#, at: index + 3)
    }
    let passes = Passes()
    let outcome = Self.outcome(lines, .none, passing, passes)
    #expect(outcome == Self.outcome(lines, .none, .nobody))
    #expect(!passes.areMisfit)
    #expect(passes.seqs.count > 10)
  }

  @Test(arguments: [Passing.replay, .host], CounterEngine.Change.allCases)
  func aTornChangeIsThatOfAnUnfinishedAction(passing: Passing, change: CounterEngine.Change) {
    for action in ["increment", "add"] {
      for count in [1, 30, 60, 80] {
        var lines = Self.mixed[..<4].map { $0.replacing("increment", with: action) }
        // Room that was made for the line and never filled.
        lines[3] = lines[3].prefix(count) + "\u{0}"
        let expected = Self.outcome(lines, change, .nobody)
        #expect(Self.outcome(lines, change, passing) == expected, "\(action), \(count)")
      }
    }
  }

  @Test(arguments: [1, 7, 64, 1000])
  func linesThatComeInPiecesAreWaitedFor(size: Int) throws {
    let pipe = Pipe()
    let text = Array((Self.mixed.joined(separator: "\n") + "\n").utf8)
    Thread.detachNewThread {
      for start in stride(from: 0, to: text.count, by: size) {
        pipe.fileHandleForWriting.write(Data(text[start..<min(start + size, text.count)]))
      }
      try? pipe.fileHandleForWriting.close()
    }
    let reader = LogReader(pipe.fileHandleForReading, name: "pipe")
    var session = ReplaySession(
      input: RecordedEvents(LogSource(all: reader), comparison: .elsewhere)
    ) { _ in CounterEngine() }
    // Which of them are passed depends on the pieces; that all come, and in order, does not.
    var last = 0
    while let event = try session.nextPassing() {
      if let passed = HostPasses.last(of: event) {
        #expect(passed > last)
        last = passed
      } else if case .action(let action) = event {
        #expect(action.seq == last + 1)
        last = action.seq
      }
    }
    #expect(last == 40)
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
    let expected = Self.outcome(lines, change, .nobody)
    for passing in [Passing.replay, .host] {
      #expect(
        Self.outcome(lines, change, passing) == expected,
        "seed \(seed), \(change), \(passing)\n\(lines.joined(separator: "\n"))"
      )
    }
  }
}
