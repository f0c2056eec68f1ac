extension LogEvent {
  /// What an event says about the state of its log.
  package enum StateUpdate: Sendable {
    /// Nothing: the state stays as it is.
    case none
    /// The whole state.
    case whole(JSONText)
    /// What has changed in the state.
    case patch(PatchText)
    /// The state is not known from here to the next checkpoint.
    case unknown
  }

  /// What the event says about the state; whatever follows the state through a log asks for it here.
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

  /// What the events that change a state have in common.
  package struct StateChange: Sendable {
    /// The action that has made the change, or after which it was noticed.
    package let seq: Int
    /// The patch, which may still be text.
    package var logged: PatchText
    /// The effects that were started with it.
    package var effects: [EffectDescription] = []
    /// The places of the state after it that hold one and the same shared value.
    package var shared: JSON?
    /// Where it begins, unless an action before it says so.
    package var beginning: Beginning?

    /// The patch.
    package var patch: JSON.Patch {
      get { logged.patch }
      set { logged = PatchText(newValue) }
    }
  }

  /// What an event tells that has a place of its own in the order of the actions.
  package struct Beginning: Sendable {
    package let seq: Int
    /// Microseconds since the start of the recording.
    package let at: Int
    /// The sender of the action; `nil` for a change that no action made.
    package let origin: Origin?
  }

  /// The change of the state, if the event is one; what treats all of them alike reads and writes it here.
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
          beginning: Beginning(seq: event.seq, at: event.at, origin: nil)
        )
      case .excluded(let event):
        StateChange(
          seq: event.seq,
          logged: event.logged,
          effects: event.effects,
          shared: event.shared,
          beginning: Beginning(seq: event.seq, at: event.at, origin: event.origin)
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

  /// Where an action begins that was recorded, withheld or left out, or a change from outside.
  package var beginning: Beginning? {
    switch self {
    case .action(let event): Beginning(seq: event.seq, at: event.at, origin: event.origin)
    case .withheld(let event): Beginning(seq: event.seq, at: event.at, origin: event.origin)
    case .change: nil
    default: stateChange?.beginning
    }
  }

  /// Whether it is a change that no action made.
  package var isFromOutside: Bool { beginning.map { $0.origin == nil } ?? false }

  /// Whether the event leads to a state: the whole one, or the one before with a change.
  package var leadsToState: Bool {
    switch stateUpdate {
    case .whole, .patch: true
    case .none, .unknown: false
    }
  }

  /// Whether replaying the event needs a state.
  package var needsState: Bool {
    switch self {
    case .action, .effect, .external, .excluded, .end: true
    case .header, .checkpoint, .withheld, .read, .change, .call, .gap, .note, .finding, .unknown:
      false
    }
  }
}
