import ActionLog
import Testing

/// Effects that continue from a checkpoint in the same order and with the same cancellations as without it.
@Suite struct ResumedEffectsTests {
  struct Plan: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let effects: [EffectDescription]
    /// The effects that end after the checkpoint, in this order.
    let ends: [Int]
    /// The effects that are alive at last.
    let alive: [String]
  }

  private static func run(_ index: Int, _ isCancelling: Bool? = nil) -> EffectDescription {
    leaf(.run, index, isCancelling)
  }

  private static func leaf(
    _ operation: EffectDescription.Operation,
    _ index: Int,
    _ isCancelling: Bool? = nil
  ) -> EffectDescription {
    var effect = EffectDescription(operation)
    effect.id = EffectID(seq: 1, index: index)
    return isCancelling.map { cancellable(effect, $0) } ?? effect
  }

  private static func group(
    _ operation: EffectDescription.Operation,
    _ effects: EffectDescription...
  ) -> EffectDescription {
    var effect = EffectDescription(operation)
    effect.effects = effects
    return effect
  }

  private static func cancellable(
    _ effect: EffectDescription,
    _ isCancelling: Bool
  ) -> EffectDescription {
    var effect = effect
    effect.cancelID = EffectDescription.CancelID(type: "ID", value: [:])
    effect.cancelInFlight = isCancelling
    return effect
  }

  /// Cancels what `cancellable(_:_:)` returns.
  private static var cancel: EffectDescription {
    var effect = EffectDescription(.cancel)
    effect.cancelID = EffectDescription.CancelID(type: "ID", value: [:])
    return effect
  }

  static let plans = [
    Plan(
      testDescription: "a waiting effect cancels",
      effects: [group(.concatenate, run(0), run(1, true))],
      ends: [0],
      alive: ["1.1"]
    ),
    Plan(
      testDescription: "a waiting effect does not cancel",
      effects: [group(.concatenate, run(0), run(1, false))],
      ends: [0],
      alive: ["1.1", "2.0"]
    ),
    Plan(
      testDescription: "an effect that has started does not cancel again",
      effects: [run(0, true)],
      ends: [],
      alive: ["1.0", "2.0"]
    ),
    Plan(
      testDescription: "the first part has started",
      effects: [group(.concatenate, run(0, true), run(1))],
      ends: [0],
      alive: ["1.1", "2.0"]
    ),
    Plan(
      testDescription: "a concatenation that has started does not cancel again",
      effects: [cancellable(group(.concatenate, run(0), run(1)), true)],
      ends: [0],
      alive: ["1.1", "2.0"]
    ),
    Plan(
      testDescription: "the part after a sent action has started",
      effects: [group(.concatenate, leaf(.send, 0), run(1, true), run(2))],
      ends: [1],
      alive: ["1.2", "2.0"]
    ),
    Plan(
      testDescription: "a waiting action is sent before a part cancels",
      effects: [group(.concatenate, run(0), leaf(.send, 1), run(2, true))],
      ends: [0],
      alive: ["1.2"]
    ),
    Plan(
      testDescription: "a part of a waiting merge cancels",
      effects: [group(.concatenate, run(0), group(.merge, run(1), run(2, true)))],
      ends: [0],
      alive: ["1.1", "1.2"]
    ),
    Plan(
      testDescription: "a waiting concatenation cancels",
      effects: [
        group(.concatenate, run(0), cancellable(group(.concatenate, run(1), run(2)), true))
      ],
      ends: [0],
      alive: ["1.1"]
    ),
    Plan(
      testDescription: "the first part of a waiting concatenation cancels",
      effects: [group(.concatenate, run(0), group(.concatenate, run(1, true), run(2)))],
      ends: [0],
      alive: ["1.1"]
    ),
    Plan(
      testDescription: "a concatenation in a merge cancels when it continues",
      effects: [group(.merge, run(0, true), group(.concatenate, run(1), run(2, true)))],
      ends: [1],
      alive: ["1.2"]
    ),
    Plan(
      testDescription: "the last part of nested concatenations cancels",
      effects: [group(.concatenate, group(.concatenate, run(0), run(1)), run(2, true))],
      ends: [0, 1],
      alive: ["1.2"]
    ),
    Plan(
      testDescription: "a waiting part only cancels",
      effects: [group(.concatenate, run(0), cancel)],
      ends: [0],
      alive: []
    ),
    Plan(
      testDescription: "a part of a waiting merge only cancels",
      effects: [group(.concatenate, run(0), group(.merge, run(1), cancel))],
      ends: [0],
      alive: ["1.1"]
    ),
    Plan(
      testDescription: "a waiting part of an inner concatenation only cancels",
      effects: [group(.concatenate, group(.concatenate, run(0), cancel), run(1))],
      ends: [0],
      alive: ["1.1"]
    ),
  ]

  @Test(arguments: plans)
  func `effects that wait at a checkpoint cancel the effects in flight when they start`(
    plan: Plan
  ) {
    var other = Self.run(0, false)
    other.id = EffectID(seq: 2, index: 0)
    var whole = UnfinishedEffects()
    whole.start(plan.effects, of: 1)
    whole.start([other], of: 2)
    let checkpoint = LogEvent.Checkpoint(seq: 2, state: [:], effects: whole.checkpoint())
    var resumed = UnfinishedEffects(checkpoint)
    #expect(Self.alive(resumed) == Self.alive(whole))
    for index in plan.ends {
      let id = EffectID(seq: 1, index: index)
      let end = LogEvent.Effect(id: id, event: .finished(sent: 0), at: 0)
      whole.apply(end)
      resumed.apply(end)
    }
    #expect(Self.alive(whole) == plan.alive)
    #expect(Self.alive(resumed) == plan.alive)
    #expect(resumed.described == whole.described)
  }

  @Test
  func `a checkpoint does not list a cancellation whose concatenation was canceled`() {
    var other = EffectDescription(.cancel)
    other.cancelID = EffectDescription.CancelID(type: "Other", value: [:])
    var whole = UnfinishedEffects()
    whole.start([Self.cancellable(Self.group(.concatenate, Self.run(0), other), false)], of: 1)
    #expect(whole.described.flatMap(\.flattened).map(\.operation) == [.concatenate, .run, .cancel])
    whole.start([Self.cancel], of: 2)
    #expect(whole.described.flatMap(\.flattened).map(\.operation) == [.concatenate, .run])
  }

  @Test
  func `a damaged log can have one effect in two concatenations`() {
    let inner = Self.group(.concatenate, Self.run(0), Self.run(1))
    var effects = UnfinishedEffects()
    effects.start([Self.group(.concatenate, inner, Self.run(2)), Self.run(0)], of: 1)
    effects.start([Self.group(.concatenate, Self.group(.concatenate, inner), Self.run(3))], of: 2)
    #expect(effects.described.flatMap(\.flattened).contains { $0.id == EffectID(seq: 1, index: 0) })
  }

  private static func alive(_ effects: UnfinishedEffects) -> [String] {
    effects.described.flatMap(\.flattened)
      .filter { $0.operation == .run && !$0.isCancelled }
      .compactMap { effect in
        guard let id = effect.id, !effects.isWaiting(id) else { return nil }
        return "\(id)"
      }
  }
}
