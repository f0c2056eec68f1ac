import ActionLog
import Testing

@testable import ActionRecording

/// What a recorder says of values that the log does not hold.
@Suite("Notices of a recorder") struct OpaqueNoticesTests {
  private func line(_ state: String) -> [UInt8] {
    Array(#"{"kind":"checkpoint","seq":0,"state":\#(state),"effects":[]}"#.utf8) + [0x0A]
  }

  @Test("name a type once, with the line of code to add")
  func once() {
    var notices = OpaqueNotices()
    let lines =
      line(#"{"pen":{"$opaque":"Pen"},"notes":[{"$opaque":"Note"},{"$opaque":"Note"}]}"#)
      + line(#"{"note":{"$opaque":"Note"},"tree":{"$opaque":"Node","reason":"it throws"}}"#)
    #expect(
      notices.messages(on: lines) == [
        "Pen at pen is not recorded, because it is neither LogValue nor Codable; add @LogValue to Pen, or make it Codable",
        "Note at notes[*] is not recorded, because it is neither LogValue nor Codable; add @LogValue to Note, or make it Codable",
        "Node at tree is not recorded: it throws",
      ]
    )
    #expect(notices.messages(on: lines).isEmpty)
  }

  @Test("are few")
  func few() {
    var notices = OpaqueNotices()
    let members = (0..<100).map { #""a\#($0 % 20)":[{"b\#($0)":{"$opaque":"T\#($0)"}}]"# }
    let count = members.map { notices.messages(on: line("{\($0)}")).count }.reduce(0, +)
    #expect(count == 16)
  }

  @Test("are looked for only when a value was written as opaque")
  func counted() {
    struct Unknown {}
    let before = OpaqueWrites.count
    _ = LogEncoder(writing: Unknown())
    #expect(OpaqueWrites.count > before)
  }
}
