import ActionLog
import ReplayEngine

/// The lifetimes of the effects of a log, and how they ended.
struct EffectLives: Equatable, Sendable {
  /// The effects of one name.
  struct Kind: Equatable {
    /// The name of the effects.
    ///
    /// Effects whose ids differ only in their values share it.
    let form: String
    var count = 0
    var finished = 0
    var cancelled = 0
    var failed = 0
    /// The lifetimes in microseconds.
    var times = Durations()

    mutating func add(_ others: Kind) {
      count += others.count
      finished += others.finished
      cancelled += others.cancelled
      failed += others.failed
      times.add(others.times)
    }
  }

  /// An effect that has not ended.
  struct OpenEffect: Equatable {
    let id: EffectID
    let kind: Int
    /// The start in microseconds; `nil` for an effect that started before the log.
    var start: Int?
    /// Whether other effects must end before this one starts.
    var isWaiting: Bool

    /// Returns a copy with another kind.
    fileprivate func with(kind: Int) -> OpenEffect {
      OpenEffect(id: id, kind: kind, start: start, isWaiting: isWaiting)
    }
  }

  /// An effect that was cancelled by the end of the store.
  struct AbandonedEffect: Equatable {
    let id: EffectID
    let name: String
    /// The start in microseconds; `nil` for an effect that was waiting or started before the log.
    let start: Int?
    let end: Int
  }

  /// A change in the life of an effect, for clients that need more than the counts.
  enum LifeEvent {
    /// The effect starts to run, or has been running since before the log.
    case began(OpenEffect)
    /// The effect has ended.
    ///
    /// An effect that was cancelled while it waited never began.
    case ended(OpenEffect, LogEvent.Effect)
  }

  private(set) var kinds = Counters<Kind>()
  /// The effects that the end of the store left unfinished.
  private(set) var cut: [AbandonedEffect] = []
  private var alive: [EffectID: OpenEffect] = [:]
  private(set) var known = KnownEffects()
  /// The lowest and the highest number of the actions that have started effects.
  private var (lowest, highest) = (Int.max, Int.min)

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.kinds.rows.elementsEqual(rhs.kinds.rows, by: ==) && lhs.alive == rhs.alive
      && lhs.cut == rhs.cut
  }

  /// The effects that began and have not ended, in the order of their start.
  var unended: [(id: EffectID, name: String, start: Int?)] {
    alive.values.filter { !$0.isWaiting }
      .sorted { ($0.id.seq, $0.id.index) < ($1.id.seq, $1.id.index) }
      .map { ($0.id, kinds.rows[$0.kind].name, $0.start) }
  }

  /// Returns the name under which an effect is counted.
  func name(of effect: OpenEffect) -> String { kinds.name(at: effect.kind) }

  /// Adds the results of the next range of the log.
  ///
  /// - Returns: `false` if effects from earlier ranges are alive there, or could be confused with others.
  mutating func add(_ next: EffectLives) -> Bool {
    guard alive.isEmpty, next.lowest > highest else { return false }
    let indices = kinds.add(next.kinds) { $0.add($1) }
    cut += next.cut
    alive = next.alive.mapValues { $0.with(kind: indices[$0.kind]) }
    known = next.known
    highest = max(highest, next.highest)
    return kinds.values.allSatisfy(\.times.isExact)
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - at: The time of the last action.
  ///   - onTurn: Called with each change in the life of an effect.
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
      from: Kind(form: KnownEffects.kind(effect, Notation()))
    )
    kinds.values[kind].count += 1
    // An effect that only sends an action has no lifetime.
    guard effect.operation == .run else { return }
    let life = OpenEffect(id: id, kind: kind, start: at, isWaiting: isWaiting)
    alive[id] = life
    if !isWaiting { onTurn(.began(life)) }
  }

  private mutating func add(_ turn: LogEvent.Effect, _ onTurn: (LifeEvent) -> Void) {
    known.finish(turn)
    if case .started = turn.event {
      // A running effect does not begin again.
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
    // An effect that was cancelled while it waited has no lifetime.
    if let start = effect.start, !effect.isWaiting {
      kinds.values[effect.kind].times.add(from: start, to: turn.at)
    }
  }
}
