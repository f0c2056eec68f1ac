import ActionLog
import LogTools
import ReplayEngine

/// The events of one action: from the event that begins it to the one that begins the next step.
///
/// States are computed on demand.
package final class LogStep {
  /// The kind of event that begins the step.
  package enum Kind: String, Sendable {
    /// The start of the log, with the initial state.
    case start
    case action
    /// An action that was withheld because of masks, and whose value was never logged.
    case withheld
    /// An action that a filter excludes from the log.
    case excluded
    /// A change from outside the recorded reducer.
    case external
    /// The state at which the log continues after missing actions.
    case resumed
  }

  /// The number of its action and its part.
  package let id: StepID
  package let kind: Kind
  /// The events, in order.
  package let entries: [LogReader.Entry]
  /// The missing actions before the step that no gap accounts for, which means that the log is damaged.
  package let missing: ClosedRange<Int>?
  private let positionBefore: () -> PositionState
  /// Receives the position after the step once it is computed.
  ///
  /// The next step starts with it.
  private let didFollow: (PositionState) -> Void

  init(
    id: StepID,
    kind: Kind,
    entries: [LogReader.Entry],
    missing: ClosedRange<Int>?,
    positionBefore: @escaping () -> PositionState,
    didFollow: @escaping (PositionState) -> Void
  ) {
    self.id = id
    self.kind = kind
    self.entries = entries
    self.missing = missing
    self.positionBefore = positionBefore
    self.didFollow = didFollow
  }

  private struct States {
    var before: JSON?
    var after: JSON?
    var start: PositionState
    var end: PositionState
  }

  private lazy var states: States = {
    var position = positionBefore()
    let start = position
    var before = position.state
    var after: JSON?
    for entry in entries {
      position.enter(entry.event)
      // A later checkpoint only repeats the state.
      let leadsThere = after == nil && entry.event.leadsToState
      if leadsThere { before = position.state }
      position.finish(entry.event)
      if leadsThere { after = position.state }
    }
    didFollow(position)
    return States(
      before: before,
      after: after ?? (isUnfinished ? nil : position.state),
      start: start,
      end: position
    )
  }()

  /// The number of its action.
  package var seq: Int { id.seq }

  /// The state before it; `nil` if the log doesn't contain it.
  package var before: JSON? { states.before }

  /// The state after it; `nil` if the log doesn't contain it, such as after an unfinished action.
  package var after: JSON? { states.after }

  /// The position before its first event.
  package var start: PositionState { states.start }

  /// The position after its last event, with the running effects and their names.
  package var end: PositionState { states.end }
}

// MARK: - Parts

extension LogStep {
  package var events: [LogEvent] { entries.map(\.event) }

  /// The range of line numbers in the file.
  package var lines: ClosedRange<Int> {
    let first = entries.first?.line ?? 0
    return first...max(first, entries.last?.line ?? 0)
  }

  /// The action; `nil` if the step has none, or only a placeholder.
  package var action: LogEvent.Action? {
    for entry in entries { if case .action(let action) = entry.event { return action } }
    return nil
  }

  /// The sender of the action; `nil` for a step without an action.
  package var origin: LogEvent.Origin? {
    for entry in entries { if let origin = entry.event.beginning?.origin { return origin } }
    return nil
  }

  /// The action that caused this one; `nil` for an action from outside.
  ///
  /// A cause that comes later than its effect is ignored, because it indicates a broken log.
  package var cause: Int? { origin?.cause.flatMap { $0 < seq ? $0 : nil } }

  /// The time in microseconds since the recording began; `nil` for a step without a time.
  package var at: Int? {
    for entry in entries { if let beginning = entry.event.beginning { return beginning.at } }
    return kind == .start ? 0 : nil
  }

  /// The values that the reducer read.
  package var reads: [LogEvent.Read] {
    entries.compactMap { if case .read(let read) = $0.event { read } else { nil } }
  }

  /// The change that ends the action.
  package var change: LogEvent.Change? {
    for entry in entries { if case .change(let change) = entry.event { return change } }
    return nil
  }

  /// The patch from the state before to the state after the step; `nil` if there is none.
  package var patch: JSON.Patch? {
    stateChange?.patch
  }

  /// The effects that the action returned.
  package var effects: [EffectDescription] {
    stateChange?.effects ?? []
  }

  private var stateChange: LogEvent.StateChange? {
    for entry in entries { if let change = entry.event.stateChange { return change } }
    return nil
  }

  /// The lifecycle events of effects between this action and the next one.
  package var turns: [LogEvent.Effect] {
    entries.compactMap { if case .effect(let turn) = $0.event { turn } else { nil } }
  }

  /// The calls of effects that ended between this action and the next one.
  package var calls: [LogEvent.Call] {
    entries.compactMap { if case .call(let call) = $0.event { call } else { nil } }
  }

  /// Whether the step is that of an action, which can cause other actions.
  var isOfAction: Bool {
    switch kind {
    case .action, .withheld, .excluded: true
    case .start, .external, .resumed: false
    }
  }

  /// Whether the log lacks the result of the action, because the app ended while handling it.
  package var isUnfinished: Bool {
    switch kind {
    case .action, .withheld: change == nil
    case .start, .excluded, .external, .resumed: false
    }
  }

  /// The effects that are running or waiting after the step.
  package var alive: [PositionState.AliveEffect] { end.alive }

  /// The values that conditions refer to; `nil` if the state is unknown.
  package var context: ActionContext? {
    guard let after else { return nil }
    return ActionContext(
      seq: seq,
      action: action,
      before: kind == .start ? nil : before,
      state: after,
      effects: effects,
      reads: reads
    )
  }

  /// Calls a closure for each event, with the state and the known effects before it.
  package func forEachEvent(
    _ body: (LogReader.Entry, _ before: JSON?, KnownEffects) throws -> Void
  ) rethrows {
    var position = start
    for entry in entries {
      position.enter(entry.event)
      try body(entry, position.state, position.known)
      position.finish(entry.event)
    }
  }

  /// Calls a closure for each lifecycle event with the effects known at that point; skips the ends of cancelled
  /// effects.
  package func forEachTurn(_ body: (LogEvent.Effect, KnownEffects) -> Void) {
    forEachEvent { entry, _, known in
      if case .effect(let turn) = entry.event, !known.isSettled(by: turn) { body(turn, known) }
    }
  }
}
