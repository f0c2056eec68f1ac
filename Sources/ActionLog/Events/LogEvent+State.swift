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
