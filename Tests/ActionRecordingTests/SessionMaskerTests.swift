import ActionLog
import Testing

@testable import ActionRecording

@Suite("Masks of a session")
struct SessionMaskerTests {
  @Test(
    "Texts beside a masked one in a list are masked in later actions, but neither in this action nor in its change"
  )
  func carriers() throws {
    var configuration = RecorderConfiguration(.memory())
    configuration.masks = LogMasks(state: ["/email"])
    var masker = SessionMasker(configuration)
    var lines: [String] = []
    for (seq, note) in [(1, "first note"), (2, "second note")] {
      let action = LogEvent.Action(
        seq: seq,
        at: 0,
        origin: .view,
        action: ["entered": ["ann@example.org", .string(note)]]
      )
      _ = masker.startAction(action, cases: ["entered"])
      let patch = JSON.Patch([
        .replace(JSON.Pointer(["email"]), "ann@example.org"),
        .replace(JSON.Pointer(["notes"]), ["ann@example.org", .string(note)]),
      ])
      let change = try #require(masker.masked(patch, []).patch)
      for event in masker.endAction() {
        guard case .action(let action) = event else { continue }
        lines.append(text(action.action))
      }
      lines.append(change.operations.map { text($0.value ?? .null) }.joined(separator: " "))
    }
    #expect(
      lines == [
        #"{"entered":["masked","first note"]}"#, #""masked" ["masked","first note"]"#,
        #""masked" ["masked","masked"]"#,
      ]
    )
  }

  /// The text of a value, with one substitute for all texts.
  private func text(_ json: JSON) -> String {
    String(decoding: json.bytes, as: UTF8.self).replacing(/masked[0-9a-f]{18}/, with: "masked")
  }
}
