import ActionLog
import TCARecorder
import Testing

@Suite("Masks as key paths")
struct MaskKeyPathTests {
  @Test("A mask that is a key path names the stored members on the path")
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

  @Test("A mask path leads through collections, stacks, cases and presentations")
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

  @Test("A mask for the key path of a computed property is described as no stored variable")
  func computed() {
    #expect(MaskPath(\Gossip.State.path.count).description.contains("is no stored variable"))
  }
}
