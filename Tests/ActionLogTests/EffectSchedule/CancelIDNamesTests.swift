import ActionLog
import Testing

/// The names of cancellation ids in a log that is being written.
@Suite("Names of cancellation ids")
struct CancelIDNamesTests {
  private var effects = UnfinishedEffects()

  private func run(_ id: EffectID, under value: Double) -> EffectDescription {
    var effect = EffectDescription(.run)
    effect.id = id
    effect.cancelID = cancelID(value)
    return effect
  }

  private func cancelID(_ value: Double) -> EffectDescription.CancelID {
    var id = EffectDescription.CancelID(type: "Double", value: JSON(logging: value))
    id.identity = CancelID(value, path: [])
    return id
  }

  /// Starts the effects of an action.
  private mutating func start(_ returned: EffectDescription, of seq: Int) -> [String?] {
    let named = effects.named([returned])
    effects.start(named, of: seq)
    return ids(in: named)
  }

  private func ids(in effects: [EffectDescription]) -> [String?] {
    effects.flatMap(\.flattened).compactMap(\.cancelID).map(\.value.description)
  }

  enum Cancellation: CaseIterable {
    /// Cancellation by the effects of an action.
    case plan
    /// Cancellation by a call, one effect after another.
    case call
  }

  /// Starts effects under `0.0` and cancels them.
  ///
  /// A checkpoint lists them until they return.
  private mutating func cancelSome(_ cancellation: Cancellation) {
    for seq in 1...20 { _ = start(run(EffectID(seq: seq, index: 0), under: 0.0), of: seq) }
    switch cancellation {
    case .plan:
      var cancel = EffectDescription(.cancel)
      cancel.cancelID = cancelID(-0.0)
      #expect(start(cancel, of: 21) == ["0.0"])
    case .call:
      for seq in 1...20 {
        let id = EffectID(seq: seq, index: 0)
        effects.apply(LogEvent.Effect(id: id, event: .cancelled(by: .task), at: 0))
      }
    }
  }

  @Test(arguments: Cancellation.allCases)
  mutating func `a cancellation id gets a new name after all effects with the id are canceled`(
    cancellation: Cancellation
  ) {
    cancelSome(cancellation)
    #expect(start(run(EffectID(seq: 22, index: 0), under: -0.0), of: 22) == ["-0.0"])
    #expect(start(run(EffectID(seq: 23, index: 0), under: 0.0), of: 23) == ["-0.0"])
  }

  @Test(arguments: Cancellation.allCases)
  mutating func `a checkpoint that lists canceled effects does not revive their ids`(
    cancellation: Cancellation
  ) {
    cancelSome(cancellation)
    _ = start(run(EffectID(seq: 22, index: 0), under: -0.0), of: 22)
    let listed = effects.checkpoint()
    #expect(ids(in: listed) == Array(repeating: "0.0", count: 20) + ["-0.0"])
    #expect(listed.filter(\.isCancelled).count == 20)
    #expect(start(run(EffectID(seq: 23, index: 0), under: 0.0), of: 23) == ["-0.0"])
  }

  @Test(arguments: Cancellation.allCases)
  mutating func `an effect after a checkpoint does not get the id of a canceled effect`(
    cancellation: Cancellation
  ) {
    cancelSome(cancellation)
    let listed = effects.checkpoint()
    effects = UnfinishedEffects(LogEvent.Checkpoint(seq: 21, state: [:], effects: listed))
    #expect(start(run(EffectID(seq: 22, index: 0), under: -0.0), of: 22) == ["-0.0"])
    #expect(start(run(EffectID(seq: 23, index: 0), under: 0.0), of: 23) == ["-0.0"])
  }

  private func effect(
    _ seq: Int,
    _ object: ObjectIdentity,
    _ operation: EffectDescription.Operation = .run
  ) -> EffectDescription {
    var effect = EffectDescription(operation)
    effect.id = operation == .run ? EffectID(seq: seq, index: 0) : nil
    effect.cancelID = EffectDescription.CancelID(type: "Object", value: ["$ordinal": 1])
    effect.cancelID?.identity = CancelID(object, path: [])
    return effect
  }

  @Test(arguments: [false, true])
  mutating func `an id keeps its number while a cancellation of it waits`(isResumed: Bool) {
    let objects = (1...3).map { _ in ObjectIdentity() }
    var concatenation = EffectDescription(.concatenate)
    concatenation.effects = [
      run(EffectID(seq: 1, index: 0), under: 0), effect(1, objects[0], .cancel),
    ]
    #expect(start(concatenation, of: 1) == ["0.0", #"{"$ordinal":1}"#])
    if isResumed {
      let listed = effects.checkpoint()
      effects = UnfinishedEffects(LogEvent.Checkpoint(seq: 1, state: [:], effects: listed))
    }
    #expect(start(effect(2, objects[1]), of: 2) == [#"{"$ordinal":2}"#])
    #expect(ids(in: effects.checkpoint()) == ["0.0", #"{"$ordinal":1}"#, #"{"$ordinal":2}"#])
    let first = EffectID(seq: 1, index: 0)
    effects.apply(LogEvent.Effect(id: first, event: .finished(sent: 0), at: 0))
    #expect(start(effect(3, objects[2]), of: 3) == [#"{"$ordinal":1}"#])
  }

  @Test
  mutating func `equally described cancellation ids are numbered with the smallest free numbers`() {
    let objects = (1...4).map { _ in ObjectIdentity() }
    for (index, object) in objects.prefix(3).enumerated() {
      #expect(start(effect(index + 1, object), of: index + 1) == [#"{"$ordinal":\#(index + 1)}"#])
    }
    let second = EffectID(seq: 2, index: 0)
    effects.apply(LogEvent.Effect(id: second, event: .finished(sent: 0), at: 0))
    #expect(start(effect(4, objects[3]), of: 4) == [#"{"$ordinal":2}"#])
    #expect(start(effect(5, objects[1]), of: 5) == [#"{"$ordinal":4}"#])
    #expect(start(effect(6, objects[2]), of: 6) == [#"{"$ordinal":3}"#])
  }
}

private final class ObjectIdentity: Hashable, Sendable {
  static func == (lhs: ObjectIdentity, rhs: ObjectIdentity) -> Bool { lhs === rhs }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
