import ActionLog
import ReplayEngine

/// How long the effects of a log lived, and how they ended.
struct EffectLives: Equatable, Sendable {
  /// The effects of one name.
  struct Kind: Equatable {
    /// The name that they share with those whose ids differ in their values alone.
    let form: String
    var count = 0
    var finished = 0
    var cancelled = 0
    var failed = 0
    /// The times from the start to the end, in microseconds.
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
  struct Alive: Equatable {
    let id: EffectID
    let kind: Int
    /// When it began, in microseconds; `nil` for one from before the log.
    var start: Int?
    /// Whether others have to end before it begins.
    var isWaiting: Bool

    /// The same, with another kind.
    fileprivate func with(kind: Int) -> Alive {
      Alive(id: id, kind: kind, start: start, isWaiting: isWaiting)
    }
  }

  /// An effect that the end of the store has cancelled.
  struct AbandonedEffect: Equatable {
    let id: EffectID
    let name: String
    /// When it began, in microseconds; `nil` for one from before the log, or one that waited.
    let start: Int?
    let end: Int
  }

  /// What becomes of an effect, for those who do more with it than count.
  enum LifeEvent {
    /// It runs from now on, or has done so since before the log.
    case began(Alive)
    /// It has ended; what was cancelled while it waited never began.
    case ended(Alive, LogEvent.Effect)
  }

  private(set) var kinds = Counters<Kind>()
  /// The effects that the end of the store has left unfinished.
  private(set) var cut: [AbandonedEffect] = []
  private var alive: [EffectID: Alive] = [:]
  private(set) var known = KnownEffects()
  /// The numbers of the actions that have started effects: the lowest and the highest one.
  private var (lowest, highest) = (Int.max, Int.min)

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.kinds.rows.elementsEqual(rhs.kinds.rows, by: ==) && lhs.alive == rhs.alive
      && lhs.cut == rhs.cut
  }

  /// The effects that had begun and not ended, the oldest first.
  var unended: [(id: EffectID, name: String, start: Int?)] {
    alive.values.filter { !$0.isWaiting }
      .sorted { ($0.id.seq, $0.id.index) < ($1.id.seq, $1.id.index) }
      .map { ($0.id, kinds.rows[$0.kind].name, $0.start) }
  }

  /// The name under which an effect is counted.
  func name(of effect: Alive) -> String { kinds.name(at: effect.kind) }

  /// Takes what was found in the next stretch of the log.
  ///
  /// - Returns: `false` when effects that had begun before are alive there, or may be mistaken for others.
  mutating func add(_ next: EffectLives) -> Bool {
    guard alive.isEmpty, next.lowest > highest else { return false }
    let indices = kinds.add(next.kinds) { $0.add($1) }
    cut += next.cut
    alive = next.alive.mapValues { $0.with(kind: indices[$0.kind]) }
    known = next.known
    highest = max(highest, next.highest)
    return kinds.values.allSatisfy(\.times.isExact)
  }

  /// Takes an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - at: The time of the last action.
  ///   - onTurn: Hears what becomes of effects with it.
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
    // What only sends an action has no life.
    guard effect.operation == .run else { return }
    let life = Alive(id: id, kind: kind, start: at, isWaiting: isWaiting)
    alive[id] = life
    if !isWaiting { onTurn(.began(life)) }
  }

  private mutating func add(_ turn: LogEvent.Effect, _ onTurn: (LifeEvent) -> Void) {
    known.finish(turn)
    if case .started = turn.event {
      // What runs already does not begin again.
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
    // What was cancelled while it waited has not lived.
    if let start = effect.start, !effect.isWaiting {
      kinds.values[effect.kind].times.add(from: start, to: turn.at)
    }
  }
}
