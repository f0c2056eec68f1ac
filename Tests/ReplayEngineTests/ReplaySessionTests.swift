import ActionLog
import ReplayTestSupport
import Testing

@testable import ReplayEngine

@Suite struct ReplaySessionTests {
  @Test func `a replay without code changes has the events of the recording and is identical`()
    throws
  {
    let replayed = try SampleLog.replay(SampleLog.lines)
    var recorded: [LogEvent] = []
    let next = SampleLog.events(SampleLog.lines)
    while let event = try next() { recorded.append(event) }
    #expect(replayed.map(\.kind) == recorded.map(\.kind))
    #expect(try SampleLog.verdict(SampleLog.lines) == .identical)
  }

  @Test func `a replay keeps members of events that it does not know`() throws {
    let lines = SampleLog.lines.map { line in
      line.contains(#""kind":"header""#)
        ? line : line.replacing(/}$/, with: #","new":{"a":[1]}}"#)
    }
    let replayed = try SampleLog.replay(lines)
      .map { String(decoding: $0.line, as: UTF8.self) }
    #expect(replayed == lines)
  }

  @Test func `a replay returns the event of an action before it runs the reducer`() throws {
    var session = ReplaySession(events: SampleLog.events(SampleLog.lines)) { _ in TrippingEngine() }
    #expect(try session.next()?.kind == "header")
    #expect(try session.next()?.kind == "checkpoint")
    let action = try session.next()
    #expect(action?.kind == "action")
    #expect(TrippingEngine.steps == 0)
    _ = try session.next()
    #expect(TrippingEngine.steps == 1)
  }

  /// An engine that counts its calls; used by a single test.
  private struct TrippingEngine: FeatureEngine {
    nonisolated(unsafe) static var steps = 0
    mutating func load(_ checkpoint: LogEvent.Checkpoint, header: LogEvent.Header) -> LoadedState {
      LoadedState(state: checkpoint.state)
    }
    var loggedState: JSONText { JSONText([:]) }
    mutating func step(_ input: StepInput) -> StepOutcome {
      Self.steps += 1
      return StepOutcome()
    }
  }

  @Test func `a log that ends after any of its lines replays with the verdict cut`() throws {
    // All line ends at which a kill can cut a log.
    for count in 2..<SampleLog.lines.count {
      let verdict = try SampleLog.verdict(Array(SampleLog.lines.prefix(count)))
      #expect(verdict?.name == "cut", "\(count) lines: \(String(describing: verdict))")
    }
    #expect(try SampleLog.verdict(SampleLog.lines.dropLast()) == .cut(at: 16))
  }

  @Test func `a replay uses stand-ins for reads that are missing in an unfinished action`() throws {
    let lines = Array(SampleLog.lines.prefix(5))
    #expect(lines.last?.contains(#"{"add":{}}"#) == true)
    #expect(try SampleLog.verdict(lines) == .cut(at: 2))
  }

  @Test func `ReplaySession replays several logs of a stream`() throws {
    let replayed = try SampleLog.replay(SampleLog.lines + SampleLog.lines)
    #expect(replayed.count { $0.kind == "header" } == 2)
    #expect(replayed.count { $0.kind == "end" } == 2)
    #expect(replayed.count { $0.kind == "finding" } == 0)
  }

  @Test func `a replay begins with the effects that are alive in the first checkpoint`() throws {
    let lines = [
      SampleLog.lines[0],
      #"{"kind":"checkpoint","seq":9,"state":{"count":0},"effects":[{"id":"3.0","op":"run"},{"op":"concatenate","effects":[{"id":"4.0","op":"run"},{"id":"4.1","op":"send","action":{"done":{}}}]}]}"#,
      #"{"kind":"action","seq":10,"origin":{"effect":"3.0"},"action":{"increment":{}}}"#,
      #"{"kind":"change","seq":10,"patch":[{"op":"replace","path":"/count","value":1}]}"#,
      #"{"kind":"effect","id":"3.0","event":"finished","sent":5}"#,
      #"{"kind":"effect","id":"4.0","event":"finished","sent":0}"#,
      #"{"kind":"action","seq":11,"origin":{"effect":"4.1"},"action":{"done":{}}}"#,
      #"{"kind":"change","seq":11,"patch":[{"op":"replace","path":"/count","value":2}]}"#,
      #"{"kind":"end","seq":11,"reason":"closed"}"#,
    ]
    #expect(try SampleLog.verdict(lines) == .identical)
  }

  @Test(arguments: [
    ("3.5", "effect 3.5 is not running in the replay"),
    ("5.0", "effect 5.0 was canceled before"),
  ])
  func `an action of an effect that is not running adds a finding to the replay`(
    id: String,
    message: String
  ) throws {
    var lines = SampleLog.lines.map { $0 }
    // 5.0 was canceled by action 13 and has not returned yet.
    lines.removeAll { $0.contains(#""id":"5.0","event":"finished""#) }
    lines = lines.map {
      $0.replacing(
        #""seq":14,"at":80,"origin":{"effect":"10.2"}"#,
        with: #""seq":14,"at":80,"origin":{"effect":"\#(id)"}"#
      )
    }
    guard case .diverged(let divergence) = try SampleLog.verdict(lines) else {
      Issue.record("no divergence")
      return
    }
    #expect(divergence.at == 14)
    #expect(divergence.cause == .deadEffect)
    #expect(divergence.differences.map(\.message) == [message])
  }

  @Test(arguments: [#""task""#, #"{"effect":"1.0"}"#, #""store""#])
  func `an action that waits for a canceled effect is expected unless the log lists it as dropped`(
    canceller: String
  ) throws {
    func start(_ drops: String) -> [String] {
      [
        SampleLog.lines[0], SampleLog.lines[1],
        #"{"kind":"action","seq":1,"origin":"view","action":{"chain":{}}}"#,
        SampleLog.lines[25].replacing("10", with: "1"),
        #"{"kind":"effect","id":"1.0","event":"cancelled","by":\#(canceller)\#(drops)}"#,
        #"{"kind":"effect","id":"1.0","event":"finished","sent":0}"#,
      ]
    }
    let goesOn = [
      #"{"kind":"action","seq":2,"origin":{"effect":"1.1"},"action":{"done":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/count","value":1}]}"#,
      #"{"kind":"effect","id":"1.2","event":"started"}"#,
      #"{"kind":"effect","id":"1.2","event":"finished","sent":0}"#,
    ]
    func end(_ seq: Int) -> String { #"{"kind":"end","seq":\#(seq),"reason":"closed"}"# }
    let dropped = #","drops":1"#
    #expect(try SampleLog.verdict(start("") + goesOn + [end(2)]) == .identical)
    #expect(try SampleLog.verdict(start(dropped) + [end(1)]) == .identical)
    #expect(try SampleLog.verdict(start("") + [end(1)]) != .identical)
    #expect(try SampleLog.verdict(start(dropped) + goesOn + [end(2)]) != .identical)
  }

  @Test func `a replay includes events of unknown kinds, and the comparison counts them`() throws {
    var lines = SampleLog.lines
    lines.insert(#"{"kind":"bookmark","text":"hello"}"#, at: 4)
    #expect(try SampleLog.replay(lines).count { $0.kind == "bookmark" } == 1)
    var session = ReplaySession(events: SampleLog.events(lines)) { _ in CounterEngine() }
    var comparison = LogComparison(
      recorded: SampleLog.events(lines),
      replayed: { try session.next() }
    )
    let result = try comparison.run()
    #expect(result.differences == [])
    #expect(result.unknown == 1)
  }

  @Test func `a replay refuses a log without a checkpoint`() {
    #expect(throws: ReplayError.noCheckpoint(kind: "action")) {
      try SampleLog.replay([SampleLog.lines[0], SampleLog.lines[2]])
    }
  }
}
