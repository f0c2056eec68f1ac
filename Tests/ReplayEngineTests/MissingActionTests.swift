import ActionLog
import Testing

@testable import ReplayEngine

/// Effects of actions that a replay does not have.
@Suite("Effects of missing actions") struct MissingActionTests {
  @Test(
    "A finding explains that an effect never started because its action is missing in the replay"
  )
  func effectsOfMissingActions() {
    var effects = SimulatedEffects()
    let action = LogEvent.Action(
      seq: 3,
      at: 1,
      origin: .effect(EffectID(seq: .max, index: 0), via: nil),
      action: "tapped"
    )
    let findings = effects.arrive(from: action.origin, as: 3)
    #expect(findings.map(\.code) == [.deadEffect])
    #expect(findings.map(\.subject) == ["of an action that the replay lacks"])
    #expect(
      findings.map(\.message) == ["the replay has no action that started the effect"]
    )
  }
}
