import ActionLog
import LogTools
import ReplayEngine

/// The events of one action: from the event that begins the action to the event that begins the next step.
///
/// States are computed when they are first read.
package final class LogStep {
  /// The kind of event that begins the step.
  package enum Kind: String, Sendable {
    /// The start of the log, with the initial state.
    case start
    case action
    /// An action that a mask has withheld, so that its value was never logged.
    case withheld
    /// An action that a filter excludes from the log.
    case excluded
    /// A state change from outside of the recorded reducer.
    case external
    /// The state at which the log continues after missing actions.
    case resumed
  }

  /// The number of the step's action, and the part of the step.
  package let id: StepID
  package let kind: Kind
  /// The events of the step, in order.
  package let entries: [LogReader.Entry]
  /// The numbers of missing actions before the step, or `nil` if none are missing or a gap accounts for them.
  ///
  /// Such actions are missing because the log is damaged.
  package let missing: ClosedRange<Int>?
  private let positionBefore: () -> PositionState
  /// A closure that receives the position after the step when it is computed.
  ///
  /// The next step starts at this position.
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

  /// The number of the step's action.
  package var seq: Int { id.seq }

  /// The state before the step, or `nil` if the log doesn't contain this state.
  package var before: JSON? { states.before }

  /// The state after the step, or `nil` if the log doesn't contain this state, for example after an unfinished action.
  package var after: JSON? { states.after }

  /// The position before the first event of the step.
  package var start: PositionState { states.start }

  /// The position after the last event of the step, with the running effects and their names.
  package var end: PositionState { states.end }
}

// MARK: - Parts

extension LogStep {
  package var events: [LogEvent] { entries.map(\.event) }

  /// The range of the step's lines in the file.
  package var lines: ClosedRange<Int> {
    let first = entries.first?.line ?? 0
    return first...max(first, entries.last?.line ?? 0)
  }

  /// The action, or `nil` if the step has no action or only a placeholder.
  package var action: LogEvent.Action? {
    for entry in entries { if case .action(let action) = entry.event { return action } }
    return nil
  }

  /// The sender of the action, or `nil` for a step without an action.
  package var origin: LogEvent.Origin? {
    for entry in entries { if let origin = entry.event.beginning?.origin { return origin } }
    return nil
  }

  /// The number of the action that caused this one, or `nil` for an action from outside.
  ///
  /// A cause that comes after its consequence is ignored, because it indicates a broken log.
  package var cause: Int? { origin?.cause.flatMap { $0 < seq ? $0 : nil } }

  /// The time in microseconds since the recording began, or `nil` for a step without a time.
  package var at: Int? {
    for entry in entries { if let beginning = entry.event.beginning { return beginning.at } }
    return kind == .start ? 0 : nil
  }

  /// The values that the reducer read for the action.
  package var reads: [LogEvent.Read] {
    entries.compactMap { if case .read(let read) = $0.event { read } else { nil } }
  }

  /// The change that ends the action.
  package var change: LogEvent.Change? {
    for entry in entries { if case .change(let change) = entry.event { return change } }
    return nil
  }

  /// The patch from the state before the step to the state after it, or `nil` if there is none.
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

  /// The dependency calls of effects that ended between this action and the next one.
  package var calls: [LogEvent.Call] {
    entries.compactMap { if case .call(let call) = $0.event { call } else { nil } }
  }

  /// Whether the step has an action of its own, which can cause other actions.
  var isOfAction: Bool {
    switch kind {
    case .action, .withheld, .excluded: true
    case .start, .external, .resumed: false
    }
  }

  /// Whether the log lacks the result of the action, because the app ended while it handled the action.
  package var isUnfinished: Bool {
    switch kind {
    case .action, .withheld: change == nil
    case .start, .excluded, .external, .resumed: false
    }
  }

  /// The effects that are running or waiting after the step.
  package var alive: [PositionState.AliveEffect] { end.alive }

  /// The values to which conditions refer, or `nil` if the state is unknown.
  package var context: ConditionContext? {
    guard let after else { return nil }
    return ConditionContext(
      seq: seq,
      action: action,
      before: kind == .start ? nil : before,
      state: after,
      effects: effects,
      reads: reads
    )
  }

  /// Calls a closure for each event, with the state and the known effects before the event.
  package func forEachEvent(
    _ body: (LogReader.Entry, _ before: JSON?, LabeledEffects) throws -> Void
  ) rethrows {
    var position = start
    for entry in entries {
      position.enter(entry.event)
      try body(entry, position.state, position.known)
      position.finish(entry.event)
    }
  }

  /// Calls a closure for each lifecycle event, with the effects that are known before the event.
  ///
  /// The ends of canceled effects are skipped.
  package func forEachTurn(_ body: (LogEvent.Effect, LabeledEffects) -> Void) {
    forEachEvent { entry, _, known in
      if case .effect(let turn) = entry.event, !known.isSettled(by: turn) { body(turn, known) }
    }
  }
}
