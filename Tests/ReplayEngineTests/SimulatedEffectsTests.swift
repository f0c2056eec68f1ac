import ActionLog
import Testing

@testable import ReplayEngine

/// The state of effects that do not run in a replay.
@Suite("Simulated effects") struct SimulatedEffectsTests {
  private let work = EffectID(seq: 1, index: 0)
  private let report = EffectID(seq: 1, index: 1)

  /// An operation, and an action that is sent after it.
  private var effects: SimulatedEffects {
    var (run, send) = (EffectDescription(.run), EffectDescription(.send))
    (run.id, send.id) = (work, report)
    send.action = "reported"
    var group = EffectDescription(.concatenate)
    group.effects = [run, send]
    group.cancelID = EffectDescription.CancelID(type: "Work", value: [:])
    var effects = SimulatedEffects()
    _ = effects.start([group], of: 1)
    return effects
  }

  private func cancel(_ effects: inout SimulatedEffects) {
    var cancel = EffectDescription(.cancel)
    cancel.cancelID = EffectDescription.CancelID(type: "Work", value: [:])
    _ = effects.start([cancel], of: 2)
  }

  @Test("SimulatedEffects keeps an action that waits for another effect")
  func waiting() {
    var effects = effects
    #expect(effects.consumeDropped() == [])
    _ = effects.apply(LogEvent.Effect(id: work, event: .finished(sent: 0), at: 1), at: 1)
    #expect(effects.consumeDropped() == [])
    #expect(effects.nextProduced() == report)
    #expect(effects.removeSend(by: report).action.json == "reported")
    #expect(effects.consumeDropped() == [])
    #expect(effects.nextProduced() == nil)
  }

  @Test("SimulatedEffects drops a waiting action once, when the effect before it is canceled")
  func cancelled() {
    var effects = effects
    cancel(&effects)
    #expect(effects.consumeDropped() == [report])
    #expect(effects.consumeDropped() == [])
    #expect(!effects.isSend(report))
    _ = effects.apply(LogEvent.Effect(id: work, event: .finished(sent: 0), at: 1), at: 2)
    #expect(effects.nextProduced() == nil)
  }

  @Test("SimulatedEffects remembers an ended effect only if the effect may still send actions")
  func latecomers() {
    for latecomers in [nil, [work], []] as [Set<EffectID>?] {
      var effects = SimulatedEffects(latecomers: latecomers)
      var run = EffectDescription(.run)
      run.id = work
      _ = effects.start([run], of: 1)
      _ = effects.apply(LogEvent.Effect(id: work, event: .finished(sent: 0), at: 1), at: 1)
      #expect(effects.completed == (latecomers == [] ? [] : [work]))
      let findings = effects.arrive(from: .effect(work, via: nil), as: 2)
      #expect(findings.map(\.code) == (latecomers == [] ? [.deadEffect] : []))
    }
  }
}
