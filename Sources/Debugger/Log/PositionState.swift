import ActionLog
import LogTools
import ReplayEngine

/// The state, the running effects, and the names of effects at a position in a log.
package struct PositionState: Sendable {
  private var cursor = LogCursor()
  private var live = UnfinishedEffects()
  /// Whether events are missing, so that the running effects are unknown until the next checkpoint.
  private var isLiveUnknown = true
  /// The names, cancellation ids, and source locations of the effects.
  package private(set) var known = LabeledEffects()
  /// The last change that could not be applied, or `nil` if the state is known.
  package private(set) var brokenPatch: LogCursor.BrokenPatch?

  package init() {}

  /// The state at the position, or `nil` if the log doesn't contain it.
  package var state: JSON? { cursor.state }

  /// Moves the position past an event.
  package mutating func advance(_ event: LogEvent) {
    enter(event)
    finish(event)
  }

  /// Applies the parts of an event that refer to the state before the event.
  mutating func enter(_ event: LogEvent) {
    // This can't fail, because every event is applied before the next one.
    try? cursor.move(to: event)
    known.register(event)
    switch event {
    case .header: (live, isLiveUnknown) = (UnfinishedEffects(), true)
    case .gap: isLiveUnknown = true
    case .checkpoint(let checkpoint):
      if isLiveUnknown { live = UnfinishedEffects(checkpoint) } else { _ = live.checkpoint() }
      isLiveUnknown = false
      brokenPatch = nil
    case .effect(let turn): live.apply(turn)
    default:
      if let origin = event.beginning?.origin { arrive(origin) }
      if let change = event.stateChange { live.start(change.effects, of: change.seq) }
    }
  }

  /// Applies an event to the state and to the known effects.
  mutating func finish(_ event: LogEvent) {
    do throws(LogCursor.BrokenPatch) { try cursor.apply() } catch { brokenPatch = error }
    if case .effect(let turn) = event { known.finish(turn) }
  }

  private mutating func arrive(_ origin: LogEvent.Origin) {
    if case .effect(let id, nil) = origin { live.arrive(id) }
  }
}

extension PositionState {
  /// An effect that has not ended.
  package struct AliveEffect: Sendable, Equatable {
    /// The id of the effect in the log, which begins with the number of the action that started the effect.
    package let id: EffectID
    /// The name, cancellation id, or source location of the effect, in this order of preference; empty if it has none.
    package let label: String
    /// The location in the source code that started the effect, or `nil` if the log doesn't contain it.
    package let source: String?
    /// Whether the effect starts only after other effects have ended.
    package let isWaiting: Bool
  }

  /// The effects that are running or waiting and have not been canceled, in the order of their ids.
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

  /// Returns whether effects of an action can still send actions, or have sent actions that have not arrived.
  func hasAlive(of seq: Int) -> Bool { live.hasAlive(of: seq) }
}
