import ActionLog
import Testing

@testable import ActionRecording

/// The notices of a recorder about values that the log does not contain.
@Suite("Notices of a recorder") struct OpaqueNoticesTests {
  private func line(_ state: String) -> [UInt8] {
    Array(#"{"kind":"checkpoint","seq":0,"state":\#(state),"effects":[]}"#.utf8) + [0x0A]
  }

  @Test("A notice names each unrecorded type once, with the line of code to add")
  func once() {
    var notices = OpaqueTypeReporter()
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

  @Test("A recorder gives at most 16 notices about unrecorded types")
  func few() {
    var notices = OpaqueTypeReporter()
    let members = (0..<100).map { #""a\#($0 % 20)":[{"b\#($0)":{"$opaque":"T\#($0)"}}]"# }
    let count = members.map { notices.messages(on: line("{\($0)}")).count }.reduce(0, +)
    #expect(count == 16)
  }

  @Test("Writing an opaque value increases the count of opaque writes")
  func counted() {
    struct Unknown {}
    let before = OpaqueWriteCounter.count
    _ = LogEncoder(writing: Unknown())
    #expect(OpaqueWriteCounter.count > before)
  }
}
