import ActionLog
import TestSupport
import Testing

@testable import ReplayEngine

/// A search follows the effects of each action by themselves, and a replay those of all actions at once: both come to the same.
@Suite("Effects of a search") struct EffectsWalkTests {
  /// Effects at random, which are cancelled under few ids, at places within each other.
  private struct Source {
    var random: SplitMix64
    var ids: [EffectID] = []

    mutating func effects(of seq: Int) -> [EffectDescription] {
      var index = 0
      return (0..<Int.random(in: 1...3, using: &random))
        .map { _ in
          Int.random(in: 0..<3, using: &random) == 0
            ? presentation(of: seq, &index) : effect(of: seq, &index, depth: 3)
        }
    }

    /// What the library adds for a feature that is presented: an effect without a name, which ends when it is cancelled, and
    /// the dismissal after it.
    private mutating func presentation(of seq: Int, _ index: inout Int) -> EffectDescription {
      var presence = EffectDescription(.run)
      presence.isInternal = true
      cancellable(&presence)
      var dismissal = EffectDescription(.send)
      dismissal.id = name(of: seq, &index)
      dismissal.action = "dismiss"
      var effect = EffectDescription(.concatenate)
      effect.effects = [presence, dismissal]
      if Bool.random(using: &random) { cancellable(&effect) }
      return effect
    }

    private mutating func name(of seq: Int, _ index: inout Int) -> EffectID {
      defer { index += 1 }
      ids.append(EffectID(seq: seq, index: index))
      return EffectID(seq: seq, index: index)
    }

    /// Lets an effect, or what a cancellation cancels, have an id.
    private mutating func cancellable(_ effect: inout EffectDescription) {
      let path = (0..<Int.random(in: 0...2, using: &random))
        .map { _ in JSON.number(JSON.Number(Int.random(in: 0..<2, using: &random))) }
      let type = ["Load", "Save"].randomElement(using: &random) ?? ""
      effect.cancelID = EffectDescription.CancelID(type: type, value: [:], path: path)
      effect.cancelInFlight = Bool.random(using: &random)
    }

    private mutating func effect(
      of seq: Int,
      _ index: inout Int,
      depth: Int
    ) -> EffectDescription {
      let operations: [EffectDescription.Operation] =
        depth == 0 ? [.run, .send, .cancel] : [.run, .run, .send, .cancel, .merge, .concatenate]
      var effect = EffectDescription(operations.randomElement(using: &random) ?? .run)
      switch effect.operation {
      case .run, .send:
        effect.id = name(of: seq, &index)
        if effect.operation == .send { effect.action = .string("\(seq).\(index)") }
      case .merge, .concatenate:
        effect.effects = (0..<Int.random(in: 1...3, using: &random))
          .map { _ in self.effect(of: seq, &index, depth: depth - 1) }
      case .cancel: break
      }
      if effect.operation == .cancel || Int.random(in: 0..<3, using: &random) == 0 {
        cancellable(&effect)
      }
      return effect
    }

    /// A turn of an effect that runs.
    mutating func turn(_ effects: SimulatedEffects) -> LogEvent.Effect? {
      let running = ids.filter { effects.isRunning($0) || effects.awaitingStart.contains($0) }
      guard let id = running.randomElement(using: &random) else { return nil }
      let dropping = Int.random(in: 0...2, using: &random)
      let event: LogEvent.Effect.Event =
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where effects.awaitingStart.contains(id): .started
        case 1: .cancelled(by: .store, dropping: dropping)
        case 2: .failed("offline")
        default: .finished(sent: 0)
        }
      return LogEvent.Effect(id: id, event: event, at: 0)
    }
  }

  /// What steps have led to, as far as a search asks.
  private struct Sight: Equatable {
    var running: [EffectID] = []
    var alive: [EffectID] = []
    var waiting: [EffectID] = []
    var awaitingStart: [EffectID] = []
    var completed: [EffectID] = []
    var sends: [EffectID] = []
  }

  private func sight(of effects: SimulatedEffects, _ ids: [EffectID]) -> Sight {
    Sight(
      running: ids.filter(effects.isRunning),
      alive: ids.filter(effects.isAlive),
      waiting: ids.filter(effects.waiting.contains),
      awaitingStart: ids.filter(effects.awaitingStart.contains),
      completed: ids.filter(effects.completed.contains),
      sends: ids.filter(effects.isSend)
    )
  }

  private func sight(of effects: EffectsState, _ ids: [EffectID]) -> Sight {
    Sight(
      running: ids.filter(effects.isRunning),
      alive: ids.filter(effects.isAlive),
      waiting: ids.filter(effects.isWaiting),
      awaitingStart: ids.filter(effects.isAwaitingStart),
      completed: ids.filter(effects.hasCompleted),
      sends: ids.filter(effects.isSend)
    )
  }

  private func byAction(_ ids: [EffectID]) -> [Int: [EffectID]] {
    Dictionary(grouping: ids, by: \.seq)
  }

  @Test(
    "are those of a replay, whatever is remembered",
    arguments: [0, 20_000, 1 << 30],
    0..<30 as Range<UInt64>
  )
  func random(memory: Int, seed: UInt64) {
    var source = Source(random: SplitMix64(seed: seed))
    var all = SimulatedEffects()
    let checkpoint = LogEvent.Checkpoint(seq: 0, state: .null, effects: [])
    var walk = EffectsWalk(at: checkpoint, latecomers: nil, memory: memory)
    for seq in 1...60 {
      let dropped: [EffectID]
      if Bool.random(using: &source.random) {
        let effects = source.effects(of: seq)
        _ = all.start(effects, of: seq)
        dropped = StartedEffects(effects).map { walk.start($0, of: seq) } ?? []
      } else if let turn = source.turn(all) {
        _ = all.follow(turn, at: seq)
        dropped = walk.follow(turn)
      } else {
        continue
      }
      #expect(all.takeDropped() == dropped.sorted(by: isBefore), "seed \(seed), step \(seq)")
      var (expected, sent): ([EffectID], [EffectID]) = ([], [])
      while let id = all.nextProduced() {
        expected.append(id)
        _ = all.takeSent(by: id)
      }
      while let sending = walk.send() { sent.append(sending.id) }
      // Of effects that one cancellation ends, a replay asks which began first, and a search does not.
      #expect(byAction(sent) == byAction(expected), "seed \(seed), step \(seq)")
      #expect(
        sight(of: walk.here, source.ids) == sight(of: all, source.ids),
        "seed \(seed), step \(seq)"
      )
    }
  }

  private func isBefore(_ lhs: EffectID, _ rhs: EffectID) -> Bool {
    (lhs.seq, lhs.index) < (rhs.seq, rhs.index)
  }

  @Test("have one digest whichever way leads there, and another one elsewhere")
  func digests() {
    var run = EffectDescription(.run)
    func started(_ seq: Int) -> StartedEffects? {
      run.id = EffectID(seq: seq, index: 0)
      return StartedEffects([run])
    }
    let end = LogEvent.Effect(id: EffectID(seq: 1, index: 0), event: .finished(sent: 0), at: 0)
    func digest(memory: Int, _ body: (inout EffectsWalk) -> Void) -> Digest {
      let checkpoint = LogEvent.Checkpoint(seq: 0, state: .null, effects: [])
      var walk = EffectsWalk(at: checkpoint, latecomers: [], memory: memory)
      body(&walk)
      return walk.here.digest
    }
    func start(_ seqs: Int...) -> (inout EffectsWalk) -> Void {
      { walk in
        for seq in seqs { _ = started(seq).map { walk.start($0, of: seq) } }
      }
    }
    for memory in [0, 1 << 20] {
      let both = digest(memory: memory, start(1, 2))
      #expect(digest(memory: memory, start(2, 1)) == both)
      #expect(digest(memory: memory, start(1)) != both)
      let second = digest(memory: memory) { walk in
        start(1, 2)(&walk)
        _ = walk.follow(end)
      }
      #expect(digest(memory: memory, start(2)) == second)
    }
  }
}
