import ActionLog
import Testing

@Suite("Effects of two runs")
struct ComparableEffectTests {
  private static let child =
    #""cancelID":{"type":"ChildEffects","value":{},"path":[{"place":"sheet"}]}"#
  private static let load = #""cancelID":{"type":"CancelID","value":{"load":{}}}"#
  private static let internalEffect =
    #"{"op":"run","name":"presentation","internal":true,\#(child)}"#
  private static let cancel = #"{"op":"cancel",\#(child)}"#

  @Test(
    "An effect is the same whether the library has added effects for children beside it",
    arguments: [
      (
        #"{"id":"1.0","op":"send"}"#,
        #"{"op":"merge","effects":[{"id":"1.0","op":"send"},\#(internalEffect)]}"#
      ),
      (
        #"{"id":"1.0","op":"run",\#(load),"cancelInFlight":true}"#,
        #"{"op":"merge",\#(load),"cancelInFlight":true,"effects":[\#(internalEffect),{"id":"1.0","op":"run"}]}"#
      ),
      (
        #"{"op":"merge",\#(child),"effects":[{"id":"1.0","op":"run",\#(load)}]}"#,
        #"{"op":"merge",\#(child),"effects":[{"id":"1.0","op":"run",\#(load)},\#(internalEffect)]}"#
      ),
      (
        #"{"op":"merge",\#(child),"effects":[{"op":"cancel",\#(load)}]}"#,
        #"{"op":"merge",\#(child),"effects":[{"op":"cancel",\#(load)},\#(cancel)]}"#
      ),
      (
        #"{"op":"concatenate",\#(child),"effects":[{"id":"1.0","op":"run"},{"id":"1.1","op":"run"}]}"#,
        #"{"op":"merge",\#(child),"effects":[{"op":"concatenate","effects":[{"id":"1.0","op":"run"},{"id":"1.1","op":"run"}]},\#(internalEffect)]}"#
      ),
      (
        #"{"op":"concatenate","effects":[{"id":"1.0","op":"run"},{"op":"cancel",\#(load)}]}"#,
        #"{"op":"concatenate","effects":[{"op":"merge","effects":[{"id":"1.0","op":"run"},\#(internalEffect)]},{"op":"cancel",\#(load)}]}"#
      ),
      (
        #"{"op":"merge",\#(child),"effects":[{"id":"1.0","op":"run"},{"id":"1.1","op":"run"}]}"#,
        #"{"op":"merge",\#(child),"effects":[{"id":"1.0","op":"run"},\#(internalEffect),{"id":"1.1","op":"run"}]}"#
      ),
    ]
  )
  func additions(without: String, with added: String) throws {
    let (first, second) = (try effect(without), try effect(added))
    #expect(first.comparable == second.comparable)
    #expect(first.comparable?.json == first.json)
  }

  @Test(
    "Effects that the library alone has returned are not compared",
    arguments: [internalEffect, cancel]
  )
  func nothing(effect text: String) throws {
    #expect(try effect(#"{"op":"merge",\#(Self.child),"effects":[\#(text)]}"#).comparable == nil)
  }

  private func effect(_ text: String) throws -> EffectDescription {
    try EffectDescription(JSONText(JSON(parsing: Array(text.utf8))))
  }
}
