import ActionLog
import LogTools
import ReplayEngine

/// Everything in a log that belongs to one action: from the event that began it to the next one's.
///
/// States are followed when they are asked for.
package final class LogStep {
  /// What began the step.
  package enum Kind: String, Sendable {
    /// The start of the log, with its first state.
    case start
    /// An action.
    case action
    /// An action that was withheld for the log's masks, and of which the value never came.
    case withheld
    /// An action that a filter of the recording left out.
    case excluded
    /// A change that no action made.
    case external
    /// The state from which the log goes on after actions that are missing.
    case resumed
  }

  /// Its place in the log.
  package let id: StepID
  package let kind: Kind
  /// Its events, in order.
  package let entries: [LogReader.Entry]
  /// The actions that the log lacks before the step, without a gap that says so: the log is damaged.
  package let missing: ClosedRange<Int>?
  private let positionBefore: () -> LogPosition
  /// Takes what is known after the step, once it was followed: the next step begins with it.
  private let didFollow: (LogPosition) -> Void

  init(
    id: StepID,
    kind: Kind,
    entries: [LogReader.Entry],
    missing: ClosedRange<Int>?,
    positionBefore: @escaping () -> LogPosition,
    didFollow: @escaping (LogPosition) -> Void
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
    var start: LogPosition
    var end: LogPosition
  }

  private lazy var states: States = {
    var position = positionBefore()
    let start = position
    var before = position.state
    var after: JSON?
    for entry in entries {
      position.enter(entry.event)
      // A checkpoint that comes later only has the state once more.
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

  /// The state before it; `nil` where the log does not tell it.
  package var before: JSON? { states.before }

  /// The state after it; `nil` where the log does not tell it, such as after an action that was not finished.
  package var after: JSON? { states.after }

  /// What is known before its first event.
  package var start: LogPosition { states.start }

  /// What is known after its last event: the effects that are alive, and by which names.
  package var end: LogPosition { states.end }
}

// MARK: - Parts

extension LogStep {
  /// The events of the step.
  package var events: [LogEvent] { entries.map(\.event) }

  /// The lines of the file.
  package var lines: ClosedRange<Int> {
    let first = entries.first?.line ?? 0
    return first...max(first, entries.last?.line ?? 0)
  }

  /// The action.
  package var action: LogEvent.Action? {
    for entry in entries { if case .action(let action) = entry.event { return action } }
    return nil
  }

  /// The sender of the action; `nil` for a step without one.
  package var origin: LogEvent.Origin? {
    for entry in entries { if let origin = entry.event.beginning?.origin { return origin } }
    return nil
  }

  /// The action that led to this one; `nil` for one from outside.
  ///
  /// A cause comes before its effect: anything else is a broken log.
  package var cause: Int? { origin?.cause.flatMap { $0 < seq ? $0 : nil } }

  /// Microseconds since the start of the recording; `nil` for a step without a time of its own.
  package var at: Int? {
    for entry in entries { if let beginning = entry.event.beginning { return beginning.at } }
    return kind == .start ? 0 : nil
  }

  /// The values that the reducer read.
  package var reads: [LogEvent.Read] {
    entries.compactMap { if case .read(let read) = $0.event { read } else { nil } }
  }

  /// The change of the action.
  package var change: LogEvent.Change? {
    for entry in entries { if case .change(let change) = entry.event { return change } }
    return nil
  }

  /// The patch that turned the state before into the one after; `nil` for a step that has none.
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

  /// The turns in the lives of effects between this action and the next one.
  package var turns: [LogEvent.Effect] {
    entries.compactMap { if case .effect(let turn) = $0.event { turn } else { nil } }
  }

  /// The calls of effects that ended between this action and the next one.
  package var calls: [LogEvent.Call] {
    entries.compactMap { if case .call(let call) = $0.event { call } else { nil } }
  }

  /// Whether it is one of an action, from which others can follow.
  var isOfAction: Bool {
    switch kind {
    case .action, .withheld, .excluded: true
    case .start, .external, .resumed: false
    }
  }

  /// Whether it is an action whose outcome the log does not have: the app ended while it was handled.
  package var isUnfinished: Bool {
    switch kind {
    case .action, .withheld: change == nil
    case .start, .excluded, .external, .resumed: false
    }
  }

  /// The effects of the app that are alive after the step.
  package var alive: [LogPosition.AliveEffect] { end.alive }

  /// The values that conditions refer to; `nil` where the state is not known.
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

  /// Goes through the events with the state before each, and the effects that are known with it.
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

  /// Goes through what became of effects, with the names that are known then; leaves out the bare ends of cancelled effects.
  package func forEachTurn(_ body: (LogEvent.Effect, KnownEffects) -> Void) {
    forEachEvent { entry, _, known in
      if case .effect(let turn) = entry.event, !known.isSettled(by: turn) { body(turn, known) }
    }
  }
}
