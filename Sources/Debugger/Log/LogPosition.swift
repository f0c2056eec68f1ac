import ActionLog
import LogTools
import ReplayEngine

/// What is known at a place in a log: the state, the effects that are alive, and the names of effects.
package struct LogPosition: Sendable {
  private var cursor = LogCursor()
  private var live = LiveEffects()
  /// Whether events are missing, so that only a checkpoint says which effects are alive.
  private var isLiveUnknown = true
  /// The effects by what a person recognizes them.
  package private(set) var known = KnownEffects()
  /// The last change that did not fit the state before it; `nil` when the state is known.
  package private(set) var brokenPatch: LogCursor.BrokenPatch?

  package init() {}

  /// The state; `nil` where the log does not tell it.
  package var state: JSON? { cursor.state }

  /// Goes on over an event.
  package mutating func advance(_ event: LogEvent) {
    enter(event)
    finish(event)
  }

  /// Takes what an event tells before it has changed the state.
  mutating func enter(_ event: LogEvent) {
    // Every event is applied before the next one, so there is nothing left that could fail.
    try? cursor.move(to: event)
    known.register(event)
    switch event {
    case .header: (live, isLiveUnknown) = (LiveEffects(), true)
    case .gap: isLiveUnknown = true
    case .checkpoint(let checkpoint):
      if isLiveUnknown { live = LiveEffects(checkpoint) } else { _ = live.checkpoint() }
      isLiveUnknown = false
      brokenPatch = nil
    case .effect(let turn): live.apply(turn)
    default:
      if let origin = event.beginning?.origin { arrive(origin) }
      if let change = event.stateChange { live.start(change.effects, of: change.seq) }
    }
  }

  /// Makes the state what it is after the event.
  mutating func finish(_ event: LogEvent) {
    do throws(LogCursor.BrokenPatch) { try cursor.apply() } catch { brokenPatch = error }
    if case .effect(let turn) = event { known.finish(turn) }
  }

  private mutating func arrive(_ origin: LogEvent.Origin) {
    if case .effect(let id, nil) = origin { live.arrive(id) }
  }
}

extension LogPosition {
  /// An effect that has not ended.
  package struct AliveEffect: Sendable, Equatable {
    /// Its number in the log, which begins with that of the action that started it.
    package let id: EffectID
    /// Its name in the app, or the id by which it is cancelled, or its place in the source; empty when it has none.
    package let label: String
    /// Its place in the app's source.
    package let source: String?
    /// Whether others have to end before it begins.
    package let isWaiting: Bool
  }

  /// The effects of the app that run and were not cancelled, or that wait for such, in the order of their numbers.
  package var alive: [AliveEffect] {
    live.described.flatMap(\.flattened).compactMap { effect in
      guard effect.operation == .run, let id = effect.id, !effect.isInternal, !effect.isCancelled
      else { return nil }
      return AliveEffect(
        id: id,
        label: known[id]?.label ?? "",
        source: effect.source,
        isWaiting: live.isWaiting(id)
      )
    }.sorted { $0.id < $1.id }
  }

  /// Whether an action has effects that can still send something, or has sent what has not arrived yet.
  func hasAlive(of seq: Int) -> Bool { live.hasAlive(of: seq) }
}
