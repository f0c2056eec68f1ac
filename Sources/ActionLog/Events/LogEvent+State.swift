extension LogEvent {
  /// The change that an event makes to the state of its log.
  package enum StateUpdate: Sendable {
    /// The event doesn't change the state.
    case none
    /// The event contains the complete state.
    case whole(JSONText)
    /// The event contains a patch for the previous state.
    case patch(PatchText)
    /// The state is unknown from this event to the next checkpoint.
    case unknown
  }

  /// The change that the event makes to the state.
  ///
  /// All code that tracks the state of a log uses this property.
  package var stateUpdate: StateUpdate {
    switch self {
    case .header, .gap: .unknown
    case .checkpoint(let event): .whole(event.logged)
    case .change(let event): .patch(event.logged)
    case .external(let event): .patch(event.logged)
    case .excluded(let event): .patch(event.logged)
    case .withheld, .action, .read, .effect, .call, .note, .finding, .end, .unknown: .none
    }
  }

  /// The members that all events with a patch have in common.
  package struct StateChange: Sendable {
    /// The number of the action that made the change.
    ///
    /// For a change from outside, the number of the last action before the recorder noticed the change.
    package let seq: Int
    /// The patch, possibly as unparsed text.
    package var logged: PatchText
    /// The effects that the action returned.
    package var effects: [EffectDescription] = []
    /// The paths in the changed state at which the same shared value is found, or `nil` if the event has none.
    package var shared: JSON?
    /// The time and sender of the change, or `nil` if they are in the event of the action.
    package var beginning: TimeAndOrigin?

    package var patch: JSON.Patch {
      get { logged.patch }
      set { logged = PatchText(newValue) }
    }
  }

  /// The time and sender of an action, or the time of a change from outside.
  package struct TimeAndOrigin: Sendable {
    package let seq: Int
    /// The time in microseconds since the start of the recording.
    package let at: Int
    /// The sender of the action, or `nil` for a change from outside.
    package let origin: Origin?
  }

  /// The state change in the event, or `nil` if the event has none.
  ///
  /// Code that handles all kinds of changes uses this property.
  package var stateChange: StateChange? {
    get {
      switch self {
      case .change(let event):
        StateChange(seq: event.seq, logged: event.logged, effects: event.effects)
      case .external(let event):
        StateChange(
          seq: event.seq,
          logged: event.logged,
          shared: event.shared,
          beginning: TimeAndOrigin(seq: event.seq, at: event.at, origin: nil)
        )
      case .excluded(let event):
        StateChange(
          seq: event.seq,
          logged: event.logged,
          effects: event.effects,
          shared: event.shared,
          beginning: TimeAndOrigin(seq: event.seq, at: event.at, origin: event.origin)
        )
      case .header, .checkpoint, .withheld, .action, .read, .effect, .call, .gap, .note, .finding,
        .end, .unknown:
        nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .change(var event):
        (event.logged, event.effects) = (newValue.logged, newValue.effects)
        self = .change(event)
      case .external(var event):
        (event.logged, event.shared) = (newValue.logged, newValue.shared)
        self = .external(event)
      case .excluded(var event):
        (event.logged, event.effects) = (newValue.logged, newValue.effects)
        event.shared = newValue.shared
        self = .excluded(event)
      case .header, .checkpoint, .withheld, .action, .read, .effect, .call, .gap, .note, .finding,
        .end, .unknown:
        break
      }
    }
  }

  /// The time and sender of a recorded, withheld, or excluded action, or the time of a change from outside.
  ///
  /// `nil` for other events.
  package var beginning: TimeAndOrigin? {
    switch self {
    case .action(let event): TimeAndOrigin(seq: event.seq, at: event.at, origin: event.origin)
    case .withheld(let event): TimeAndOrigin(seq: event.seq, at: event.at, origin: event.origin)
    case .change: nil
    default: stateChange?.beginning
    }
  }

  /// Whether the event is a state change that no action made.
  package var isFromOutside: Bool { beginning.map { $0.origin == nil } ?? false }

  /// Whether the event contains a state, or a patch for the previous state.
  package var leadsToState: Bool {
    switch stateUpdate {
    case .whole, .patch: true
    case .none, .unknown: false
    }
  }

  /// Whether a replay needs a state to process the event.
  package var needsState: Bool {
    switch self {
    case .action, .effect, .external, .excluded, .end: true
    case .header, .checkpoint, .withheld, .read, .change, .call, .gap, .note, .finding, .unknown:
      false
    }
  }
}
