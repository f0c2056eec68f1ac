import ActionLog
import TestSupport
import Testing

@testable import ReplayEngine

/// A search tracks the effects of each action separately, and a replay those of all actions together.
///
/// The results are the same.
@Suite("Effects of a search") struct EffectsWalkTests {
  /// Random effects that are canceled under few ids, in nested scopes.
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

    /// Returns the effects that the library adds for a presented feature.
    ///
    /// They are an unnamed effect, which ends when it is canceled, and the dismissal after it.
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

    /// Gives an effect or a cancellation an id.
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

    /// Returns a checkpoint in the middle of a log, with living effects.
    mutating func checkpoint(through seq: Int) -> LogEvent.Checkpoint {
      var live = UnfinishedEffects()
      for action in 1...seq { live.start(effects(of: action), of: action) }
      return LogEvent.Checkpoint(seq: seq, state: .null, effects: live.described)
    }

    /// Returns an event of a running effect.
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

  /// The observable results of steps in a search.
  private struct Observed: Equatable {
    var running: [EffectID] = []
    var alive: [EffectID] = []
    var waiting: [EffectID] = []
    var awaitingStart: [EffectID] = []
    var completed: [EffectID] = []
    var sends: [EffectID] = []
  }

  private func observed(of effects: SimulatedEffects, _ ids: [EffectID]) -> Observed {
    Observed(
      running: ids.filter(effects.isRunning),
      alive: ids.filter(effects.isAlive),
      waiting: ids.filter(effects.waiting.contains),
      awaitingStart: ids.filter(effects.awaitingStart.contains),
      completed: ids.filter(effects.completed.contains),
      sends: ids.filter(effects.isSend)
    )
  }

  private func observed(of effects: EffectsState, _ ids: [EffectID]) -> Observed {
    Observed(
      running: ids.filter(effects.isRunning),
      alive: ids.filter(effects.isAlive),
      waiting: ids.filter(effects.isWaiting),
      awaitingStart: ids.filter(effects.isAwaitingStart),
      completed: ids.filter { effects.status(of: $0).contains(.hasCompleted) },
      sends: ids.filter(effects.isSend)
    )
  }

  private func byAction(_ ids: [EffectID]) -> [Int: [EffectID]] {
    Dictionary(grouping: ids, by: \.seq)
  }

  @Test(
    "EffectsStateMachine gives the effects of a replay with any amount of memory",
    arguments: [0, 20_000, 1 << 30],
    Thoroughness.seeds(8, thorough: 30)
  )
  func random(memory: Int, seed: UInt64) {
    var source = Source(random: SplitMix64(seed: seed))
    let checkpoint = source.checkpoint(through: 3)
    let latecomers = seed % 2 == 0 ? nil : Set(source.ids.prefix(2))
    var all = SimulatedEffects(latecomers: latecomers)
    all.load(checkpoint)
    let walk = EffectsStateMachine(at: checkpoint, latecomers: latecomers, memory: memory)
    var known: [Digest: Observed] = [:]
    for seq in 4...60 {
      let dropped: [EffectID]
      if Bool.random(using: &source.random) {
        let effects = source.effects(of: seq)
        _ = all.start(effects, of: seq)
        dropped = StartedEffects(effects).map { walk.start($0, of: seq) } ?? []
      } else if let turn = source.turn(all) {
        _ = all.apply(turn, at: seq)
        dropped = walk.apply(turn)
      } else {
        continue
      }
      #expect(all.consumeDropped() == dropped.sorted(by: isBefore), "seed \(seed), step \(seq)")
      #expect(
        source.ids.filter(walk.here.hasProduced) == source.ids.filter { all.hasProduced($0) },
        "seed \(seed), step \(seq)"
      )
      if Int.random(in: 0..<3, using: &source.random) > 0 {
        var (expected, sent): ([EffectID], [EffectID]) = ([], [])
        while let id = all.nextProduced() {
          expected.append(id)
          _ = all.removeSend(by: id)
        }
        while let sending = walk.send() { sent.append(sending.id) }
        // Among the effects that one cancellation ends, a replay starts with the oldest.
        #expect(byAction(sent) == byAction(expected), "seed \(seed), step \(seq)")
      }
      let seen = observed(of: walk.here, source.ids)
      #expect(seen == observed(of: all, source.ids), "seed \(seed), step \(seq)")
      #expect(known[walk.here.digest, default: seen] == seen, "seed \(seed), step \(seq)")
      known[walk.here.digest] = seen
    }
  }

  @Test("EffectsStateMachine sends actions of canceled effects in the order of a replay")
  func order() {
    func presentation(_ seq: Int) -> EffectDescription {
      var presence = EffectDescription(.run)
      presence.cancelID = EffectDescription.CancelID(type: "Sheet", value: .string("\(seq)"))
      var dismissal = EffectDescription(.send)
      dismissal.id = EffectID(seq: seq, index: 0)
      var effect = EffectDescription(.concatenate)
      effect.effects = [presence, dismissal]
      return effect
    }
    func cancel(_ seq: Int) -> EffectDescription {
      var effect = EffectDescription(.cancel)
      effect.cancelID = EffectDescription.CancelID(type: "Sheet", value: .string("\(seq)"))
      return effect
    }
    var send = EffectDescription(.send)
    send.id = EffectID(seq: 3, index: 0)
    var all = SimulatedEffects()
    let checkpoint = LogEvent.Checkpoint(seq: 0, state: .null, effects: [])
    let walk = EffectsStateMachine(at: checkpoint, latecomers: nil, memory: 0)
    let plans = [[presentation(1)], [presentation(2)], [cancel(2), send, cancel(1)]]
    for (index, effects) in plans.enumerated() {
      _ = all.start(effects, of: index + 1)
      _ = StartedEffects(effects).map { walk.start($0, of: index + 1) }
    }
    var sent: [Int] = []
    while let sending = walk.send() { sent.append(sending.id.seq) }
    #expect(sent == [2, 3, 1])
    #expect(all.waitingToSend.map(\.seq) == sent)
  }

  @Test("EffectsStateMachine finds an effect whose index is the maximum integer")
  func largeIndex() {
    var run = EffectDescription(.run)
    run.id = EffectID(seq: 1, index: .max)
    let checkpoint = LogEvent.Checkpoint(seq: 1, state: .null, effects: [run])
    let walk = EffectsStateMachine(at: checkpoint, latecomers: nil, memory: 0)
    #expect(walk.here.isRunning(EffectID(seq: 1, index: .max)))
    #expect(!walk.here.isRunning(EffectID(seq: 1, index: 0)))
  }

  private func isBefore(_ lhs: EffectID, _ rhs: EffectID) -> Bool {
    (lhs.seq, lhs.index) < (rhs.seq, rhs.index)
  }

  @Test("EffectsStateMachine has equal digests exactly for equal effects")
  func digests() {
    var run = EffectDescription(.run)
    func started(_ seq: Int) -> StartedEffects? {
      run.id = EffectID(seq: seq, index: 0)
      return StartedEffects([run])
    }
    let end = LogEvent.Effect(id: EffectID(seq: 1, index: 0), event: .finished(sent: 0), at: 0)
    func digest(memory: Int, _ body: (EffectsStateMachine) -> Void) -> Digest {
      let checkpoint = LogEvent.Checkpoint(seq: 0, state: .null, effects: [])
      let walk = EffectsStateMachine(at: checkpoint, latecomers: [], memory: memory)
      body(walk)
      return walk.here.digest
    }
    func start(_ seqs: Int...) -> (EffectsStateMachine) -> Void {
      { walk in
        for seq in seqs { _ = started(seq).map { walk.start($0, of: seq) } }
      }
    }
    for memory in [0, 1 << 20] {
      let both = digest(memory: memory, start(1, 2))
      #expect(digest(memory: memory, start(2, 1)) == both)
      #expect(digest(memory: memory, start(1)) != both)
      let second = digest(memory: memory) { walk in
        start(1, 2)(walk)
        _ = walk.apply(end)
      }
      #expect(digest(memory: memory, start(2)) == second)
    }
  }
}
