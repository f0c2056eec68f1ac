import ActionLog
import ReplayTestSupport
import Testing

@testable import ReplayEngine

/// The events of a recording, and the lines that are taken without making events of them.
@Suite struct RecordedEventsTests {
  @Test func anErrorIsMetByBothWhereItStands() throws {
    var lines = Array(SampleLog.lines[..<4])
    lines[3] = "no event"
    let events = RecordedEvents(LogSource(all: SampleLog.reader(lines)), comparison: .here)
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
    let events = RecordedEvents(
      LogSource(all: SampleLog.reader(SampleLog.lines)),
      comparison: .here
    )
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
