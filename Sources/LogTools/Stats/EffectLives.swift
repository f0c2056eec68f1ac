import ActionLog
import ReplayEngine

/// How long the effects of a log lived, and how they ended.
struct EffectLives: Equatable {
  /// The effects of one name.
  struct Kind: Equatable {
    var count = 0
    var finished = 0
    var cancelled = 0
    var failed = 0
    /// The times from the start to the end, in microseconds.
    var times = Durations()
  }

  /// An effect that has not ended.
  struct Alive: Equatable {
    let id: EffectID
    let kind: Int
    /// When it began, in microseconds; `nil` for one from before the log.
    var start: Int?
    /// Whether others have to end before it begins.
    var isWaiting: Bool
  }

  private(set) var kinds = Counters<Kind>()
  private var alive: [EffectID: Alive] = [:]
  private var known = KnownEffects()

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.kinds.rows.elementsEqual(rhs.kinds.rows, by: ==) && lhs.alive == rhs.alive
  }

  /// The effects that had begun and not ended, the oldest first.
  var unended: [(id: EffectID, name: String, start: Int?)] {
    alive.values.filter { !$0.isWaiting }
      .sorted { ($0.id.seq, $0.id.index) < ($1.id.seq, $1.id.index) }
      .map { ($0.id, kinds.rows[$0.kind].name, $0.start) }
  }

  /// Takes an event; `at` is the time of the last action.
  mutating func add(_ event: LogEvent, at: Int) {
    known.take(event)
    switch event {
    case .header: alive = [:]
    case .change(let change): for effect in change.effects { start(effect, at: at) }
    case .excluded(let action): for effect in action.effects { start(effect, at: action.at) }
    case .checkpoint(let checkpoint):
      for effect in checkpoint.effects { start(effect, at: nil) }
    case .effect(let turn): add(turn)
    default: break
    }
  }

  private mutating func start(_ effect: EffectDescription, at: Int?, isWaiting: Bool = false) {
    for (index, part) in effect.effects.enumerated() {
      let waits = effect.operation == .concatenate && index > 0
      start(part, at: at, isWaiting: isWaiting || waits)
    }
    guard let id = effect.id, alive[id] == nil, !effect.isOfLibrary else { return }
    let label = effect.operation == .run ? known[id]?.label ?? "" : effect.operation.rawValue
    let kind = kinds.index(of: label.isEmpty ? effect.operation.rawValue : label, from: Kind())
    kinds.values[kind].count += 1
    // What only sends an action has no life.
    guard effect.operation == .run else { return }
    alive[id] = Alive(id: id, kind: kind, start: at, isWaiting: isWaiting)
  }

  private mutating func add(_ turn: LogEvent.Effect) {
    known.finish(turn)
    if case .started = turn.event {
      alive[turn.id]?.start = turn.at
      alive[turn.id]?.isWaiting = false
      return
    }
    guard let effect = alive.removeValue(forKey: turn.id) else { return }
    switch turn.event {
    case .started: break
    case .finished: kinds.values[effect.kind].finished += 1
    case .cancelled: kinds.values[effect.kind].cancelled += 1
    case .failed: kinds.values[effect.kind].failed += 1
    }
    // What was cancelled while it waited has not lived.
    if let start = effect.start, !effect.isWaiting {
      kinds.values[effect.kind].times.add(max(0, turn.at - start))
    }
  }
}
