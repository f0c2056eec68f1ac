import Testing

@testable import ActionLog

/// What is said of effects that differ.
@Suite("Differences of effects") struct EffectDifferenceTests {
  private static let feature = EffectDescription.CancelID(type: "ChildEffects", value: [:])
  private static let own = EffectDescription.CancelID(type: "CancelID", value: ["typing": [:]])

  private static func leaf(
    _ cancelID: EffectDescription.CancelID?,
    name: String = "typing"
  ) -> EffectDescription {
    var effect = EffectDescription(.run)
    effect.id = EffectID(seq: 1, index: 0)
    effect.name = name
    effect.cancelID = cancelID
    return effect
  }

  private static var group: EffectDescription {
    var group = EffectDescription(.merge)
    group.cancelID = feature
    group.effects = [leaf(own)]
    return group
  }

  @Test("an effect that has lost its cancellation id differs in that alone, whatever was around it")
  func lostCancellationID() {
    #expect(
      EffectDescription.differences(of: 1, [Self.group], [Self.leaf(Self.feature)]) == [
        LogDifference(
          seq: 1,
          cause: .effects,
          subject: "1.0",
          member: "cancelID",
          expected: Self.own.json
        )
      ]
    )
    #expect(
      EffectDescription.differences(of: 1, [Self.leaf(Self.feature)], [Self.group]) == [
        LogDifference(
          seq: 1,
          cause: .effects,
          subject: "1.0",
          member: "cancelID",
          actual: Self.own.json
        )
      ]
    )
  }

  @Test("a group of another feature is another group")
  func otherGroups() {
    let differences = EffectDescription.differences(of: 1, [Self.group], [Self.leaf(Self.own)])
    #expect(differences.first?.path == "/effects/0/operation")
  }
}
