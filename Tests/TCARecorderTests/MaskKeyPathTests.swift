import ActionLog
import TCARecorder
import Testing

@Suite("Masks as key paths")
struct MaskKeyPathTests {
  @Test("name the members that they lead to")
  func keyPaths() {
    let masks = LogMasks(
      state: \People.State.profile.email,
      \.tries,
      action: ["/tried/_0"]
    )
    #expect(masks == LogMasks(state: ["/profile/email", "/tries"], action: ["/tried/_0"]))
    let both = LogMasks(state: ["/rows/*/phone", MaskPath(\People.State.profile.name)])
    #expect(both.state.map(\.description) == ["/rows/*/phone", "/profile/name"])
  }

  @Test("go through collections, stacks, cases and what is presented")
  func places() {
    let table: [(MaskPath, String)] = [
      (MaskPath(in: People.State.self) { $0.rows.each.phone }, "/rows/*/phone"),
      (
        MaskPath(in: People.State.self) {
          $0.path.each.payload(of: "settings", Profile.State.self).email
        }, "/path/*/element/settings/_0/email"
      ),
      (
        MaskPath(in: Gossip.State.self) {
          $0.screen.payload(of: "list", Gossip.Person.State.self).others.each
        }, "/screen/list/_0/others/*"
      ),
      (MaskPath(in: Gossip.State.self) { $0.vault.each.each }, "/vault/*/*"),
    ]
    for (path, text) in table { #expect(path == MaskPath(text)) }
  }

  @Test("of what is computed they match nothing, and say so")
  func computed() {
    #expect(MaskPath(\Gossip.State.path.count).description.contains("is no stored variable"))
  }
}
