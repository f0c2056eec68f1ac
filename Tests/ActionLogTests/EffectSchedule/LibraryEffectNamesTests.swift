import ActionLog
import Testing

/// The names of the library's ids in a replay that meets children at other actions than the recording.
@Suite("Names of the library's ids in a late replay")
struct LibraryEffectNamesTests {
  private static let childEffects = EffectDescription.CancelID(type: "ChildEffects", value: [:])

  /// Returns an effect under the library's id for a child.
  ///
  /// A group contains an effect of the second action. An object distinguishes the place in the running code; a
  /// description from a log has none.
  private func effect(
    _ operation: EffectDescription.Operation,
    at place: String,
    number: Int = 1,
    _ object: Int? = nil
  ) -> EffectDescription {
    var effect = EffectDescription(operation)
    var id = Self.childEffects
    id.path = [
      number > 1
        ? ["place": .string(place), "n": JSON(logging: number)] : ["place": .string(place)]
    ]
    if let object {
      let element = NavigationID(place: CancelKey(object), identity: nil)
      id.identity = CancelID("ChildEffects", path: [element])
    }
    effect.cancelID = id
    guard operation == .merge else { return effect }
    var run = EffectDescription(.run)
    run.id = EffectID(seq: 2, index: 0)
    effect.effects = [run]
    return effect
  }

  /// Returns effects in which an action that was left out has presented a child at a place.
  private func begin(at place: String) -> LoggedEffects {
    var effects = LoggedEffects()
    var group = effect(.merge, at: place)
    group.effects[0].id = EffectID(seq: 1, index: 0)
    _ = effects.start([group], of: 1)
    return effects
  }

  @Test("Beside a cancellation that the recording lacks, the other ids keep their numbers")
  func additionalCancellation() {
    var effects = begin(at: "sheet")
    let recorded = [effect(.merge, at: "sheet", number: 2)]
    let named = effects.named(
      [effect(.merge, at: "sheet", 1), effect(.cancel, at: "dialog", 2)],
      like: recorded
    )
    #expect(named.map(\.json) == (recorded + [effect(.cancel, at: "dialog")]).map(\.json))
  }

  @Test("A cancellation that the recording has is kept")
  func sameCancellation() {
    var effects = begin(at: "sheet")
    let recorded = [effect(.cancel, at: "dialog"), effect(.merge, at: "sheet", number: 2)]
    let named = effects.named(
      [effect(.cancel, at: "dialog", 2), effect(.merge, at: "sheet", 1)],
      like: recorded
    )
    #expect(named.map(\.json) == recorded.map(\.json))
  }

  @Test("A cancellation of earlier effects alone is taken from the recording", arguments: [0, 1])
  func missingCancellation(start: Int) {
    var effects = begin(at: "sheet")
    let recorded = [effect(.cancel, at: "sheet")]
    let named = effects.named([], like: recorded, after: start)
    #expect(named.map(\.json) == (start == 1 ? recorded.map(\.json) : []))
  }
}
