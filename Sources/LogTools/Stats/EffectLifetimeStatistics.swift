import ActionLog
import ReplayEngine

/// Counts the effects of a log by name, with their lifetimes and the ways in which they ended.
struct EffectLifetimeStatistics: Equatable, Sendable {
  /// Counts for the effects that share a name.
  struct NamedEffectCounts: Equatable {
    /// The name that similar effects share, without the values in ids, such as `OrderRow.TimerID(id: …)`.
    let form: String
    var count = 0
    var finished = 0
    var cancelled = 0
    var failed = 0
    /// The lifetimes of ended effects, in microseconds.
    var times = DurationHistogram()

    mutating func add(_ others: NamedEffectCounts) {
      count += others.count
      finished += others.finished
      cancelled += others.cancelled
      failed += others.failed
      times.add(others.times)
    }
  }

  /// An effect that has been returned by a reducer and has not ended.
  struct OpenEffect: Equatable {
    let id: EffectID
    let kind: Int
    /// The time at which the effect started, in microseconds, or `nil` if the log does not contain that time.
    ///
    /// For a waiting effect, this is the time at which it was returned.
    var start: Int?
    /// Whether the effect waits in a concatenation for the effects before it.
    var isWaiting: Bool

    /// Returns a copy with another index in `kinds`.
    fileprivate func with(kind: Int) -> OpenEffect {
      OpenEffect(id: id, kind: kind, start: start, isWaiting: isWaiting)
    }
  }

  /// An effect that was canceled because its store was released.
  struct AbandonedEffect: Equatable {
    let id: EffectID
    let name: String
    /// The time at which the effect started, in microseconds.
    ///
    /// The time is `nil` for an effect that was still waiting, or that started before the log.
    let start: Int?
    let end: Int
  }

  /// The start or the end of an effect, for clients that need more than counts.
  enum LifeEvent {
    /// The effect starts running, or a checkpoint shows that it was running already.
    case began(OpenEffect)
    /// The effect has ended.
    ///
    /// An effect that was canceled while it waited has no `began` event.
    case ended(OpenEffect, LogEvent.Effect)
  }

  private(set) var kinds = NamedCounters<NamedEffectCounts>()
  /// The effects that were canceled because their store was released.
  private(set) var cut: [AbandonedEffect] = []
  private var alive: [EffectID: OpenEffect] = [:]
  private(set) var known = LabeledEffects()
  /// The lowest and the highest action number among the ids of started effects.
  private var (lowest, highest) = (Int.max, Int.min)

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.kinds.rows.elementsEqual(rhs.kinds.rows, by: ==) && lhs.alive == rhs.alive
      && lhs.cut == rhs.cut
  }

  /// The effects that are running at the end of the log, in the order of their ids.
  var unended: [(id: EffectID, name: String, start: Int?)] {
    alive.values.filter { !$0.isWaiting }
      .sorted { ($0.id.seq, $0.id.index) < ($1.id.seq, $1.id.index) }
      .map { ($0.id, kinds.rows[$0.kind].name, $0.start) }
  }

  /// Returns the name by which an effect is counted.
  func name(of effect: OpenEffect) -> String { kinds.name(at: effect.kind) }

  /// Adds the results from the next range of the log.
  ///
  /// - Returns: `false` if the results can't be combined: effects are still running at the end of this range, the ids
  ///   of both ranges overlap, or a sum of durations has reached its limit.
  mutating func add(_ next: EffectLifetimeStatistics) -> Bool {
    guard alive.isEmpty, next.lowest > highest else { return false }
    let indices = kinds.add(next.kinds) { $0.add($1) }
    cut += next.cut
    alive = next.alive.mapValues { $0.with(kind: indices[$0.kind]) }
    known = next.known
    highest = max(highest, next.highest)
    return kinds.values.allSatisfy(\.times.isExact)
  }

  /// Adds the effects that an event starts or ends.
  ///
  /// - Parameters:
  ///   - event: The event to add.
  ///   - at: The time of the last action, in microseconds.
  ///   - onTurn: A closure that receives each start and end of an effect.
  mutating func add(_ event: LogEvent, at: Int, onTurn: (LifeEvent) -> Void = { _ in }) {
    known.register(event)
    switch event {
    case .header: alive = [:]
    case .checkpoint(let checkpoint):
      for effect in checkpoint.effects { start(effect, at: nil, onTurn) }
    case .effect(let turn): add(turn, onTurn)
    default:
      guard let change = event.stateChange else { break }
      for effect in change.effects { start(effect, at: change.beginning?.at ?? at, onTurn) }
    }
  }

  private mutating func start(
    _ effect: EffectDescription,
    at: Int?,
    isWaiting: Bool = false,
    _ onTurn: (LifeEvent) -> Void
  ) {
    for (index, part) in effect.effects.enumerated() {
      let waits = effect.operation == .concatenate && index > 0
      start(part, at: at, isWaiting: isWaiting || waits, onTurn)
    }
    if let id = effect.id { (lowest, highest) = (min(lowest, id.seq), max(highest, id.seq)) }
    guard let id = effect.id, alive[id] == nil, !effect.isOfLibrary else { return }
    let label = effect.operation == .run ? known[id]?.label ?? "" : effect.operation.rawValue
    let kind = kinds.index(
      of: label.isEmpty ? effect.operation.rawValue : label,
      from: NamedEffectCounts(form: LabeledEffects.kind(effect, Notation()))
    )
    kinds.values[kind].count += 1
    // An effect that only sends an action has no end event.
    guard effect.operation == .run else { return }
    let life = OpenEffect(id: id, kind: kind, start: at, isWaiting: isWaiting)
    alive[id] = life
    if !isWaiting { onTurn(.began(life)) }
  }

  private mutating func add(_ turn: LogEvent.Effect, _ onTurn: (LifeEvent) -> Void) {
    known.finish(turn)
    if case .started = turn.event {
      // Only a waiting effect can start. Others were running already.
      guard var effect = alive[turn.id], effect.isWaiting else { return }
      effect.start = turn.at
      effect.isWaiting = false
      alive[turn.id] = effect
      return onTurn(.began(effect))
    }
    guard let effect = alive.removeValue(forKey: turn.id) else { return }
    defer { onTurn(.ended(effect, turn)) }
    switch turn.event {
    case .started: break
    case .finished: kinds.values[effect.kind].finished += 1
    case .cancelled(let canceller, _):
      kinds.values[effect.kind].cancelled += 1
      if case .store = canceller {
        let start = effect.isWaiting ? nil : effect.start
        cut.append(
          AbandonedEffect(id: effect.id, name: name(of: effect), start: start, end: turn.at)
        )
      }
    case .failed: kinds.values[effect.kind].failed += 1
    }
    // An effect that was canceled while it waited has no lifetime.
    if let start = effect.start, !effect.isWaiting {
      kinds.values[effect.kind].times.add(from: start, to: turn.at)
    }
  }
}
