import ActionLog
import ReplayTestSupport
import Testing

@testable import ReplayEngine

/// The events of a recording, for all consumers.
@Suite struct RecordedEventsTests {
  @Test func `an error in the log occurs at the same event for the replay and for the comparison`()
    throws
  {
    var lines = Array(SampleLog.lines[..<4])
    lines[3] = "no event"
    let events = RecordedEvents(LogEventIterator(all: SampleLog.reader(lines)), isCompared: true)
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

  @Test func `RecordedEvents keeps events until both the replay and the comparison have read them`()
    throws
  {
    let events = RecordedEvents(
      LogEventIterator(all: SampleLog.reader(SampleLog.lines)),
      isCompared: true
    )
    let all = SampleLog.lines.count
    for _ in 0..<20 { #expect(try events.next() != nil) }
    for _ in 0..<all { #expect(try events.next(for: .comparison) != nil) }
    for _ in 20..<all { #expect(try events.next() != nil) }
    #expect(try events.next() == nil)
    #expect(try events.next(for: .comparison) == nil)
  }
}
